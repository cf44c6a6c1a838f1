"""Variables, hidden counters, and memory that outlives a block.

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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import ShapeMismatchError
from ...ops.lowering import NotStatic
from ..loops.ir import (  # fmt: skip
    FRAME,
    Allocate,
    Apply,
    Bind,
    Buffer,
    Check,
    Expression,
    Literal,
    Load,
    Local,
    NativeCall,
    Set,
    Store,
)
from ..lowered import NO_MEMORY
from . import reductions
from .arrays import Array, Size, same_size
from .blocks import Blocks
from .scalars import SCALARS, Scalar, literal, size_expression, size_scalar

if TYPE_CHECKING:
    from .builder import Builder

NULL = Literal(0, "ptr")
CANNOT_ASSIGN = (
    "Cannot assign value to variable: Shape mismatch. An axis of the variable has size {}, and of "
    "the assigned value {}"
)
LARGEST = 1 << 58  # no memory has so many numbers (nor bytes)


@dataclass(frozen=True, slots=True, eq=False)
class Handle:
    """A variable: its memory is `buffer`. `number` tells callbacks which one it is.

    Where its shape may change, or it holds strings, `native` is false: only Python looks into it.
    """

    buffer: Buffer
    dtype: DType
    shape: tuple[Size, ...]
    number: int
    native: bool = True


@dataclass
class Slots:
    """Memory kept for the whole call, reused by later iterations of the loops around it."""

    blocks: Blocks
    counters: dict[Buffer, bool] = field(default_factory=dict[Buffer, bool])
    objects: int = 0  # pointers to Python objects, which Python knows by their numbers

    def pointer(self, stem: str) -> Local:
        """A mutable pointer that is null when the program starts."""
        variable = self.blocks.variable(stem, "ptr", mutable=True)
        self.blocks.prologue.append(Set(variable, NULL))
        return variable

    def resize(self, pointer: Local, byte_count: Expression) -> None:
        """Let `pointer` have room for so many bytes (contents are not kept)."""
        grown = self.blocks.variable("kept", "ptr")
        self.blocks.emit(NativeCall("tm_resize", (FRAME, pointer, byte_count), grown))
        exists = Apply("ne", (grown, NULL), "bool")
        self.blocks.emit(Check(exists, NO_MEMORY), Set(pointer, grown))


def read(builder: Builder, handle: Handle) -> Array:
    """The value now: `write` protects whoever still needs it."""
    must_be_native(handle)
    return builder.stored(handle.buffer, handle.dtype, handle.shape)


def write(builder: Builder, handle: Handle, value: Array) -> None:
    """Replace the value in place; whoever still needs the old one gets a copy first."""
    must_be_native(handle)
    for have, given in zip(handle.shape, value.shape, strict=True):
        if not same_size(have, given):
            builder.check(
                size_scalar(have) == given, ShapeMismatchError, CANNOT_ASSIGN, have, given
            )
    protect(builder, handle.buffer)
    if value.buffer is handle.buffer:
        _scatter_in_place(builder, value)
        return
    reductions.finish_scatter(builder, value)
    if value.reads.get(handle.buffer) is False:
        builder.force(value)
    builder.fill(handle.buffer, value)


def _scatter_in_place(builder: Builder, array: Array) -> None:
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


def protect(builder: Builder, buffer: Buffer) -> None:
    """Store every array that is still needed and looks at `buffer`."""
    readers = builder.probe.readers.get(buffer)
    for array in [] if readers is None else [*readers.values()]:
        if buffer in array.reads and builder.live.needs(array):
            store_copy(builder, array)


def store_copy(builder: Builder, array: Array) -> None:
    """Give `array` memory of its own."""
    copy = builder.blocks.temporary(array.dtype, array.shape, "copy")
    builder.blocks.emit(Allocate(copy))
    builder.fill(copy, array)
    array.become_stored(copy)


def counter(builder: Builder, is_seeded: bool, advance: Size) -> Scalar:
    """A new hidden counter of random numbers, before adding `advance`."""
    buffer = Buffer(f"counter.{len(builder.slots.counters)}", "i64", (), "state")
    builder.slots.counters[buffer] = is_seeded
    before = builder.blocks.let(Scalar(Load(buffer, ()), dtypes.int64), "counter")
    builder.blocks.emit(Store(buffer, (), size_expression(before + advance)))
    return before


def memory_count(builder: Builder, shape: Sequence[Size]) -> Size:
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


def copy_to_slot(builder: Builder, pointer: Local, array: Array) -> Buffer:
    """Store `array` where `pointer` says, after making room there."""
    bytes_needed = memory_count(builder, (*array.shape, array.dtype.size))
    builder.slots.resize(pointer, size_expression(bytes_needed))
    target = builder.blocks.pointed(array.dtype, array.shape, "kept")
    builder.blocks.emit(Bind(target, pointer))
    builder.fill(target, array)
    return target
