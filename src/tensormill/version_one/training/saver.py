"""`tf.compat.v1.train.Saver`: variables by their names, in checkpoints of TensorFlow's format."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np

from ...checkpoint.state_file import get_checkpoint_state, update_checkpoint_state
from ...core import context
from ...core.dtypes import as_dtype
from ...core.files.gfile import text
from ...errors import InvalidArgumentError, NotFoundError
from ...formats.bundle_operations import parts_of
from ...formats.bundle_writer import write_bundle
from ...formats.data_files import delete_checkpoint, index_name
from ...formats.slice_files import files_of, reader_of, write_slices
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.by_hand.variables import GraphVariable
from .meta_graph import export_meta_graph
from .saver_operations import FIRST_FORMAT, add_saver_operations, has_value, within, without


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
        self._named: dict[str, Any] | None = None
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
        self._named = _by_name(listed)
        if not self._named and not self._allows_none:
            raise ValueError("No variables to save")
        if not all(map(has_value, self._named.values())):  # only operations know a table's entries
            self.as_saver_def()
            self._runs_operations = True

    def _variables(self) -> dict[str, Any]:
        if self._named is None:
            self.build()
        assert self._named is not None
        return self._named

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
        variables = self._variables()
        values = _values(sess, variables.values())
        if self._format == FIRST_FORMAT:
            whole = [np.asarray(value) for value in values]
            write_slices(path, parts_of("Saver", list(variables), [""] * len(whole), whole))
        else:
            write_bundle(path, dict(zip(variables, values, strict=True)))

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
        values = {name: self._fitting(bundle, name, one) for name, one in self._variables().items()}
        for name, one in self._variables().items():
            give_value(sess, one, values[name])

    def _fitting(self, bundle: Any, name: str, variable: Any) -> Any:
        if name not in bundle:
            raise NotFoundError(f"Key {name} not found in checkpoint {bundle.prefix}")
        value = bundle.read(name)
        if as_dtype(value.dtype) is not variable.dtype:
            raise InvalidArgumentError(
                f"tensor_name = {name}; expected dtype {variable.dtype.name} does not equal "
                f"original dtype {as_dtype(value.dtype).name}"
            )
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
                get_default_graph(), self._variables(), self._format, max_to_keep=self._max_to_keep,
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
        mine, all_of_them = self._variables(), _by_name(_saved())
        same = [mine[name] is one for name, one in all_of_them.items() if name in mine]
        return len(mine) == len(all_of_them) == len(same) and all(same)


def _saved() -> list[Any]:
    graph = get_default_graph()
    keys = GraphKeys.GLOBAL_VARIABLES, GraphKeys.SAVEABLE_OBJECTS
    return [one for key in keys for one in graph.get_collection(key)]


def _by_name(listed: Any) -> dict[str, Any]:
    if isinstance(listed, Mapping):
        return {str(name): listed[name] for name in sorted(listed)}
    named: dict[str, Any] = {}
    for one in listed:
        if not has_value(one) and not hasattr(one, "tensors"):
            raise TypeError(f"Variable to save is not a Variable: {one}")
        name = one.name.rpartition(":")[0] or one.name
        if name in named and named[name] is not one:
            raise ValueError(f"At least two variables have the same name: {name}")
        named[name] = one
    return dict(sorted(named.items()))


def _is_eager(sess: Any) -> bool:
    return sess is None and not context.building_graph()


def _values(sess: Any, variables: Any) -> list[Any]:
    listed = list(variables)
    if _is_eager(sess):
        return [one.numpy() for one in listed]
    return sess.run(listed) if listed else []


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
        value = bundle.read(name)
        if not variable.shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of "
                f"tensor {name} ({list(value.shape)}) from checkpoint reader."
            )
        variable.start_at(value)


def _assigned(bundle: Any, assignment_map: Any) -> list[tuple[str, Any]]:
    known = {one.name.rpartition(":")[0]: one for one in _saved()}
    pairs: list[tuple[str, Any]] = []
    for theirs, ours in dict(assignment_map).items():
        if isinstance(ours, str) and ours.endswith("/"):
            start = "" if theirs == "/" else theirs
            inside = [(name.removeprefix(ours), one) for name, one in known.items() if
                      name.startswith(ours)]  # fmt: skip
            pairs += [(start + rest, one) for rest, one in inside]
        else:
            pairs.append((theirs, known[ours] if isinstance(ours, str) else ours))
    return pairs
