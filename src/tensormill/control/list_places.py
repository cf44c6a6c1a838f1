"""Which elements of a staged list are meant, and the lists that consist of them.

Places are int32 vectors, made by the graph: how long the list is, only the graph knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.shapes import UNKNOWN, TensorShape
from ..core.specs import TensorSpec
from ..ops.array.concatenation import concat
from ..ops.array.fill import range as range_of
from ..ops.array.select import where
from ..ops.array.shapes import shape_of
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.lists import list_elements
from ..ops.math.arithmetic import maximum, minimum
from ..ops.math.cast import cast
from .while_loop import while_loop


def empty_list(spec: TensorSpec) -> Any:
    shape = list_elements.shape_operand(UNKNOWN)
    return bind(list_elements.EmptyTensorList, shape, -1, element_dtype=spec.dtype)


def with_appended(
    targets: Sequence[Any], sources: Sequence[Any], specs: Sequence[TensorSpec], places: Any
) -> tuple[Any, ...]:
    """The lists `targets` with the elements at these places of `sources` behind their own.

    Element by element: they may differ in size.
    """
    count = shape_of(places)[0]

    def holds(k: Any, *_: Any) -> Any:
        return k < count

    def body(k: Any, *made: Any) -> list[Any]:
        shapes = [list_elements.shape_operand(spec.shape) for spec in specs]
        rows = zip(sources, specs, shapes, strict=True)
        elements = [
            list_elements.get_item(one, places[k], spec.dtype, shape) for one, spec, shape in rows
        ]
        return [k + 1, *map(list_elements.push_back, made, elements)]

    shapes = [TensorShape(())] * (1 + len(targets))
    return tuple(while_loop(holds, body, [as_tensor(0), *targets], shape_invariants=shapes)[1:])


def elements_at(
    sources: Sequence[Any], specs: Sequence[TensorSpec], places: Any
) -> tuple[Any, ...]:
    """Lists of the elements at these places, in this order."""
    return with_appended([empty_list(spec) for spec in specs], sources, specs, places)


def all_of(length: Any) -> Any:
    return range_of(length)


def place_of(index: Any, length: Any) -> Any:
    """An index, which may count from the end, as one from 0 on. Nothing is checked."""
    if isinstance(index, int):
        return index if index >= 0 else length + index
    place = cast(as_tensor(index), "int32")
    return where(place < 0, place + length, place)


def bound_of(index: Any, length: Any) -> Any:
    """An index as the bound of a slice: within the list, or at its end."""
    return minimum(maximum(place_of(index, length), 0), length)


def without(place: Any, length: Any) -> Any:
    """All places but one."""
    return concat([range_of(place), range_of(place + 1, length)], 0)
