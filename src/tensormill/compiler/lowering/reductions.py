"""Loops that combine elements: reductions, running sums, scatters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import InvalidArgumentError
from ..loops.ir import Allocate, For, Load, Set, Variable
from .arrays import Array, Size
from .scalars import SCALARS, Scalar, literal, size_expression

if TYPE_CHECKING:
    from .builder import Builder

_HALVES = (dtypes.float16, dtypes.bfloat16)


def reduce(
    builder: Builder,
    kind: str,
    shape: tuple[Size, ...],
    extents: tuple[Size, ...],
    dtype: DType,
    element: Callable[..., Scalar],
) -> Array:
    """One accumulator per element of the result; half floats add up in float32."""
    wide = dtypes.float32 if dtype in _HALVES and kind in ("sum", "prod") else dtype

    def total(outer: Sequence[Any]) -> Scalar:
        register = builder.blocks.register("acc", wide, _identity(kind, wide))
        so_far = Scalar(register, wide)

        def body(*inner: Any) -> None:
            value = SCALARS.cast(element(outer, inner), wide)
            combined = builder.blocks.named(_combine(kind, so_far, value))
            builder.blocks.emit(Set(register, combined))

        _accumulating_nest(builder, extents, body, kind in ("sum", "prod"))
        return SCALARS.cast(so_far, dtype)

    if not shape:
        return builder.scalar(total(()))
    buffer = builder.blocks.temporary(dtype, shape)
    builder.blocks.emit(Allocate(buffer))
    builder.nest(shape, lambda *outer: builder.store(buffer, outer, total(outer)))
    return builder.stored(buffer, dtype, shape)


def _accumulating_nest(
    builder: Builder, extents: tuple[Size, ...], body: Callable[..., None], regroup: bool
) -> None:
    def level(done: tuple[Scalar, ...]) -> None:
        if len(done) == len(extents):
            body(*done)
            return
        variable, index = builder.blocks.index("r")
        with builder.blocks.block() as statements:
            level((*done, index))
        extent = size_expression(extents[len(done)])
        builder.blocks.emit(For(variable, extent, tuple(statements), reassociate=regroup))

    level(())


def _identity(kind: str, dtype: DType) -> Scalar:
    match kind:
        case "sum":
            return literal(0, dtype)
        case "prod":
            return literal(1, dtype)
        case "any":
            return literal(False, dtype)
        case "all":
            return literal(True, dtype)
        case _:
            return literal(_extreme(dtype, kind == "min"), dtype)


def _extreme(dtype: DType, highest: bool) -> Any:
    if dtype.is_floating:
        return float("inf") if highest else float("-inf")
    return dtype.max if highest else dtype.min


def _combine(kind: str, so_far: Scalar, value: Scalar) -> Scalar:
    match kind:
        case "sum" | "add":
            return so_far + value
        case "prod" | "mul":
            return so_far * value
        case "sub":
            return so_far - value
        case "max":
            return SCALARS.maximum(so_far, value)
        case "min":
            return SCALARS.minimum(so_far, value)
        case "any":
            return so_far | value
        case "all":
            return so_far & value
        case "set":
            return value
        case _:
            raise ValueError(f"no reduction is called '{kind}'")


def arg_reduce(builder: Builder, kind: str, x: Array, axis: int, dtype: DType) -> Array:
    """The first index of the largest or smallest element along `axis`."""
    size = x.shape[axis]
    builder.check(
        literal(True, dtypes.bool_) if isinstance(size, int) and size > 0 else _positive(size),
        InvalidArgumentError,
        "Reduction axis {} is empty in shape of the input",
        axis,
    )
    builder.force(x)
    blocks = builder.blocks

    def best(outer: Sequence[Any]) -> Scalar:
        def at(place: Any) -> Scalar:
            return x[(*outer[:axis], place, *outer[axis:])]

        value = blocks.register("best", x.dtype, at(0))
        where = blocks.register("where", dtypes.int64, literal(0, dtypes.int64))
        variable, index = blocks.index("r")
        with blocks.block() as statements:
            candidate = blocks.let(at(index))
            so_far = Scalar(value, x.dtype)
            better = blocks.let(candidate > so_far if kind == "max" else candidate < so_far)
            chosen = SCALARS.where(better, index, Scalar(where, dtypes.int64))
            blocks.emit(Set(where, blocks.named(chosen)))
            blocks.emit(Set(value, blocks.named(SCALARS.where(better, candidate, so_far))))
        blocks.emit(For(variable, size_expression(size), tuple(statements)))
        return SCALARS.cast(Scalar(where, dtypes.int64), dtype)

    shape = x.shape[:axis] + x.shape[axis + 1 :]
    if not shape:
        return builder.scalar(best(()))
    buffer = blocks.temporary(dtype, shape)
    blocks.emit(Allocate(buffer))
    builder.nest(shape, lambda *outer: builder.store(buffer, outer, best(outer)))
    return builder.stored(buffer, dtype, shape)


def _positive(size: Size) -> Scalar:
    return size > 0 if isinstance(size, Scalar) else literal(size > 0, dtypes.bool_)


def scan(builder: Builder, kind: str, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
    """Running `sum` or `prod` along `axis`, from its end where `reverse`."""
    blocks, size = builder.blocks, x.shape[axis]
    buffer = blocks.temporary(x.dtype, x.shape)
    blocks.emit(Allocate(buffer))

    def row(*outer: Any) -> None:
        register = blocks.register("acc", x.dtype, _identity(kind, x.dtype))
        so_far = Scalar(register, x.dtype)
        variable, step = blocks.index("r")
        with blocks.block() as statements:
            place: Any = size - 1 - step if reverse else step
            index = (*outer[:axis], place, *outer[axis:])
            value = blocks.let(x[index])
            if exclusive:
                builder.store(buffer, index, so_far)
            blocks.emit(Set(register, blocks.named(_combine(kind, so_far, value))))
            if not exclusive:
                builder.store(buffer, index, so_far)
        blocks.emit(For(variable, size_expression(size), tuple(statements)))

    builder.nest(x.shape[:axis] + x.shape[axis + 1 :], row)
    return builder.stored(buffer, x.dtype, x.shape)


def scatter(
    builder: Builder,
    kind: str,
    target: Array,
    extents: tuple[Size, ...],
    position: Callable[..., Sequence[Any]],
    value: Callable[..., Scalar],
) -> Array:
    """A copy of `target` with values combined in, one after the other.

    The copy is made when somebody wants it (`finish_scatter`): written back to the variable that
    `target` is, the values go there directly.
    """
    changed = target.alias()

    def combine(into: Array) -> None:
        scatter_into(builder, kind, into, extents, position, value)

    changed.pending = combine
    changed.sources = _pulled(builder, extents, position) + _pulled(builder, extents, value)
    return changed


def _pulled(
    builder: Builder, extents: tuple[Size, ...], rule: Callable[..., Any]
) -> tuple[Array, ...]:
    """The arrays that a rule pulls from; what it emits (checks) is not wanted yet."""
    indices = [builder.blocks.index()[1] for _ in extents]
    failures = builder.blocks.failures
    before = len(failures)
    with builder.blocks.block():
        _, touched = builder.probe.watch(rule, indices)
    del failures[before:]
    return tuple(array for array, _ in touched)


def finish_scatter(builder: Builder, array: Array) -> None:
    """Give a scattered array memory of its own, and its values."""
    combine, array.pending = array.pending, None
    if combine is None:
        return
    buffer = builder.blocks.temporary(array.dtype, array.shape)
    builder.blocks.emit(Allocate(buffer))
    builder.fill(buffer, array)
    array.become_stored(buffer)
    combine(array)


def scatter_into(
    builder: Builder,
    kind: str,
    target: Array,
    extents: tuple[Size, ...],
    position: Callable[..., Sequence[Any]],
    value: Callable[..., Scalar],
) -> None:
    """Combine values into the buffer of `target`, in the order of `extents`."""
    assert target.buffer is not None
    buffer = target.buffer

    def body(*index: Any) -> None:
        place = [_named_index(builder, one) for one in position(*index)]
        old = Scalar(Load(buffer, tuple(size_expression(one) for one in place)), target.dtype)
        builder.store(buffer, place, _combine(kind, old, value(*index)))

    builder.nest(extents, body, parallel=False)


def _named_index(builder: Builder, index: Any) -> Any:
    if not isinstance(index, Scalar) or isinstance(index.expression, Variable):
        return index
    return builder.blocks.let(SCALARS.cast(index, dtypes.int64), "at")
