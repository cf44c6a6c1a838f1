"""Assignments to a part of a variable: `v[0].assign(1.0)`."""

from __future__ import annotations

from typing import Any

from ..ops.bind import bind
from ..ops.state.variable_slices import ResourceStridedSliceAssign
from .indexing import get_item, slice_operands
from .variable_updates import value_for_variable


class VariableSlice:
    """The part `key` of `variable`. Values broadcast to the shape of the part."""

    def __init__(self, variable: Any, key: Any) -> None:
        self.variable = variable
        self.key = key

    def assign(self, value: Any, name: str | None = None, read_value: bool = True) -> Any:
        """Replace the part; returns what `Variable.assign` returns."""
        variable = self.variable
        begin, end, strides, masks = slice_operands(self.key)
        tensor = value_for_variable(value, variable.dtype)
        bind(
            ResourceStridedSliceAssign,
            variable.handle, begin, end, strides, tensor, T=variable.dtype, name=name, **masks,
        )  # fmt: skip
        return variable._after(read_value)

    def assign_add(self, delta: Any, name: str | None = None, read_value: bool = True) -> Any:
        """Add to the part."""
        part = get_item(self.variable.value(), self.key)
        return self.assign(part + value_for_variable(delta, part.dtype), name, read_value)

    def assign_sub(self, delta: Any, name: str | None = None, read_value: bool = True) -> Any:
        """Subtract from the part."""
        part = get_item(self.variable.value(), self.key)
        return self.assign(part - value_for_variable(delta, part.dtype), name, read_value)
