"""`tf.compat.v1.train.Saver`: variables by their names, in checkpoints of TensorFlow's format."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np

from ...checkpoint.state_file import get_checkpoint_state, update_checkpoint_state
from ...core import context
from ...core.files.gfile import text
from ...core.values import PartitionedBase
from ...errors import InvalidArgumentError, NotFoundError
from ...formats.bundle_operations import parts_of, piece_of, restored
from ...formats.bundle_writer import as_array, write_shards
from ...formats.data_files import delete_checkpoint, index_name
from ...formats.slice_files import files_of, reader_of, write_slices
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.by_hand.variables import GraphVariable
from .meta_graph import export_meta_graph
from .saved_values import SavedValue, has_value, saved_values
from .saver_operations import FIRST_FORMAT, add_saver_operations, within, without
from .starting import start_at


class Saver:
    """Writes the values of variables that a session has, and gives them back to it.

    Args:
        var_list: the variables, or a dict of them by the names that they get in checkpoints; all
            that are saved of the graph, if it is not given.
        reshape: whether a value may have another shape, with as many elements.
        max_to_keep: how many checkpoints are kept; the oldest are deleted. None or 0: all.
        keep_checkpoint_every_n_hours: what would be deleted is kept if it was written that long
            after the last one that was kept so.
        defer_build: find the variables when they are saved first.
        allow_empty: whether there may be none.
        saver_def: a SaverDef, whose operations save and restore; nothing else is asked for then.

        write_version: the format of the files: 2, or 1 for what TensorFlow had first.

    The rest is accepted, and ignored.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(2.0, name="v")
    ...     session.run(v.initializer)
    ...     saver = tf.compat.v1.train.Saver()
    ...     path = saver.save(session, "old/model", global_step=3)
    ...     session.run(v.assign(0.0).op)
    ...     saver.restore(session, path)
    ...     print(path, session.run(v))
    old/model-3 2.0

    Raises:
        ValueError: there is nothing to save.
        TypeError: something in the list is no variable.
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: Any = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: int = 2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ) -> None:
        self._given: Final = var_list
        self._reshapes: Final = reshape
        self._max_to_keep: Final = max_to_keep or 0
        self._hours: Final = keep_checkpoint_every_n_hours
        self._allows_none: Final = allow_empty
        self._pads: Final = pad_step_number
        self._format: Final = write_version
        self._found: list[SavedValue] | None = None
        self._operations: Any = saver_def
        self._runs_operations = saver_def is not None
        self._kept: list[tuple[str, float]] = []
        self._next_kept = time.time() + keep_checkpoint_every_n_hours * 3600
        if saver_def is None and not defer_build:
            self.build()

    def build(self) -> None:
        """Find the variables that are saved.

        Raises:
            ValueError: there are none.
        """
        listed = _saved() if self._given is None else self._given
        self._found = saved_values(listed)
        if not self._found and not self._allows_none:
            raise ValueError("No variables to save")
        if not all(
            has_value(one.holder) for one in self._found
        ):  # operations know what tables have
            self.as_saver_def()
            self._runs_operations = True

    def _values(self) -> list[SavedValue]:
        if self._found is None:
            self.build()
        assert self._found is not None
        return self._found

    def save(
        self,
        sess: Any,
        save_path: Any,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str:
        """Write a checkpoint; its prefix: `save_path`, and the step if there is one.

        Raises:
            FailedPreconditionError: a variable has no value.
            OSError: the files cannot be written.
        """
        path = prefix = text(save_path)
        if global_step is not None:
            path = f"{prefix}-{_step(sess, global_step):{'08d' if self._pads else 'd'}}"
        self._write(sess, path)
        if write_meta_graph and not _is_eager(sess):
            with sess.graph.as_default():
                self.export_meta_graph(f"{path}.{meta_graph_suffix}")
        self._keep(path, meta_graph_suffix)
        if write_state:
            update_checkpoint_state(
                os.path.dirname(prefix), path, self.last_checkpoints, latest_filename
            )
        return path

    def _write(self, sess: Any, path: str) -> None:
        if self._runs_operations:
            names = self._operations
            sess.run(names.save_tensor_name, {names.filename_tensor_name: path})
            return
        names = [one.name for one in self._values()]
        places = [one.part for one in self._values()]
        arrays = map(as_array, _taken(sess, [one.holder for one in self._values()]))
        parts = parts_of("Saver", names, places, list(arrays))
        if self._format == FIRST_FORMAT:
            write_slices(path, parts)
        else:
            write_shards(path, [list(map(piece_of, parts))])

    def _keep(self, path: str, suffix: str) -> None:
        self._kept = [one for one in self._kept if one[0] != path]
        self._kept.append((path, time.time()))
        if not self._max_to_keep or len(self._kept) <= self._max_to_keep:
            return
        oldest, written = self._kept.pop(0)
        if written > self._next_kept:
            self._next_kept += self._hours * 3600
            return
        remove_checkpoint(oldest, self._format, suffix)

    def restore(self, sess: Any, save_path: Any) -> None:
        """Give variables the values of a checkpoint; they need not be initialized.

        Raises:
            ValueError: there is no such checkpoint.
            NotFoundError: it has no value for one of them.
            InvalidArgumentError: a value has another shape or dtype.
        """
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        path = text(save_path)
        if not checkpoint_exists(path):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {path}")
        if self._runs_operations:
            names = self._operations
            sess.run(names.restore_op_name, {names.filename_tensor_name: path})
            return
        bundle = reader_of(path)
        values = [self._fitting(bundle, one) for one in self._values()]
        for one, value in zip(self._values(), values, strict=True):
            give_value(sess, one.holder, value)

    def _fitting(self, bundle: Any, saved: SavedValue) -> Any:
        name, part, variable = saved
        if name not in bundle:
            raise NotFoundError(f"Key {name} not found in checkpoint {bundle.prefix}")
        value = restored(bundle, name, part, variable.dtype)
        if variable.shape.is_compatible_with(value.shape):
            return value
        if self._reshapes and variable.shape.num_elements() == value.size:
            return value.reshape(variable.shape.as_list())
        raise InvalidArgumentError(
            f"Assign requires shapes of both tensors to match: the variable {name} has the shape "
            f"{variable.shape}, the checkpoint {list(value.shape)}"
        )

    # ---- as operations
    def as_saver_def(self) -> Any:
        """The SaverDef of operations that do what this does; they are added to the graph.

        Raises:
            RuntimeError: operations run at once.
        """
        if self._operations is None:
            if not context.building_graph():
                raise RuntimeError("A SaverDef names operations of a graph: there is none here.")
            self._operations = add_saver_operations(
                get_default_graph(), self._values(), self._format, max_to_keep=self._max_to_keep,
                keep_checkpoint_every_n_hours=self._hours,
            )  # fmt: skip
        return self._operations

    @property
    def saver_def(self) -> Any:
        """The SaverDef: the names of the operations that save and restore."""
        return self.as_saver_def()

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The SaverDef, for what is below a scope alone; None where it is not there."""
        return without(self.as_saver_def(), export_scope)

    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> Saver:
        """A saver that runs the operations which a SaverDef names, below a scope."""
        return Saver(saver_def=within(saver_def, import_scope), name=import_scope)

    # ---- which checkpoints there are
    @property
    def last_checkpoints(self) -> list[str]:
        """The prefixes of those that were not deleted, the oldest first."""
        return [path for path, _ in self._kept]

    def set_last_checkpoints(self, last_checkpoints: Sequence[str]) -> None:
        """Say which there are, the oldest first."""
        self._kept = [(path, np.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(
        self, last_checkpoints_with_time: Sequence[tuple[str, float]]
    ) -> None:
        """Say which there are, and when they were written."""
        self._kept = list(last_checkpoints_with_time)

    def recover_last_checkpoints(self, checkpoint_paths: Sequence[str]) -> None:
        """Go on with those of these that there are."""
        there = [path for path in checkpoint_paths if checkpoint_exists(path)]
        self._kept = [(path, get_checkpoint_mtimes([path])[0]) for path in there]

    def export_meta_graph(
        self,
        filename: Any = None,
        collection_list: Any = None,
        as_text: bool = False,
        export_scope: str | None = None,
        clear_devices: bool = False,
        clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> Any:
        """The default graph and its collections as a MetaGraphDef, written to a file if one is
        named.

        It names operations that save and restore where this saves other than all variables by their
        names. The other arguments are those of `tf.compat.v1.train.export_meta_graph`.
        """
        graph = get_default_graph()
        saver_def = None if graph.finalized or self._saves_all() else self.as_saver_def()
        return export_meta_graph(
            filename, saver_def=saver_def, collection_list=collection_list, as_text=as_text,
            graph=graph, export_scope=export_scope, clear_devices=clear_devices,
        )  # fmt: skip

    def _saves_all(self) -> bool:
        """Whether it saves what a saver would that is told of nothing."""
        if self._runs_operations:
            return False
        mine, others = self._values(), saved_values(_saved())
        if len(mine) != len(others):
            return False
        return all(one[:2] == other[:2] and one.holder is other.holder
                   for one, other in zip(mine, others, strict=True))  # fmt: skip


def _saved() -> list[Any]:
    graph = get_default_graph()
    keys = GraphKeys.GLOBAL_VARIABLES, GraphKeys.SAVEABLE_OBJECTS
    return [one for key in keys for one in graph.get_collection(key)]


def _is_eager(sess: Any) -> bool:
    return sess is None and not context.building_graph()


def _taken(sess: Any, variables: list[Any]) -> list[Any]:
    """The values that variables have."""
    if _is_eager(sess):
        return [one.numpy() for one in variables]
    return sess.run(variables) if variables else []


def give_value(sess: Any, variable: Any, value: Any) -> None:
    """Let a variable have a value, in a session where it belongs to a graph."""
    if isinstance(variable, GraphVariable):
        sess.storage(variable.op).write(np.asarray(value, variable.dtype.storage))
    else:
        with context.init_scope():
            variable.assign(value)


def _step(sess: Any, global_step: Any) -> int:
    if isinstance(global_step, (int, np.integer)):
        return int(global_step)
    return int(global_step) if _is_eager(sess) else int(sess.run(global_step))


def checkpoint_exists(checkpoint_prefix: Any) -> bool:
    """Whether there is a checkpoint of this prefix.

    >>> tf.compat.v1.train.checkpoint_exists("nowhere/model-1")
    False

    Raises:
        TypeError: it is no path.
    """
    prefix = text(checkpoint_prefix)
    return os.path.exists(index_name(prefix)) or bool(files_of(prefix))


def remove_checkpoint(
    checkpoint_prefix: Any, checkpoint_format_version: int = 2, meta_graph_suffix: str = "meta"
) -> None:
    """Delete the files of a checkpoint of this format, 1 or 2, as far as they are there.

    >>> tf.compat.v1.train.remove_checkpoint("nowhere/model-1")

    Raises:
        TypeError: it is no path.
    """
    prefix = text(checkpoint_prefix)
    if checkpoint_format_version == FIRST_FORMAT:  # the checkpoint is a file of that name
        with suppress(FileNotFoundError):
            os.remove(prefix)
    else:
        delete_checkpoint(prefix)
    if os.path.exists(f"{prefix}.{meta_graph_suffix}"):
        os.remove(f"{prefix}.{meta_graph_suffix}")


def get_checkpoint_mtimes(checkpoint_prefixes: Sequence[str]) -> list[float]:
    """When checkpoints were written, in seconds since 1970; those that are missing are left out.

    >>> tf.compat.v1.train.get_checkpoint_mtimes(["nowhere/model-1"])
    []

    Raises:
        TypeError: it is no list, or holds what is no path.
    """
    found = [[index_name(text(one)), *files_of(text(one))] for one in checkpoint_prefixes]
    there = [[one for one in some if os.path.exists(one)] for some in found]
    return [os.path.getmtime(one[0]) for one in there if one]


def init_from_checkpoint(ckpt_dir_or_file: Any, assignment_map: Any) -> None:
    """Let variables of the graph that is being built start at values of a checkpoint.

    assignment_map: names in the checkpoint, and the variables (or their names) of each; a name that
    ends with "/" stands for all that begin so, and goes with such a beginning here.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(2.0, name="v")
    ...     session.run(v.initializer)
    ...     path = tf.compat.v1.train.Saver().save(session, "begun/model")
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     w = tf.Variable(0.0, name="w")
    ...     tf.compat.v1.train.init_from_checkpoint("begun", {"v": w})
    ...     session.run(w.initializer)
    ...     print(session.run(w))
    2.0

    Raises:
        ValueError: there is no checkpoint, no such name, or a shape differs.
    """
    folder = text(ckpt_dir_or_file)
    state = get_checkpoint_state(folder)
    bundle = reader_of(folder if state is None else state.model_checkpoint_path)
    for name, variable in _assigned(bundle, assignment_map):
        if name not in bundle:
            raise ValueError(f"Tensor {name} is not found in {folder} checkpoint")
        start_at(variable, bundle, name, variable._save_slice_info)


def _assigned(bundle: Any, assignment_map: Any) -> list[tuple[str, Any]]:
    """The variables and parts of variables that start at tensors of these names."""
    known = _wholes(_saved())
    pairs: list[tuple[str, Any]] = []
    for theirs, ours in dict(assignment_map).items():
        if isinstance(ours, str) and ours.endswith("/"):
            start = "" if theirs == "/" else theirs
            for name, parts in known.items():
                if name.startswith(ours):
                    pairs += [(start + name.removeprefix(ours), one) for one in parts]
        else:
            given = known[ours] if isinstance(ours, str) else ours
            listed = given if isinstance(given, (list, tuple, PartitionedBase)) else [given]
            pairs += [(theirs, one) for one in listed]
    return pairs


def _wholes(variables: Any) -> dict[str, list[Any]]:
    """Lists of variables by their names; parts of one are a list, by the name of the whole."""
    found: dict[str, list[Any]] = {}
    for one in variables:
        place = getattr(one, "_save_slice_info", None)
        own = one.name.rpartition(":")[0]
        found.setdefault(own if place is None else place.full_name, []).append(one)
    return found
