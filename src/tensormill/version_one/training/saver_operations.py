"""Saving and restoring as operations of a graph: what a SaverDef names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...control.grouping import group
from ...eager.scopes import control_dependencies, name_scope
from ...formats.bundle_operations import RestoreV2, SaveSlices, SaveV2
from ...graph.func_graph import FuncGraph
from ...graph.proto.messages import message
from ...ops.bind import bind
from ...ops.control.flow import identity, placeholder_with_default
from .saved_values import SavedValue, has_value

FIRST_FORMAT: Final = 1
NAMES: Final = "filename_tensor_name", "save_tensor_name", "restore_op_name"


def add_saver_operations(
    graph: FuncGraph, values: Sequence[SavedValue], version: int, **said: Any
) -> Any:
    """The SaverDef of operations that are added to the graph; `said` are its other fields.

    values: what is saved, with objects that have `tensors` of several names. version: the format
    of the files: 1, or 2 for bundles.
    """
    with graph.as_default(), name_scope("save"):
        path = placeholder_with_default("model", [], name="filename")
        path = placeholder_with_default(path, [], name="Const")
        tensors = list(map(_tensors, values))
        names = [name for some in tensors for name in some]
        parts = [one.part for one, some in zip(values, tensors, strict=True) for _ in some]
        written = [value for some in tensors for value in some.values()]
        kind = SaveSlices if version == FIRST_FORMAT else SaveV2
        saved = bind(kind, path, names, parts, written)
        with control_dependencies([saved]):
            done = identity(path, name="control_dependency")
        kinds = [value.dtype for value in written]
        found = iter(bind(RestoreV2, path, names, parts, dtypes=kinds))
        given = [
            _restored(one.holder, [next(found) for _ in some])
            for one, some in zip(values, tensors, strict=True)
        ]
        restored = group(*given, name="restore_all")
    proto = message("SaverDef")(version=version, **said)
    for field, name in zip(NAMES, (path.name, done.name, restored.name), strict=True):
        setattr(proto, field, name)
    return proto


def _tensors(saved: SavedValue) -> dict[str, Any]:
    holder = saved.holder
    return {saved.name: holder.read_value()} if has_value(holder) else holder.tensors()


def _restored(saved: Any, tensors: Sequence[Any]) -> Any:
    if has_value(saved):
        return saved.assign(tensors[0], read_value=False)
    return saved.restore(tensors)


def within(proto: Any, scope: str | None) -> Any:
    """A SaverDef for a graph that was imported below a scope."""
    return _renamed(proto, lambda name: f"{scope}/{name}" if scope else name)


def without(proto: Any, scope: str | None) -> Any:
    """A SaverDef for what is below a scope alone; None where its operations are not there."""
    if scope and not proto.filename_tensor_name.startswith(f"{scope}/"):
        return None
    return _renamed(proto, lambda name: name.removeprefix(f"{scope}/") if scope else name)


def _renamed(proto: Any, rename: Any) -> Any:
    copy = message("SaverDef").FromString(proto.SerializeToString())
    for field in NAMES:
        setattr(copy, field, rename(getattr(copy, field)))
    return copy
