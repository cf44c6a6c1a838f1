"""Variables, hidden counters, and copies in memory that outlives a block.

A variable is a buffer of the program, read and written in place. What was read before a write may
still be wanted after it:

    a = v.read()        an array that is pulled: it looks at v's buffer when somebody asks for it
    v.assign(b)         first: whoever looks at v's buffer and is still needed gets memory of its
    return a + v        own (`protect`), here `a`; then v's buffer is filled

Who looks at which buffer is known from probing their elements (`Probe`, arrays.py), and who is
still needed from the rest of the graph (live_values.py): most writes copy nothing. That nobody in
Python holds the buffer is the caller's business (eager/storage.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core import dtypes
from ...ops.lowering import NotStatic
from ..loops.ir import (  # fmt: skip
    Allocate,
    Bind,
    Buffer,
    Check,
    Literal,
    Load,
    Local,
    Store,
)
from ..lowered import NO_MEMORY
from . import reductions
from .arrays import Array, Size
from .emitter import Emitter
from .scalars import SCALARS, Scalar, literal, size_expression
from .values import Handle

LARGEST = 1 << 58  # no memory has so many numbers (nor bytes)


def read(builder: Emitter, handle: Handle) -> Array:
    """The value now: `write` protects whoever still needs it."""
    must_be_native(handle)
    return builder.stored(handle.buffer, handle.dtype, handle.shape)


def write(builder: Emitter, handle: Handle, value: Array) -> None:
    """Replace the value in place, by one of its shape; whoever still needs the old one gets a copy
    first.
    """
    must_be_native(handle)
    protect(builder, handle.buffer)
    if value.buffer is handle.buffer:
        _scatter_in_place(builder, value)
        return
    reductions.finish_scatter(builder, value)
    if value.reads.get(handle.buffer) is False:
        builder.force(value)
    builder.fill(handle.buffer, value)


def write_all(builder: Emitter, handles: Sequence[Handle], values: Sequence[Array]) -> None:
    """Replace values that all look at what is there before: what would look at a variable after it
    was written is stored first.
    """
    for handle in handles:
        must_be_native(handle)
    for number, value in enumerate(values):
        if any([handle.buffer in value.reads for handle in handles[:number]]):
            builder.force(value)
    for handle, value in zip(handles, values, strict=True):
        write(builder, handle, value)


def _scatter_in_place(builder: Emitter, array: Array) -> None:
    """Combine values into the variable that `array` is, if there are any."""
    combine, array.pending = array.pending, None
    if combine is None:
        return
    for source in array.sources:  # what reads the old elements must not see new ones
        if array.buffer in source.reads:
            store_copy(builder, source)
    combine(array)


def must_be_native(handle: Handle) -> None:
    if not handle.native:
        raise NotStatic("the variable's shape may change, or it holds strings")


def protect(builder: Emitter, buffer: Buffer) -> None:
    """Store every array that is still needed and looks at `buffer`."""
    readers = builder.probe.readers.get(buffer)
    for array in [] if readers is None else [*readers.values()]:
        if buffer in array.reads and builder.live.needs(array):
            store_copy(builder, array)


def store_copy(builder: Emitter, array: Array) -> None:
    """Give `array` memory of its own."""
    copy = builder.blocks.temporary(array.dtype, array.shape, "copy")
    builder.blocks.emit(Allocate(copy))
    builder.fill(copy, array)
    array.become_stored(copy)


def counter(builder: Emitter, is_seeded: bool, advance: Size) -> Scalar:
    """A new hidden counter of random numbers, before adding `advance`."""
    buffer = Buffer(f"counter.{len(builder.slots.counters)}", "i64", (), "state")
    builder.slots.counters[buffer] = is_seeded
    before = builder.blocks.let(Scalar(Load(buffer, ()), dtypes.int64), "counter")
    builder.blocks.emit(Store(buffer, (), size_expression(before + advance)))
    return before


def memory_count(builder: Emitter, shape: Sequence[Size]) -> Size:
    """The product of sizes, as `Builder.count`; the program is left where 64 bits cannot hold it.

    Nothing that exists has so many elements, but what is computed where it is used may.
    """
    known = 1
    product = literal(1.0, dtypes.float64)
    open_sizes = [size for size in shape if isinstance(size, Scalar)]
    for size in shape:
        if isinstance(size, int):
            known *= size
    if abs(known) >= LARGEST:
        builder.blocks.emit(Check(Literal(False, "bool"), NO_MEMORY))
        return 0
    if len(open_sizes) > 1 or (open_sizes and known > 1):
        for size in open_sizes:
            product = product * SCALARS.cast(size, dtypes.float64)
        fits = abs(product * float(known)) < float(LARGEST)
        builder.blocks.emit(Check(builder.blocks.named(fits), NO_MEMORY))
    return builder.count(shape)


def copy_to_slot(builder: Emitter, pointer: Local, array: Array) -> Buffer:
    """Store `array` where `pointer` says, after making room there."""
    bytes_needed = memory_count(builder, (*array.shape, array.dtype.size))
    builder.slots.resize(pointer, size_expression(bytes_needed))
    target = builder.blocks.pointed(array.dtype, array.shape, "kept")
    builder.blocks.emit(Bind(target, pointer))
    builder.fill(target, array)
    return target
