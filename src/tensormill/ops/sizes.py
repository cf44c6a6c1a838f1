"""Arithmetic on sizes inside `lower` rules: plain where they are known, expressions where not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ..core import dtypes


def all_static(*sizes: Any) -> bool:
    """Whether all sizes are known while compiling."""
    return all(isinstance(size, int) for size in sizes)


def minimum(loops: Any, a: Any, b: Any) -> Any:
    if a is b:
        return a
    return (
        min(a, b) if all_static(a, b) else loops.scalars.minimum(scalar(loops, a), scalar(loops, b))
    )


def maximum(loops: Any, a: Any, b: Any) -> Any:
    if a is b:
        return a
    return (
        max(a, b) if all_static(a, b) else loops.scalars.maximum(scalar(loops, a), scalar(loops, b))
    )


def clamp(loops: Any, value: Any, low: Any, high: Any) -> Any:
    """`value` moved into low .. high."""
    return maximum(loops, minimum(loops, value, high), low)


def choose(loops: Any, condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition (a bool or a bool scalar) holds, else `b`."""
    if isinstance(condition, bool):
        return a if condition else b
    return loops.scalars.where(condition, scalar(loops, a), scalar(loops, b))


def places_on_axis(
    loops: Any, first: Any, last: Any, step: int, width: Any
) -> tuple[Any, int, Any]:
    """First index, stride and count of `first:last:step` on an axis of `width`."""
    low, high = (0, width) if step > 0 else (-1, width - 1)
    if first is None and last is None and step == 1:
        return 0, 1, width
    begin, end = (low, high) if step > 0 else (high, low)
    start = begin if first is None else _clamped(loops, first, width, low, high)
    stop = end if last is None else _clamped(loops, last, width, low, high)
    distance = stop - start if step > 0 else start - stop
    stride = abs(step)
    count = distance if stride == 1 else (distance + (stride - 1)) // stride
    return start, step, maximum(loops, count, 0)


def _clamped(loops: Any, index: Any, width: Any, low: Any, high: Any) -> Any:
    """A begin or end: counted from the end where negative, then clamped."""
    place = choose(loops, index < 0, index + width, index)
    return clamp(loops, place, low, high)


def scalar(loops: Any, size: Any) -> Any:
    """A size as an int64 scalar."""
    return loops.constant(size, dtypes.int64) if isinstance(size, int) else size


def make_nothing(sizes: Sequence[int | None]) -> bool:
    """Whether a tensor of these sizes, all of them known and possible, has no element.

    Then nobody needs the numbers from 0 to one of them, which may be more than memory holds.
    """
    return None not in sizes and 0 in sizes and min(cast("Sequence[int]", sizes)) == 0


def statically_equal(a: Any, b: Any) -> bool:
    """Whether two sizes are certainly equal."""
    return a is b or (all_static(a, b) and a == b)
