"""Arithmetic on sizes inside `lower` rules: plain where they are known, expressions where not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy

from ..core import dtypes
from ..errors import InvalidArgumentError, ResourceExhaustedError


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


NEGATIVE_SIZE = "Dimension {} must be >= 0"


def make_nothing(sizes: Sequence[int | None]) -> bool:
    """Whether a tensor of these sizes, all of them known and possible, has no element.

    Then nobody needs the numbers from 0 to one of them, which may be more than memory holds.
    """
    return None not in sizes and 0 in sizes and min(cast("Sequence[int]", sizes)) == 0


def require_shape(sizes: Sequence[int | None] | None) -> None:
    """Raise an InvalidArgumentError where no tensor can have these sizes; None is unknown."""
    product = 1
    for size in sizes or ():
        if size is not None and size < 0:
            raise InvalidArgumentError(NEGATIVE_SIZE.format(size))
        product *= 1 if size is None else size
    if product >= 2**63:
        raise InvalidArgumentError(f"More than 2**63 - 1 elements: {list(sizes or ())}")


def require_memory(sizes: Sequence[int], dtype: Any) -> None:
    """Refuse at once a result for which there is no room, before long preparations for it.

    Raises:
        InvalidArgumentError: no tensor can have these sizes.
        ResourceExhaustedError: there is no memory for an array of this NumPy dtype.
    """
    require_shape(sizes)
    try:
        numpy.empty(sizes, dtype)  # the system gives addresses only: nothing is written
    except (MemoryError, ValueError):
        raise ResourceExhaustedError(
            f"OOM when allocating tensor with shape {list(sizes)} and type {numpy.dtype(dtype)}"
        ) from None


def shape_in(loops: Any, operand: Any) -> Any:
    """The sizes that an operand spells, in compiled code, which checks that a tensor can have them.

    Loops over axes that were joined count the product: it has to fit into 64 bits.
    """
    sizes = loops.sizes(operand)
    for size in sizes:
        if not loops.is_count(size):
            demand(loops, size >= 0, InvalidArgumentError, NEGATIVE_SIZE, size)
    require_countable(loops, sizes)
    return sizes


def require_countable(loops: Any, sizes: Sequence[Any]) -> None:
    """Check, in compiled code, that the product of sizes is below 2**63."""
    if len(sizes) < 2 or known(*sizes):
        return
    s = loops.scalars
    product = loops.constant(1.0, dtypes.float64)
    for size in sizes:
        product = product * s.cast(scalar(loops, size), dtypes.float64)
    shown = ", ".join(["{}"] * len(sizes))
    fits = product < loops.constant(2.0**63, dtypes.float64)
    demand(loops, fits, InvalidArgumentError, f"More than 2**63 - 1 elements: {shown}", *sizes)


def demand(loops: Any, condition: Any, error: type[Exception], message: str, *values: Any) -> None:
    """`loops.check`, or the error at once where the condition is known to be false."""
    if isinstance(condition, bool):
        if not condition:
            raise error(message.format(*values))
        return
    loops.check(condition, error, message, *(scalar(loops, value) for value in values))


def require_same(loops: Any, have: Sequence[Any], want: Sequence[Any], message: str) -> None:
    """Check that sizes agree, axis by axis: now known or when it runs, an error when it runs.

    `message` has places for the two sizes.

    Raises:
        InvalidArgumentError: the numbers of axes differ.
    """
    if len(have) != len(want):
        raise InvalidArgumentError(message.format(f"rank {len(have)}", f"rank {len(want)}"))
    for one, other in zip(have, want, strict=True):
        if not same(one, other):
            fits = False if known(one, other) else one == other
            loops.check(fits, InvalidArgumentError, message, one, other)


def same(a: Any, b: Any) -> bool:
    """Whether two sizes are certainly equal."""
    return a is b or (known(a, b) and a == b)
