"""Files of a SavedModel: `saved_model.path_helpers`, `tools.saved_model_utils`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ....core.files.gfile import makedirs, text
from ....saved_model.read import read_saved_model as read


def get_variables_dir(export_dir: Any) -> str:
    """The directory of the checkpoint of variables."""
    return os.path.join(text(export_dir), "variables")


def get_variables_path(export_dir: Any) -> str:
    """The prefix of the checkpoint of variables."""
    return os.path.join(get_variables_dir(export_dir), "variables")


def get_assets_dir(export_dir: Any) -> str:
    """The directory of files that the model brings."""
    return os.path.join(text(export_dir), "assets")


def get_debug_dir(export_dir: Any) -> str:
    """The directory of the lines of the program."""
    return os.path.join(text(export_dir), "debug")


def get_saved_model_pb_path(export_dir: Any) -> bytes:
    """The file of the model."""
    return os.path.join(text(export_dir), "saved_model.pb").encode()


def get_saved_model_pbtxt_path(export_dir: Any) -> bytes:
    """The same as a text."""
    return os.path.join(text(export_dir), "saved_model.pbtxt").encode()


def get_or_create_variables_dir(export_dir: Any) -> str:
    """The directory of variables, which is there then."""
    return _there(get_variables_dir(export_dir))


def get_or_create_assets_dir(export_dir: Any) -> str:
    """The directory of the files, which is there then."""
    return _there(get_assets_dir(export_dir))


def get_or_create_debug_dir(export_dir: Any) -> str:
    """The directory of lines, which is there then."""
    return _there(get_debug_dir(export_dir))


def _there(folder: str) -> str:
    makedirs(folder)
    return folder


def read_saved_model(saved_model_dir: Any) -> Any:
    """The SavedModel message of a directory.

    Raises:
        OSError: there is none.
    """
    return read(text(saved_model_dir))


def get_saved_model_tag_sets(saved_model_dir: Any) -> list[list[str]]:
    """The tags of each graph, all sorted."""
    graphs = read_saved_model(saved_model_dir).meta_graphs
    return sorted(sorted(one.meta_info_def.tags) for one in graphs)


def get_meta_graph_def(saved_model_dir: Any, tag_set: str) -> Any:
    """The MetaGraphDef with all of these tags, which commas divide.

    Raises:
        RuntimeError: there is none.
    """
    found = _with_tags(read_saved_model(saved_model_dir), tag_set.split(","))
    if found is None:
        raise RuntimeError(
            f"MetaGraphDef associated with tag-set {tag_set} could not be found in the SavedModel. "
            f"Its tag-sets: {get_saved_model_tag_sets(saved_model_dir)}"
        )
    return found


def _with_tags(model: Any, tags: Sequence[str]) -> Any:
    wanted = set(tags)
    return next((one for one in model.meta_graphs if set(one.meta_info_def.tags) == wanted), None)


class SavedModelLoader:
    """A SavedModel in a directory, whose graphs sessions load."""

    def __init__(self, export_dir: Any) -> None:
        self._export_dir = text(export_dir)
        self._saved_model = read_saved_model(export_dir)

    @property
    def export_dir(self) -> str:
        """The directory."""
        return self._export_dir

    @property
    def variables_path(self) -> str:
        """The prefix of the checkpoint of its variables."""
        return get_variables_path(self._export_dir)

    @property
    def saved_model(self) -> Any:
        """The message."""
        return self._saved_model

    def get_meta_graph_def_from_tags(self, tags: Sequence[str]) -> Any:
        """The MetaGraphDef with just these tags.

        Raises:
            RuntimeError: there is none.
        """
        found = _with_tags(self._saved_model, tags)
        if found is None:
            there = [set(one.meta_info_def.tags) for one in self._saved_model.meta_graphs]
            raise RuntimeError(
                f"MetaGraphDef associated with tags {str(sorted(tags)).strip('[]')} could not be "
                f"found in SavedModel, with available tags '{there}'"
            )
        return found

    def load(
        self, sess: Any, tags: Sequence[str], import_scope: str | None = None, **saver_kwargs: Any
    ) -> Any:
        """Load the graph of these tags into a session, and restore its variables."""
        from ....version_one.saved_models import load

        return load(sess, tags, self._export_dir, import_scope, **saver_kwargs)
