"""Arithmetic on sizes inside `lower` rules: plain where they are known, expressions where not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ..core import dtypes


def known(*sizes: Any) -> bool:
    """Whether all sizes are known while compiling."""
    return all(isinstance(size, int) for size in sizes)


def minimum(loops: Any, a: Any, b: Any) -> Any:
    if a is b:
        return a
    return min(a, b) if known(a, b) else loops.scalars.minimum(scalar(loops, a), scalar(loops, b))


def maximum(loops: Any, a: Any, b: Any) -> Any:
    if a is b:
        return a
    return max(a, b) if known(a, b) else loops.scalars.maximum(scalar(loops, a), scalar(loops, b))


def clamp(loops: Any, value: Any, low: Any, high: Any) -> Any:
    """`value` moved into low .. high."""
    return maximum(loops, minimum(loops, value, high), low)


def choose(loops: Any, condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition (a bool or a bool scalar) holds, else `b`."""
    if isinstance(condition, bool):
        return a if condition else b
    return loops.scalars.where(condition, scalar(loops, a), scalar(loops, b))


def scalar(loops: Any, size: Any) -> Any:
    """A size as an int64 scalar."""
    return loops.constant(size, dtypes.int64) if isinstance(size, int) else size


def make_nothing(sizes: Sequence[int | None]) -> bool:
    """Whether a tensor of these sizes, all of them known and possible, has no element.

    Then nobody needs the numbers from 0 to one of them, which may be more than memory holds.
    """
    return None not in sizes and 0 in sizes and min(cast("Sequence[int]", sizes)) == 0


def same(a: Any, b: Any) -> bool:
    """Whether two sizes are certainly equal."""
    return a is b or (known(a, b) and a == b)
