"""Variables of graphs as TensorFlow's VariableDefs: the names of their operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...eager.variable_saving import SaveSliceInfo
from ..proto.messages import message

if TYPE_CHECKING:
    from .variables import GraphVariable

# What an operation, or a tensor, of a variable is called in a VariableDef.
FIELDS: Final = ("variable_name", "initializer_name", "snapshot_name", "initial_value_name")


def variable_def(variable: GraphVariable, scope: str | None = None) -> Any:
    """The VariableDef of a variable, for what is below `scope` alone: None where it is outside."""
    proto = message("VariableDef")(
        variable_name=variable.handle.name,
        initial_value_name=variable.initial_value.name,
        initializer_name=variable.initializer.name,
        snapshot_name=variable.snapshot.name,
        is_resource=True,
        trainable=variable.trainable,
    )
    place = variable._save_slice_info  # pyright: ignore[reportPrivateUsage]
    if place is not None:
        said = proto.save_slice_info_def
        said.full_name = place.full_name or ""
        said.full_shape.extend(place.full_shape)
        said.var_offset.extend(place.var_offset)
        said.var_shape.extend(place.var_shape)
    return narrowed(proto, f"{scope}/") if scope else proto


def narrowed(proto: Any, before: str) -> Any:
    """A VariableDef whose names are without what they begin with; None where they do not."""
    if not proto.variable_name.startswith(before):
        return None
    for field in FIELDS:
        setattr(proto, field, getattr(proto, field).removeprefix(before))
    if proto.HasField("save_slice_info_def"):
        said = proto.save_slice_info_def
        said.full_name = said.full_name.removeprefix(before)
    return proto


def place_in(proto: Any, scope: str = "") -> SaveSliceInfo | None:
    """Which part of a variable a VariableDef says that one is, below a scope; None: it is whole."""
    if not proto.HasField("save_slice_info_def"):
        return None
    said = proto.save_slice_info_def
    full, offset, own = map(list, (said.full_shape, said.var_offset, said.var_shape))
    return SaveSliceInfo(scope + said.full_name, full, offset, own)
