"""What a few functions mean for composites of every class: the same of their parts."""

from __future__ import annotations

from typing import Any

from ...core.tree import Composite
from ...core.type_spec import spec_of
from ..array.indexed_slices import IndexedSlices
from ..control.flow import identity, stop_gradient
from .meanings import means_for


@means_for(identity, Composite)
def same(input: Composite, name: str | None) -> Any:
    """The same parts again, under names of their own."""
    return NotImplemented if spec_of(input) is None else _of_parts(identity, input)


@means_for(stop_gradient, IndexedSlices)
def stopped_rows(input: IndexedSlices, name: str | None) -> IndexedSlices:
    """Rows stay rows, though they are a tensor for others."""
    return _of_parts(stop_gradient, input)


@means_for(stop_gradient, Composite)
def stopped(input: Composite, name: str | None) -> Any:
    """The parts, as something that does not depend on anything."""
    if spec_of(input) is None or hasattr(input, "__tf_tensor__"):
        return NotImplemented
    return _of_parts(stop_gradient, input)


def _of_parts(function: Any, value: Composite) -> Any:
    return value._with_component_tensors([function(part) for part in value._component_tensors()])
