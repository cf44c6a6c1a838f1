"""The files of a SavedModel, found and parsed, and which values of them belong to which objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Final

from google.protobuf.message import DecodeError

from ..checkpoint.restoration import read_object_graph
from ..core import tree
from ..core.files import gfile
from ..errors import InvalidArgumentError, UnimplementedError
from ..formats.tensor_bundle import BundleReader
from ..graph.proto.messages import message
from .options import (
    ASSETS_DIRECTORY,
    ASSETS_KEY,
    SAVED_MODEL_FILENAME_PB,
    SAVED_MODEL_FILENAME_PBTXT,
    VARIABLES_DIRECTORY,
    VARIABLES_FILENAME,
)
from .validation import is_inside

VALUE: Final = "VARIABLE_VALUE"
_ASSET_TYPE: Final = "type.googleapis.com/tensorflow.AssetFileDef"


def contains_saved_model(export_dir: Any) -> bool:
    """Whether the directory has a SavedModel in it.

    export_dir: a path. What is no directory has none.

    >>> tf.saved_model.save(tf.Module(), "exported")
    >>> [tf.saved_model.contains_saved_model(one) for one in ("exported", "nowhere")]
    [True, False]

    Raises:
        TypeError: it is no path.
    """
    names = (SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT)
    return any(os.path.isfile(os.path.join(gfile.text(export_dir), name)) for name in names)


def variables_prefix(export_dir: str) -> str:
    """What the names of the files with the variables begin with."""
    return os.path.join(export_dir, VARIABLES_DIRECTORY, VARIABLES_FILENAME)


def proto_path(export_dir: str) -> str:
    """The file with everything but the variables."""
    return os.path.join(export_dir, SAVED_MODEL_FILENAME_PB)


def read_saved_model(export_dir: str) -> Any:
    """The SavedModel proto in a directory.

    Raises:
        OSError: there is none, or it is none.
        PermissionDeniedError: it may not be read.
        UnimplementedError: it is written as text.
    """
    path = proto_path(export_dir)
    if not os.path.isfile(path):
        text = os.path.join(export_dir, SAVED_MODEL_FILENAME_PBTXT)
        if os.path.isfile(text):
            raise UnimplementedError(f"{text}: SavedModels that are written as text")
        names = f"{{{SAVED_MODEL_FILENAME_PBTXT}|{SAVED_MODEL_FILENAME_PB}}}"
        raise OSError(f"SavedModel file does not exist at: {export_dir}{os.path.sep}{names}")
    with gfile.translated(path), open(path, "rb") as file:
        data = file.read()
    try:
        proto = message("SavedModel").FromString(data)
    except DecodeError as error:
        raise OSError(f"Cannot parse file {path}: {error}.") from None
    if not proto.meta_graphs:
        raise OSError(f"Cannot parse file {path}: it has no graph in it.")
    return proto


def meta_graph_of(proto: Any, tags: Any, export_dir: str) -> Any:
    """The MetaGraphDef with just these tags; without tags, the only one.

    Raises:
        ValueError: there is none with these tags, or there are several.
        RuntimeError: there is none with these tags, and what there is has no objects, as graphs of
            TensorFlow 1 have none, or is several.
    """
    wanted = None if tags is None else {str(tag) for tag in _listed(tags)}
    found = [
        meta
        for meta in proto.meta_graphs
        if wanted is None or wanted == set(meta.meta_info_def.tags)
    ]
    if len(found) == 1:
        return found[0]
    have = [sorted(meta.meta_info_def.tags) for meta in proto.meta_graphs]
    if not found and (len(have) > 1 or not proto.meta_graphs[0].object_graph_def.nodes):
        raise RuntimeError(
            f"MetaGraphDef associated with tags {tags} could not be found in SavedModel: "
            f"{export_dir} has graphs with the tags {have}"
        )
    if not found:
        raise ValueError(
            f"Got an incompatible argument to `tags`: {tags}. The SavedModel at {export_dir} has "
            f"graphs with the tags {have}. Omit `tags` where there is only one."
        )
    raise ValueError(f"The SavedModel at {export_dir} has several graphs, tagged {have}: give tags")


def _listed(tags: Any) -> Iterable[Any]:
    return sorted(tags) if isinstance(tags, (set, frozenset)) else tree.flatten(tags)


# ---------------------------------------------------------------- values


def attributes_of(reader: BundleReader, saved: Any) -> dict[int, dict[str, str]]:
    """The keys of what is stored of objects, by the numbers of these in a SavedObjectGraph.

    The checkpoint has its own graph of objects: those that the same names lead to are the same.

    Raises:
        DataLossError: the files are damaged.
    """
    stored = read_object_graph(reader)
    found: dict[int, dict[str, str]] = {}
    for number, other in _pairs(saved, stored):
        for attribute in stored.nodes[other].attributes:
            found.setdefault(number, {})[attribute.name] = attribute.checkpoint_key
    return found


def _pairs(saved: Any, stored: Any) -> Iterator[tuple[int, int]]:
    """Numbers of the same object in both graphs."""
    pending, seen = [(0, 0)], {(0, 0)}
    while pending:
        pair = pending.pop()
        yield pair
        for following in _following(saved.nodes[pair[0]], stored.nodes[pair[1]]):
            if following not in seen:
                seen.add(following)
                pending.append(following)


def _following(saved: Any, stored: Any) -> Iterator[tuple[int, int]]:
    children = {child.local_name: child.node_id for child in stored.children}
    for child in saved.children:
        if child.local_name in children:
            yield child.node_id, children[child.local_name]
    slots = {(s.original_variable_node_id, s.slot_name): s for s in stored.slot_variables}
    for slot in saved.slot_variables:
        other = slots.get((slot.original_variable_node_id, slot.slot_name))
        if other is not None:
            yield slot.slot_variable_node_id, other.slot_variable_node_id


def asset_paths(meta: Any, directory: str, scope: str = "") -> dict[str, str]:
    """Where the files lie that a graph asks for when it is made ready, by its tensors' names.

    Raises:
        InvalidArgumentError: one is no file in the model's own folder of assets.
    """
    found: dict[str, str] = {}
    for one in _asset_files(meta):
        if not is_inside(one.filename):
            raise InvalidArgumentError(
                f"{directory}: the asset '{one.filename}' is no file in the model's own folder of "
                "assets"
            )
        path = os.path.join(directory, ASSETS_DIRECTORY, one.filename)
        found[f"{scope}{one.tensor_info.name}"] = path
    return found


def _asset_files(meta: Any) -> list[Any]:
    """The AssetFileDefs: TensorFlow 1 keeps them in a collection."""
    if ASSETS_KEY not in meta.collection_def:
        return list(meta.asset_file_def)
    kept = meta.collection_def[ASSETS_KEY].any_list.value
    return [message("AssetFileDef").FromString(one.value) for one in kept]


def add_asset_files(meta: Any, names: dict[str, str]) -> None:
    """Let a MetaGraphDef tell of assets: what files are called in their folder, by tensors."""
    for tensor, filename in names.items():
        proto = message("AssetFileDef")(filename=filename)
        proto.tensor_info.name = tensor
        kept = meta.collection_def[ASSETS_KEY].any_list.value.add(type_url=_ASSET_TYPE)
        kept.value = proto.SerializeToString()
