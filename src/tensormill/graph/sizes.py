"""Arithmetic on partly known shapes: one rule per operation that computes with sizes.

A rule takes what is known of the operands, the attributes and the number of the output. It
answers the elements of that output, None for each that only run time knows; or None where it
cannot say anything. Outputs are integer scalars and vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..core.specs import Known

Sizes = tuple[int | None, ...]
Operands = tuple[Known, ...]
Rule = Callable[[Operands, Mapping[str, Any], int], Sizes | None]


def _shape(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    return operands[index].shape.entries


def _size(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    count = operands[0].shape.num_elements()
    return None if count is None else (count,)


def _rank(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    return None if operands[0].rank is None else (operands[0].rank,)


def _same(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    return operands[0].sizes


def _pack(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    if any(operand.rank != 0 for operand in operands):
        return None
    return tuple(None if operand.sizes is None else operand.sizes[0] for operand in operands)


def _concat(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    parts: list[int | None] = []
    for operand in operands[:-1]:
        sizes = _vector(operand)
        if sizes is None:
            return None
        parts.extend(sizes)
    return tuple(parts)


def _vector(operand: Known) -> Sizes | None:
    """Its elements, all unknown where only their number is known."""
    if operand.sizes is not None or operand.rank != 1:
        return operand.sizes
    length = operand.shape[0]
    return None if length is None else (None,) * length


def _strided_slice(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    source, bounds = _vector(operands[0]), [operand.sizes for operand in operands[1:4]]
    if source is None or attrs.get("new_axis_mask", 0) or attrs.get("ellipsis_mask", 0):
        return None
    if any(bound is None or len(bound) != 1 or bound[0] is None for bound in bounds):
        return None
    begin, end, step = (bound[0] for bound in bounds if bound)
    if attrs.get("shrink_axis_mask", 0) & 1:
        inside = begin is not None and -len(source) <= begin < len(source)
        return (source[begin],) if inside and begin is not None else None
    first = None if attrs.get("begin_mask", 0) & 1 else begin
    last = None if attrs.get("end_mask", 0) & 1 else end
    return source[slice(first, last, step)] if step else None


def _slice(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    source, begin, size = _vector(operands[0]), operands[1].sizes, operands[2].sizes
    if source is None or not begin or not size or begin[0] is None or size[0] is None:
        return None
    return source[begin[0] :] if size[0] < 0 else source[begin[0] : begin[0] + size[0]]


def _gather(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    source, places = _vector(operands[0]), operands[1].sizes
    if source is None or places is None:
        return None
    if any(place is None or not 0 <= place < len(source) for place in places):
        return None
    return tuple(source[place] for place in places if place is not None)


def _unpack(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    source = _vector(operands[0])
    return None if source is None or index >= len(source) else (source[index],)


def _product(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
    source = operands[0].sizes
    if source is None or operands[0].rank != 1 or None in source:
        return None
    result = 1
    for size in source:
        result *= size or 0
    return (result,)


def _each(combine: Callable[[int, int], int | None]) -> Rule:
    """A rule that combines two operands element by element; one of them may be a scalar."""

    def rule(operands: Operands, attrs: Mapping[str, Any], index: int) -> Sizes | None:
        left, right = _elements(operands[0]), _elements(operands[1])
        if left is None or right is None:
            return None
        count = max(len(left), len(right))
        if operands[0].rank == 0 or len(left) == 1:
            left = left * count
        if operands[1].rank == 0 or len(right) == 1:
            right = right * count
        if len(left) != len(right):
            return None
        pairs = zip(left, right, strict=True)
        return tuple(None if a is None or b is None else combine(a, b) for a, b in pairs)

    return rule


def _elements(operand: Known) -> Sizes | None:
    if operand.sizes is None and operand.rank == 0:
        return (None,)
    return _vector(operand)


SIZE_RULES: Final[dict[str, Rule]] = {
    "Shape": _shape,
    "ShapeN": _shape,
    "Size": _size,
    "Rank": _rank,
    "Identity": _same,
    "StopGradient": _same,
    "Cast": _same,
    "Reshape": _same,
    "ExpandDims": _same,
    "Squeeze": _same,
    "EnsureShape": _same,
    "Pack": _pack,
    "ConcatV2": _concat,
    "StridedSlice": _strided_slice,
    "Slice": _slice,
    "GatherV2": _gather,
    "Unpack": _unpack,
    "Prod": _product,
    "AddV2": _each(lambda a, b: a + b),
    "Sub": _each(lambda a, b: a - b),
    "Mul": _each(lambda a, b: a * b),
    "FloorDiv": _each(lambda a, b: a // b if b else None),
    "FloorMod": _each(lambda a, b: a % b if b else None),
    "Maximum": _each(max),
    "Minimum": _each(min),
}
