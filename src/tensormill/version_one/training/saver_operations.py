"""Saving and restoring as operations of a graph: what a SaverDef names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...control.grouping import group
from ...eager.scopes import control_dependencies, name_scope
from ...formats.bundle_operations import RestoreV2, SaveSlices, SaveV2
from ...graph.func_graph import FuncGraph
from ...graph.proto.messages import message
from ...ops.bind import bind
from ...ops.control.flow import identity, placeholder_with_default

FIRST_FORMAT: Final = 1
NAMES: Final = "filename_tensor_name", "save_tensor_name", "restore_op_name"


def add_saver_operations(
    graph: FuncGraph, variables: Mapping[str, Any], version: int, **said: Any
) -> Any:
    """The SaverDef of operations that are added to the graph; `said` are its other fields.

    variables: by their names in files, with other objects that have `tensors` of several names.
    version: the format of the files: 1, or 2 for bundles.
    """
    with graph.as_default(), name_scope("save"):
        path = placeholder_with_default("model", [], name="filename")
        path = placeholder_with_default(path, [], name="Const")
        parts = [_tensors(name, one) for name, one in variables.items()]
        names = [name for part in parts for name in part]
        values = [value for part in parts for value in part.values()]
        kind = SaveSlices if version == FIRST_FORMAT else SaveV2
        saved = bind(kind, path, names, [""] * len(names), values)
        with control_dependencies([saved]):
            done = identity(path, name="control_dependency")
        kinds = [value.dtype for value in values]
        found = iter(bind(RestoreV2, path, names, [""] * len(names), dtypes=kinds))
        given = [
            _restored(one, [next(found) for _ in part])
            for one, part in zip(variables.values(), parts, strict=True)
        ]
        restored = group(*given, name="restore_all")
    proto = message("SaverDef")(version=version, **said)
    for field, name in zip(NAMES, (path.name, done.name, restored.name), strict=True):
        setattr(proto, field, name)
    return proto


def _tensors(name: str, saved: Any) -> dict[str, Any]:
    return {name: saved.read_value()} if has_value(saved) else saved.tensors()


def _restored(saved: Any, tensors: Sequence[Any]) -> Any:
    if has_value(saved):
        return saved.assign(tensors[0], read_value=False)
    return saved.restore(tensors)


def has_value(saved: Any) -> bool:
    """Whether it is a variable, and no table or the like."""
    return hasattr(saved, "handle")


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
