"""Tables of where windows look: bytes from the beginning of a buffer, for every index."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np

from ....core import dtypes
from ....ops import sizes
from ...loops.ir import FRAME, LONG, Address, Allocate, Buffer, NativeCall
from ...native.windows.convolutions import TABLE_AXES
from ..arrays import Size
from ..emitter import Emitter
from ..scalars import Scalar, as_size, size_expression

# Numbers of a table that is data of the program: the loop for a longer one takes less room.
_SHORT_TABLE: Final = 64


def table(
    builder: Emitter,
    shape: Sequence[Size],
    strides: Sequence[Size],
    starts: Sequence[tuple[Size, int]],
    itemsize: int,
) -> Buffer:
    """Bytes from the beginning for every index of `shape`.

    Short ones of known sizes are data, which takes LLVM nothing; a loop of its own for each of the
    others takes it some 20 ms, so one function writes all of them. Equal ones are one: a gradient
    looks where its convolution looked.
    """
    key = (tuple(shape), tuple(strides), tuple(starts), itemsize)
    is_known = sizes.all_static(*shape, *strides, *[start for start, _ in starts])
    if is_known and (found := builder.blocks.facts.table(key)) is not None:
        return found
    table = _new_table(builder, shape, strides, starts, itemsize)
    if is_known:
        builder.blocks.facts.keep(key, table)
    return table


def _new_table(
    builder: Emitter,
    shape: Sequence[Size],
    strides: Sequence[Size],
    starts: Sequence[tuple[Size, int]],
    itemsize: int,
) -> Buffer:
    steps = [step * stride * itemsize for stride, (_, step) in zip(strides, starts, strict=False)]
    first: Any = 0
    for stride, (start, _) in zip(strides, starts, strict=False):
        first = first + start * stride * itemsize
    known = [size for size in shape if isinstance(size, int)]
    if sizes.all_static(*shape, first, *steps) and 0 < prod(known) <= _SHORT_TABLE:
        indices = zip(np.indices(known), steps, strict=True)
        return _data(builder, np.asarray(sum((one * step for one, step in indices), first)))
    table = builder.blocks.temporary(dtypes.int64, builder.blocks.short_sizes(shape))
    builder.blocks.emit(Allocate(table))
    missing = TABLE_AXES - len(shape)
    numbers = [first, *[1] * missing, *shape, *[0] * missing, *steps]
    arguments = (FRAME, Address(table), *map(size_expression, numbers))
    builder.blocks.emit(NativeCall("tm_window_table", arguments, None, (), (table,), work=LONG))
    return table


def _data(builder: Emitter, numbers: np.ndarray[Any, Any]) -> Buffer:
    shape = tuple([size_expression(size) for size in numbers.shape])
    return Buffer(builder.blocks.fresh("table"), "i64", shape, "constant", numbers)


def strides_of(builder: Emitter, buffer: Buffer) -> list[Size]:
    """Elements from one index to the next, along every axis."""
    dims = [size_of(buffer, axis) for axis in range(len(buffer.shape))]
    return [builder.count(dims[axis + 1 :]) for axis in range(len(dims))]


def size_of(buffer: Buffer, axis: int) -> Size:
    return as_size(Scalar(buffer.shape[axis], dtypes.int64))


def item_size(buffer: Buffer) -> int:
    return dtypes.BY_SHORT[buffer.type].storage.itemsize
