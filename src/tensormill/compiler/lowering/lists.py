"""TensorArrays as native lists: growable memory with elements of one shape in a row.

The functions called `tm_list_*` are in native/lists. A list is
changed in place where nobody needs its old value afterwards, and copied first otherwise. Where the
trace does not know the whole shape of its elements, they may turn out to differ:
lowering/ragged.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ...core.shapes import TensorShape
from ...core.specs import ListSpec, TensorSpec
from ...errors import InvalidArgumentError
from ...ops.lowering import NotStatic
from ..loops.ir import (
    FRAME,
    Apply,
    Bind,
    Check,
    Expression,
    Literal,
    Local,
    NativeCall,
    Statement,
)
from ..loops.walk import every_statement
from ..lowered import NO_MEMORY
from . import ragged, reshaping, state
from .arrays import Array, Size, same_size
from .blocks import Blocks
from .emitter import Emitter
from .scalars import SCALARS, Scalar, size_expression, size_scalar
from .values import NULL, List


def reserve(
    builder: Emitter, count: Size, dtype: DType, element_shape: Sequence[Size] | None
) -> List:
    """A list of `count` unwritten elements; their shape may be given later, by the first one."""
    spec = spec_of(dtype, element_shape)
    pointer = builder.blocks.variable("list", "ptr")
    arguments = (FRAME, size_expression(count), Literal(dtype.size, "i64"))
    builder.blocks.emit(NativeCall("tm_list_new", arguments, pointer))
    _must_exist(builder, pointer)
    if element_shape is not None and all(_is_known(size) for size in element_shape):
        _set_shape(builder, pointer, tuple(element_shape), ragged.is_stated(builder, element_shape))
    return List(pointer, spec, is_unwritten=True)


def spec_of(dtype: DType, element_shape: Sequence[Size] | None) -> ListSpec:
    """What is known of a list with such elements."""
    if dtype.stays_in_python:
        raise NotStatic(f"tensors of {dtype.name} stay in Python")
    return ListSpec(TensorSpec(_static_shape(element_shape), dtype))


def _is_known(size: Size) -> bool:
    return isinstance(size, Scalar) or size >= 0


def _static_shape(shape: Sequence[Size] | None) -> list[int | None] | None:
    if shape is None:
        return None
    return [size if isinstance(size, int) and size >= 0 else None for size in shape]


def _set_shape(
    builder: Emitter, pointer: Expression, shape: tuple[Size, ...], is_stated: Scalar | None = None
) -> None:
    """Fix the shape of the elements, unless it is fixed already; it must be this one.

    Where `is_stated` is false the shape stays open: a size is -1.
    """
    ragged.check_rank(shape)
    for axis, size in enumerate(shape):
        arguments = (FRAME, pointer, Literal(axis, "i64"), size_expression(size))
        fits = Scalar(builder.blocks.call("tm_list_fits", arguments, "bool"), dtypes.bool_)
        builder.check(
            fits, InvalidArgumentError,
            "Incompatible shape for value: axis {} of the element has size {}, but the elements "
            "already in the TensorArray differ", axis, size,
        )  # fmt: skip
    count = state.memory_count(builder, shape)
    if is_stated is not None:
        count = builder.scalars.where(is_stated, size_scalar(count), size_scalar(-1))
    arguments = (FRAME, pointer, size_expression(count), Literal(len(shape), "i64"))
    made = builder.blocks.call("tm_list_shaped", arguments, "bool")
    builder.blocks.emit(Check(made, NO_MEMORY))


def _must_exist(builder: Emitter, pointer: Expression) -> None:
    exists = Apply("ne", (pointer, NULL), "bool")
    builder.blocks.emit(Check(exists, NO_MEMORY))


def from_array(builder: Emitter, x: Array) -> List:
    items = reserve(builder, x.shape[0], x.dtype, x.shape[1:])
    data = builder.blocks.call("tm_list_data", (FRAME, items.pointer), "ptr")
    memory = builder.blocks.pointed(x.dtype, x.shape, "items")
    builder.blocks.emit(Bind(memory, data))
    builder.fill(memory, x)
    builder.blocks.emit(NativeCall("tm_list_all_written", (FRAME, items.pointer)))
    return with_element(builder.blocks, items, x.shape[1:])


def with_element(blocks: Blocks, items: List, shape: Sequence[Size]) -> List:
    """What is known of a list in which an element of this shape was written."""
    lasting = all(blocks.is_lasting(size) for size in shape)
    agree = items.is_unwritten or same_sizes(items.sizes, tuple(shape))
    return List(items.pointer, items.spec, tuple(shape) if lasting and agree else None)


def either(a: List, b: List) -> List:
    """What is known of a list that is `a` or `b`."""
    if b.is_unwritten:
        return a
    if a.is_unwritten:
        return b
    return a if same_sizes(a.element_sizes, b.element_sizes) else replace(a, sizes=None)


def same_sizes(a: tuple[Size, ...] | None, b: tuple[Size, ...] | None) -> bool:
    """Whether two shapes are known, and known to be the same."""
    if a is None or b is None or len(a) != len(b):
        return False
    return all(same_size(x, y) for x, y in zip(a, b, strict=True))


def length(builder: Emitter, items: List) -> Scalar:
    count = builder.blocks.call("tm_list_length", (FRAME, items.pointer), "i64")
    return Scalar(count, dtypes.int64)


def of_rank(items: List, rank: int) -> List:
    element = items.spec.element
    known = element.shape.merge_with(TensorShape((None,) * rank))
    return replace(items, spec=ListSpec(TensorSpec(known, element.dtype)))


def stated_sizes(items: List, stated: Sequence[Size] | None) -> Sequence[Size]:
    """What is stated; where nothing is, that no size is known."""
    return (-1,) * len(items.spec.element.shape.as_tuple()) if stated is None else stated


def get(
    builder: Emitter,
    items: List,
    index: Scalar,
    dtype: DType,
    element_shape: Sequence[Size] | None,
) -> Array:
    """One element, where it lies, or a copy where elements may differ in shape."""
    place = builder.blocks.let(builder.scalars.cast(index, dtypes.int64), "at")
    if element_shape is None:
        told = builder.blocks.call(
            "tm_list_has_size", (FRAME, items.pointer, place.expression), "bool"
        )
        builder.check(Scalar(told, dtypes.bool_), InvalidArgumentError, ragged.UNKNOWN_SHAPE)
        element_shape = stated_sizes(items, None)
    if items.is_strict:
        shape = _settle_element_shape(builder, items, element_shape)
        arguments = (FRAME, items.pointer, place.expression)
        data = builder.blocks.call("tm_list_item", arguments, "ptr")
    else:
        shape = ragged.item_shape(builder, items, place, element_shape)
        data = ragged.item(builder, items, place, shape)
    item = _memory(builder, data, dtype, shape)
    if not shape:
        return builder.scalar(item[()])
    return _seen(builder, items, item)


def _seen(builder: Emitter, items: List, array: Array) -> Array:
    """An array in the memory of a list: whoever changes the list sees to it (`writable`).

    A list that may become ragged, or one row again, moves its elements when it is read, too.
    """
    array.look_at({builder.memory_of(items.pointer): True})
    if not items.is_strict:
        state.store_copy(builder, array)
    return array


def _memory(builder: Emitter, data: Local, dtype: DType, shape: tuple[Size, ...]) -> Array:
    memory = builder.blocks.pointed(dtype, shape, "slot")
    builder.blocks.emit(Bind(memory, data))
    return builder.stored(memory, dtype, shape)


def _settle_element_shape(
    builder: Emitter, items: List, stated: Sequence[Size]
) -> tuple[Size, ...]:
    """The shape of all elements: as stated, else that of the elements that were written."""
    if not items.is_strict:
        ragged.tighten(builder, items)
    known = ragged.known_sizes(items, stated)
    shape = tuple(
        ragged.stated_or(builder, size, partial(_written_size, builder, items, axis))
        for axis, size in enumerate(known)
    )
    _set_shape(builder, items.pointer, shape)
    return shape


def _written_size(builder: Emitter, items: List, axis: int, is_stated: Scalar) -> Scalar:
    """The size that some element has, where none is stated; 0 in a list without elements."""
    known = builder.blocks.call("tm_list_rank_known", (FRAME, items.pointer), "bool")
    shaped, empty = Scalar(known, dtypes.bool_), length(builder, items) == 0
    either_is = builder.scalars.logical_or
    fits = either_is(is_stated, either_is(shaped, empty))
    builder.check(fits, InvalidArgumentError, ragged.UNKNOWN_SHAPE)
    arguments = (FRAME, items.pointer, Literal(axis, "i64"))
    return Scalar(builder.blocks.call("tm_list_size", arguments, "i64"), dtypes.int64)


def put(builder: Emitter, items: List, index: Scalar, value: Array) -> List:
    """Write one element; an index behind the end makes the list longer (demands refuse others)."""
    place = builder.blocks.let(builder.scalars.cast(index, dtypes.int64), "at")
    return _store(builder, writable(builder, items), place, value, adding=False)


def add(builder: Emitter, items: List, index: Scalar, value: Array) -> List:
    """Add to one element."""
    place = builder.blocks.let(builder.scalars.cast(index, dtypes.int64), "at")
    return _store(builder, writable(builder, items), place, value, adding=True)


def push(builder: Emitter, items: List, value: Array) -> List:
    items = writable(builder, items)
    return _store(builder, items, length(builder, items), value, adding=False)


def _store(builder: Emitter, items: List, place: Scalar, value: Array, adding: bool) -> List:
    shape = tuple(builder.blocks.let_size(size) for size in value.shape)
    if builder.memory_of(items.pointer) in value.reads:
        state.store_copy(builder, value)  # before the list moves
    if adding:  # unwritten ones are zeros
        last = SCALARS.maximum(length(builder, items), place + 1)
        items = resize(builder, items, last)
    if items.is_strict:
        _set_shape(builder, items.pointer, shape)
        arguments = (FRAME, items.pointer, place.expression)
        data = builder.blocks.call("tm_list_slot", arguments, "ptr")
        _must_exist(builder, data)
    else:
        if adding:
            ragged.check_item(builder, items, place, shape)
        data = ragged.item(builder, items, place, shape)
    slot = _memory(builder, data, value.dtype, shape)
    assert slot.buffer is not None
    if adding:
        total = builder.map(shape, value.dtype, lambda *index: slot[index] + value[index])
        builder.fill(slot.buffer, total)
    else:
        builder.fill(slot.buffer, value)
    return with_element(builder.blocks, items, shape)


def pop(
    builder: Emitter, items: List, dtype: DType, element_shape: Sequence[Size] | None
) -> tuple[List, Array]:
    items = writable(builder, items)
    last = builder.blocks.let(length(builder, items) - 1, "at")
    value = get(builder, items, last, dtype, element_shape)
    builder.blocks.emit(NativeCall("tm_list_truncate", (FRAME, items.pointer, last.expression)))
    return items, value


def resize(builder: Emitter, items: List, count: Size) -> List:
    items = writable(builder, items)
    arguments = (FRAME, items.pointer, size_expression(count))
    made = builder.blocks.call("tm_list_resize", arguments, "bool")
    builder.blocks.emit(Check(made, NO_MEMORY))
    return items


def stack(
    builder: Emitter, items: List, dtype: DType, element_shape: Sequence[Size] | None
) -> Array:
    """All elements along a new first axis; unwritten ones are zeros."""
    if element_shape is None:
        _check_shape_told(builder, items)
    found = _settle_element_shape(builder, items, stated_sizes(items, element_shape))
    sizes: tuple[Size, ...] = (length(builder, items), *found)
    data = builder.blocks.call("tm_list_data", (FRAME, items.pointer), "ptr")
    return _seen(builder, items, _memory(builder, data, dtype, sizes))


def _check_shape_told(builder: Emitter, items: List) -> None:
    """Where nothing states the shape of elements, some element that was written does."""
    told = builder.blocks.call("tm_list_rank_known", (FRAME, items.pointer), "bool")
    builder.check(Scalar(told, dtypes.bool_), InvalidArgumentError, ragged.UNKNOWN_SHAPE)


def concat(builder: Emitter, items: List, dtype: DType, rank: int) -> tuple[Array, Array]:
    """All elements along their first axis, and how long each one was."""
    if not items.is_strict:
        return ragged.concat(builder, items, dtype, rank)
    joined = stack(builder, items, dtype, (-1,) * rank)
    count, rows, *rest = joined.shape
    lengths = builder.view((count,), dtypes.int64, lambda *_: size_scalar(rows))
    return reshaping.reshape(builder, joined, (builder.count((count, rows)), *rest)), lengths


def writable(builder: Emitter, items: List) -> List:
    """`items` itself, or a copy where its old value is still needed.

    What was read of it and is still needed gets memory of its own.
    """
    if builder.live.needs(items):
        return copied(builder, items)
    state.protect(builder, builder.memory_of(items.pointer))
    return items


def distinct(builder: Emitter, values: Sequence[Any], others: Sequence[Any] = ()) -> list[Any]:
    """`values` with a list of its own for each list among them, and none that others need."""
    seen = {id(value.pointer) for value in others if isinstance(value, List)}
    result: list[Any] = []
    for value in values:
        if isinstance(value, List):
            value = (
                copied(builder, value) if id(value.pointer) in seen else writable(builder, value)
            )
            seen.add(id(value.pointer))
        result.append(value)
    return result


def copied(builder: Emitter, items: List) -> List:
    copy = builder.blocks.call("tm_list_copy", (FRAME, items.pointer), "ptr")
    _must_exist(builder, copy)
    return replace(items, pointer=copy)


def makes_lists(statements: Sequence[Statement]) -> bool:
    """Whether statements, or those inside of them, make new lists."""
    return any(
        isinstance(one, NativeCall) and one.function in ("tm_list_new", "tm_list_copy")
        for one in every_statement(tuple(statements))
    )
