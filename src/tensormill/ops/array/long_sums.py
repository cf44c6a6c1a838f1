"""NumPy's sums across rows, in parts: it adds row after row, and errors grow with their number."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np

from ...core.process.named_tuples import NamedTuple


class CutChains(NamedTuple):
    """How long chains of additions may be, and what longer ones are cut into."""

    most: int
    block: int


# Those of compiled sums of rows (loops/passes/partial_sums.py), so that both have the same bits.
ROWS: Final = CutChains(1024, 512)
SUMS: Final = CutChains(64, 32)


def add_up(x: Any, axes: tuple[int, ...], wide: Any, keepdims: bool) -> Any:
    """`np.sum` of floats whose error grows with the logarithm of how many they are.

    Along rows that lie in memory NumPy adds up in pairs; what it adds row by row is cut here.
    """
    add: Any = np.add
    few = x.size <= ROWS.most or (len(axes) == 1 and x.shape[axes[0]] <= ROWS.most)
    if few or len(axes) == x.ndim or np.dtype(wide).kind not in "fc":
        return add.reduce(x, axes, wide, None, keepdims)
    parts, rows, along = ROWS, *_across_and_along(x, axes)
    while prod([x.shape[axis] for axis in rows]) > parts.most:
        x = _sums_of_blocks(x, rows, along, wide, parts.block)
        parts = SUMS
    return add.reduce(x, axes, wide, None, keepdims)


def _across_and_along(x: Any, axes: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """The axes along which whole rows are added, the outer ones first, and those of rows."""
    order = list(range(x.ndim))
    if not x.flags.c_contiguous:
        order.sort(key=lambda axis: -abs(x.strides[axis]))
    along = list[int]()
    while order and (order[-1] in axes or x.shape[order[-1]] == 1):
        along.append(order.pop())
    return [axis for axis in order if axis in axes], [axis for axis in along if axis in axes]


def _sums_of_blocks(
    x: Any, rows: Sequence[int], along: Sequence[int], wide: Any, block: int
) -> Any:
    """Sums of at most `block` rows each; axes stay, with fewer elements."""
    add: Any = np.add
    inner = list(along)
    for axis in reversed(rows):
        size = x.shape[axis]
        if size > block:
            break
        inner.append(axis)
        block //= max(size, 1)
    else:
        raise AssertionError(f"{x.shape} has no more than {block} rows")
    if block == 1:
        return add.reduce(x, tuple(inner), wide, None, True)
    count = size // block
    before = (slice(None),) * axis
    whole = x[(*before, slice(count * block))]
    blocks = whole.reshape(*x.shape[:axis], count, block, *x.shape[axis + 1 :])
    gone = tuple([one + (one > axis) for one in inner])
    sums = add.reduce(blocks, (*gone, axis + 1), wide, None, True).squeeze(axis + 1)
    if count * block == size:
        return sums
    left = x[(*before, slice(count * block, None))]
    return np.concatenate([sums, add.reduce(left, (*inner, axis), wide, None, True)], axis)
