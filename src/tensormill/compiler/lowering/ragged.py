"""Lists whose elements may differ in shape: every element has sizes, and checks, of its own.

A list stays one row as long as its elements agree; native/lists/ragged.py changes its form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import InvalidArgumentError
from ...ops.lowering import NotStatic
from ..loops.ir import FRAME, Allocate, Apply, Bind, Check, Choice, Literal, Local, NativeCall, Set
from ..lowered import NO_MEMORY
from ..native.records import MAXIMUM_RANK
from . import state
from .arrays import Array, Size
from .emitter import Emitter
from .scalars import SCALARS, Scalar, literal, size_expression, size_scalar
from .values import NULL, List

UNKNOWN_SHAPE = (
    "The TensorArray only contains uninitialized tensors, or this element was never written: its "
    "shape is not known; write to it first or give element_shape"
)
OTHER_SHAPE = (
    "Incompatible shapes: axis {} of an element of the TensorArray has size {} where {} is wanted"
)
OTHER_RANK = "Incompatible shapes: an element of the TensorArray does not have {} axes"
NOT_ONE_SHAPE = (
    "Operation expected a list where all elements have the same shape (Incompatible shapes)"
)


def known_sizes(items: List, stated: Sequence[Size]) -> list[Size | None]:
    """Sizes as an operation states them, else as the trace knows them."""
    dims = items.spec.element.shape.entries
    sizes: list[Size | None] = []
    for axis, size in enumerate(stated):
        static = None if dims is None else dims[axis]
        if static is None and items.sizes is not None and len(items.sizes) == len(stated):
            static = items.sizes[axis]
        if isinstance(size, int) and size >= 0:
            sizes.append(size)
        elif static is not None:
            sizes.append(static)
        else:
            sizes.append(size if isinstance(size, Scalar) else None)
    return sizes


def tighten(builder: Emitter, items: List) -> None:
    """Make the list one row again; an error where elements differ."""
    made = builder.blocks.call("tm_list_tighten", (FRAME, items.pointer), "bool")
    builder.blocks.emit(Check(made, NO_MEMORY))
    uniform = builder.blocks.call("tm_list_is_uniform", (FRAME, items.pointer), "bool")
    builder.check(Scalar(uniform, dtypes.bool_), InvalidArgumentError, NOT_ONE_SHAPE)


def item_shape(
    builder: Emitter, items: List, place: Scalar, stated: Sequence[Size]
) -> tuple[Size, ...]:
    """The shape of one element: as it was written, checked against what is stated."""
    check_rank(stated)
    known = known_sizes(items, stated)
    shape = tuple(
        stated_or(builder, size, partial(_own_size, builder, items, place, axis))
        for axis, size in enumerate(known)
    )
    check_item(builder, items, place, shape)
    return shape


def stated_or(builder: Emitter, size: Size | None, own: Callable[[Scalar], Scalar]) -> Size:
    """A size as it is stated; where it is not (it is None, or -1 when the program runs) `own`.

    `own` is given whether it is stated.
    """
    if size is None:
        return own(builder.constant(False, dtypes.bool_))
    is_known = is_stated(builder, [size])
    if is_known is None:
        return size
    return builder.scalars.where(is_known, size_scalar(size), own(is_known))


def is_stated(builder: Emitter, shape: Sequence[Size]) -> Scalar | None:
    """Whether no size is negative, where that has to be seen when the program runs."""
    found = None
    for size in shape:
        if isinstance(size, Scalar) and not builder.blocks.is_count(size_expression(size)):
            is_size = size_scalar(size) >= size_scalar(0)
            found = is_size if found is None else builder.scalars.logical_and(found, is_size)
    return found


def _own_size(builder: Emitter, items: List, place: Scalar, axis: int, is_stated: Scalar) -> Scalar:
    """The size that an element has, or another one if it was never written."""
    arguments = (FRAME, items.pointer, place.expression)
    found = builder.blocks.call("tm_list_has_size", arguments, "bool")
    has_size = builder.scalars.logical_or(is_stated, Scalar(found, dtypes.bool_))
    builder.check(has_size, InvalidArgumentError, UNKNOWN_SHAPE)
    return _item_size(builder, items, place, axis)


def check_rank(shape: Sequence[Size]) -> None:
    if len(shape) > MAXIMUM_RANK:
        raise NotStatic(f"elements of a native list have at most {MAXIMUM_RANK} axes")


def _item_size(builder: Emitter, items: List, place: Scalar, axis: int) -> Scalar:
    arguments = (FRAME, items.pointer, place.expression, Literal(axis, "i64"))
    return Scalar(builder.blocks.call("tm_list_item_size", arguments, "i64"), dtypes.int64)


def check_item(builder: Emitter, items: List, place: Scalar, shape: Sequence[Size]) -> None:
    """An error where the element was written with another shape."""
    rank = Literal(len(shape), "i64")
    arguments = (FRAME, items.pointer, place.expression, rank)
    fits = builder.blocks.call("tm_list_item_has_rank", arguments, "bool")
    builder.check(Scalar(fits, dtypes.bool_), InvalidArgumentError, OTHER_RANK, len(shape))
    for axis, size in enumerate(shape):
        arguments = (
            FRAME, items.pointer, place.expression, Literal(axis, "i64"), size_expression(size),
        )  # fmt: skip
        fits = builder.blocks.call("tm_list_item_fits", arguments, "bool")
        own = _item_size(builder, items, place, axis)
        builder.check(
            Scalar(fits, dtypes.bool_), InvalidArgumentError, OTHER_SHAPE, axis, own, size
        )


def item(builder: Emitter, items: List, place: Scalar, shape: tuple[Size, ...]) -> Local:
    """The memory of one element, which has this shape from now on; it may be behind the end."""
    check_rank(shape)
    _loosen_unless(builder, items, shape)
    count = size_expression(state.memory_count(builder, shape))
    rank = Literal(len(shape), "i64")
    made = builder.blocks.call("tm_list_shaped", (FRAME, items.pointer, count, rank), "bool")
    builder.blocks.emit(Check(made, NO_MEMORY))
    arguments = (FRAME, items.pointer, place.expression, count, rank)
    data = builder.blocks.call("tm_list_room", arguments, "ptr")
    builder.blocks.emit(Check(Apply("ne", (data, NULL), "bool"), NO_MEMORY))
    for axis, size in enumerate(shape):
        index = Literal(axis, "i64")
        sizes = (FRAME, items.pointer, place.expression, index, size_expression(size))
        builder.blocks.emit(NativeCall("tm_list_put_size", sizes))
    return data


def _loosen_unless(builder: Emitter, items: List, shape: tuple[Size, ...]) -> None:
    """Make the list ragged where elements of another shape lie in it."""
    arguments = (FRAME, items.pointer, Literal(len(shape), "i64"))
    fits = Scalar(builder.blocks.call("tm_list_has_rank", arguments, "bool"), dtypes.bool_)
    for axis, size in enumerate(shape):
        one = (FRAME, items.pointer, Literal(axis, "i64"), size_expression(size))
        same = builder.blocks.call("tm_list_fits", one, "bool")
        fits = SCALARS.logical_and(fits, Scalar(same, dtypes.bool_))
    with builder.blocks.block() as otherwise:
        made = builder.blocks.call("tm_list_loosen", (FRAME, items.pointer), "bool")
        builder.blocks.emit(Check(made, NO_MEMORY))
    builder.blocks.emit(Choice(builder.blocks.named(fits), (), tuple(otherwise)))


def concat(builder: Emitter, items: List, dtype: DType, rank: int) -> tuple[Array, Array]:
    """All elements along their first axis, and how long each one was."""
    blocks = builder.blocks
    first = literal(0, dtypes.int64)
    known = known_sizes(items, (-1,) * rank)
    rest = tuple(
        _item_size(builder, items, first, axis) if size is None else size
        for axis, size in enumerate(known) if axis
    )  # fmt: skip
    total = blocks.register("rows", dtypes.int64, first)
    rows = Scalar(total, dtypes.int64)
    long = _lengths(builder, items, rest, total)
    shape: tuple[Size, ...] = (blocks.let(rows + 0, "n"), *rest)
    joined = blocks.temporary(dtype, shape, "joined")
    blocks.emit(Allocate(joined), Set(total, first.expression))

    def copy(k: Scalar) -> None:
        data = blocks.call("tm_list_item_data", (FRAME, items.pointer, k.expression), "ptr")
        own = blocks.let(long[(k,)], "n")
        piece = blocks.pointed(dtype, (own, *rest), "piece")
        blocks.emit(Bind(piece, data))
        start = blocks.let(rows + 0, "at")
        source = builder.stored(piece, dtype, (own, *rest))

        def move(row: Scalar, *others: Scalar) -> None:
            builder.store(joined, (start + row, *others), source[(row, *others)])

        builder.nest((own, *rest), move, parallel=False)
        blocks.emit(Set(total, (rows + own).expression))

    builder.nest(long.shape, copy, parallel=False)
    return builder.stored(joined, dtype, shape), long


def _lengths(builder: Emitter, items: List, rest: tuple[Size, ...], total: Local) -> Array:
    """How long each element is along its first axis; `total` becomes their sum."""
    blocks = builder.blocks
    count = Scalar(blocks.call("tm_list_length", (FRAME, items.pointer), "i64"), dtypes.int64)
    lengths = blocks.temporary(dtypes.int64, (count,), "lengths")
    blocks.emit(Allocate(lengths))

    def measure(k: Scalar) -> None:
        own = size_scalar(item_shape(builder, items, k, (-1, *rest))[0])
        builder.store(lengths, (k,), own)
        blocks.emit(Set(total, (Scalar(total, dtypes.int64) + own).expression))

    builder.nest((count,), measure, parallel=False)
    return builder.stored(lengths, dtypes.int64, (count,))
