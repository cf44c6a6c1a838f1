"""Loops that combine elements: reductions, running sums, scatters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce as fold
from math import prod
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...errors import InvalidArgumentError
from ...ops.lowering import Extremum, ReduceWith, ScanWith, ScatterWith
from ..loops.costs import LOOP_WORK
from ..loops.functions import cost_of
from ..loops.ir import Allocate, Buffer, For, Load, Local, Set
from .arrays import Array, Size
from .emitter import Emitter
from .scalars import SCALARS, Scalar, literal, size_expression

_SHORT = 8  # numbers of a row that fills no vector
_HALVES = (dtypes.float16, dtypes.bfloat16)


def reduce(
    builder: Emitter,
    kind: ReduceWith,
    shape: tuple[Size, ...],
    extents: tuple[Size, ...],
    dtype: DType,
    element: Callable[..., Scalar],
    few: bool = False,
) -> Array:
    """One accumulator per element of the result; half floats add up in float32. The order of `few`
    terms is kept, or LLVM makes vectors of them, which they do not fill.
    """
    wide = dtypes.float32 if dtype in _HALVES and kind in ("sum", "prod") else dtype
    short = _short(builder, shape, extents, element)

    def total(outer: Sequence[Any]) -> Scalar:
        if short:
            values = [
                builder.blocks.let(SCALARS.cast(element(outer, place), wide))
                for place in np.ndindex(*short)
            ]
            return SCALARS.cast(fold(lambda a, b: _combine(kind, a, b), values), dtype)
        register = builder.blocks.register("acc", wide, _identity(kind, wide))
        so_far = Scalar(register, wide)

        def body(*inner: Any) -> None:
            value = SCALARS.cast(element(outer, inner), wide)
            combined = builder.blocks.named(_combine(kind, so_far, value))
            builder.blocks.emit(Set(register, combined))

        _accumulating_nest(builder, extents, body, not few and kind in ("sum", "prod"))
        return SCALARS.cast(so_far, dtype)

    if not shape:
        return builder.scalar(total(()))
    buffer = builder.blocks.temporary(dtype, shape)
    builder.blocks.emit(Allocate(buffer))
    builder.nest(shape, lambda *outer: builder.store(buffer, outer, total(outer)))
    return builder.stored(buffer, dtype, shape)


def _short(
    builder: Emitter, shape: Sequence[Size], extents: Sequence[Size], element: Callable[..., Scalar]
) -> list[int]:
    """The extents, where few dear numbers are reduced: written out, vectors have a row in each
    lane, where loops would fill vectors with one short row.
    """
    known = [one for one in extents if isinstance(one, int)]
    if not shape or len(known) < len(extents) or not 1 < prod(known) <= _SHORT:
        return []

    def pulled(*index: Any) -> Scalar:
        return element(index[: len(shape)], index[len(shape) :])

    touched = _pulled(builder, (*shape, *extents), pulled)
    dearest = max((one.cost for one in touched if one.element is not None), default=0)
    return known if cost_of("exp") <= dearest <= LOOP_WORK // prod(known) else []


def _accumulating_nest(
    builder: Emitter, extents: tuple[Size, ...], body: Callable[..., None], regroup: bool
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


def _identity(kind: ReduceWith, dtype: DType) -> Scalar:
    match kind:
        case "sum":
            return literal(0, dtype)
        case "prod":
            return literal(1, dtype)
        case "any":
            return literal(False, dtype)
        case "all":
            return literal(True, dtype)
        case "min" | "max":
            return literal(_worst(dtype, kind), dtype)


def _worst(dtype: DType, kind: Extremum) -> Any:
    highest = kind == "min"
    if dtype.is_floating:
        return float("inf") if highest else float("-inf")
    return dtype.max if highest else dtype.min


def _combine(kind: ReduceWith | ScatterWith, so_far: Scalar, value: Scalar) -> Scalar:
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


def arg_reduce(builder: Emitter, kind: Extremum, x: Array, axis: int, dtype: DType) -> Array:
    """The first index of the largest or smallest element along `axis`; a NaN is the worst one.

    That element first, then the smallest index where it is: two reductions, which LLVM vectorises.
    """
    if x.dtype.is_floating:
        x = _ordered(builder, kind, x)
    size = x.shape[axis]
    builder.check(
        literal(True, dtypes.bool_) if isinstance(size, int) and size > 0 else _positive(size),
        InvalidArgumentError,
        "Reduction axis {} is empty in shape of the input",
        axis,
    )
    builder.settle(x, 2)
    shape = x.shape[:axis] + x.shape[axis + 1 :]

    def at(outer: Sequence[Any], place: Any) -> Scalar:
        return x[(*outer[:axis], place, *outer[axis:])]

    def element(outer: Sequence[Any], inner: Sequence[Any]) -> Scalar:
        return at(outer, inner[0])

    best = reduce(builder, kind, shape, (size,), x.dtype, element)
    behind = literal(np.iinfo(np.int64).max, dtypes.int64)

    def place(outer: Sequence[Any], inner: Sequence[Any]) -> Scalar:
        return SCALARS.where(at(outer, inner[0]) == best[outer], inner[0], behind)

    first = reduce(builder, "min", shape, (size,), dtypes.int64, place)
    return builder.map(shape, dtype, lambda *outer: SCALARS.cast(first[outer], dtype))


def _ordered(builder: Emitter, kind: Extremum, x: Array) -> Array:
    """Integers in the order of these floats: LLVM divides a maximum of integers among lanes even
    where some elements, here NaNs, are replaced by the worst one.
    """
    wide = dtypes.float64 if x.dtype is dtypes.float64 else dtypes.float32
    whole = dtypes.int64 if wide is dtypes.float64 else dtypes.int32
    sign, rest = literal(8 * whole.size - 1, whole), literal(whole.max, whole)
    worst = np.array(_worst(wide, kind), wide.storage).view(whole.storage)[()]
    if kind == "max":
        worst ^= whole.max  # it is negative

    def element(*index: Any) -> Scalar:
        value = SCALARS.cast(x[index], wide) + literal(0.0, wide)  # -0.0 is 0.0
        bits = SCALARS.bitcast(value, whole)
        key = bits ^ ((bits >> sign) & rest)
        return SCALARS.where(SCALARS.is_nan(value), literal(worst, whole), key)

    return builder.map(x.shape, whole, element)


def _positive(size: Size) -> Scalar:
    return size > 0 if isinstance(size, Scalar) else literal(size > 0, dtypes.bool_)


def scan(
    builder: Emitter, kind: ScanWith, x: Array, axis: int, exclusive: bool, reverse: bool
) -> Array:
    """Running `sum` or `prod` along `axis`, from its end where `reverse`."""
    buffer = builder.blocks.temporary(x.dtype, x.shape)
    builder.blocks.emit(Allocate(buffer))
    rule = _scan_by_rows if axis < x.rank - 1 else _scan_each_row
    rule(builder, kind, x, axis, exclusive, reverse, buffer)
    return builder.stored(buffer, x.dtype, x.shape)


def _scan_each_row(
    builder: Emitter,
    kind: ScanWith,
    x: Array,
    axis: int,
    exclusive: bool,
    reverse: bool,
    buffer: Buffer,
) -> None:
    """Along the last axis: a register holds the running value. What is dear is computed before: for
    many elements at once, as a running value never is.
    """
    if x.element is not None and x.cost >= cost_of("exp"):
        builder.force(x)
    blocks, size = builder.blocks, x.shape[axis]

    def row(*outer: Any) -> None:
        register = blocks.register("acc", x.dtype, _identity(kind, x.dtype))
        so_far = Scalar(register, x.dtype)
        variable, step = blocks.index("r")
        with blocks.block() as statements:
            place: Any = size - 1 - step if reverse else step
            index = (*outer, place)
            value = blocks.let(x[index])
            if exclusive:
                builder.store(buffer, index, so_far)
            blocks.emit(Set(register, blocks.named(_combine(kind, so_far, value))))
            if not exclusive:
                builder.store(buffer, index, so_far)
        blocks.emit(For(variable, size_expression(size), tuple(statements)))

    builder.nest(x.shape[:axis], row)


def _scan_by_rows(
    builder: Emitter,
    kind: ScanWith,
    x: Array,
    axis: int,
    exclusive: bool,
    reverse: bool,
    buffer: Buffer,
) -> None:
    """Along another axis: each row is made of the one before it, many elements at once."""
    blocks, size, inner = builder.blocks, x.shape[axis], x.shape[axis + 1 :]
    done = builder.stored(buffer, x.dtype, x.shape)

    def rows(*outer: Any) -> None:
        def place(step: Any) -> Any:
            return size - 1 - step if reverse else step

        def first(step: Scalar, *rest: Any) -> None:
            index = (*outer, place(step), *rest)
            builder.store(buffer, index, _identity(kind, x.dtype) if exclusive else x[index])

        def later(step: Scalar, *rest: Any) -> None:
            before, here = (*outer, place(step), *rest), (*outer, place(step + 1), *rest)
            value = x[before if exclusive else here]
            builder.store(buffer, here, _combine(kind, done[before], value))

        some = min(size, 1) if isinstance(size, int) else SCALARS.where(size > 0, _ONE, _ZERO)
        builder.nest((blocks.let_size(some), *inner), first, parallel=False)
        builder.nest((blocks.let_size(size - some), *inner), later, parallel=False)

    builder.nest(x.shape[:axis], rows)


_ZERO, _ONE = literal(0, dtypes.int64), literal(1, dtypes.int64)


def scatter(
    builder: Emitter,
    kind: ScatterWith,
    target: Array,
    extents: tuple[Size, ...],
    position: Callable[..., Sequence[Any]],
    value: Callable[..., Scalar],
    where: Callable[..., Scalar] | None = None,
) -> Array:
    """A copy of `target` with values combined in, one after the other.

    The copy is made when somebody wants it (`finish_scatter`): written back to the variable that
    `target` is, the values go there directly.
    """
    changed = target.alias()

    def combine(into: Array) -> None:
        scatter_into(builder, kind, into, extents, position, value, where)

    changed.pending = combine
    rules = [rule for rule in (position, value, where) if rule is not None]
    changed.sources = sum((_pulled(builder, extents, rule) for rule in rules), ())
    return changed


def _pulled(
    builder: Emitter, extents: tuple[Size, ...], rule: Callable[..., Any]
) -> tuple[Array, ...]:
    """The arrays that a rule pulls from; what it emits (checks) is not wanted yet."""
    indices = [builder.blocks.index()[1] for _ in extents]
    failures = builder.blocks.failures
    before = len(failures)
    with builder.blocks.block():
        _, touched = builder.probe.watch(rule, indices)
    del failures[before:]
    return tuple(array for array, _ in touched)


def finish_scatter(builder: Emitter, array: Array) -> None:
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
    builder: Emitter,
    kind: ScatterWith,
    target: Array,
    extents: tuple[Size, ...],
    position: Callable[..., Sequence[Any]],
    value: Callable[..., Scalar],
    where: Callable[..., Scalar] | None = None,
) -> None:
    """Combine values into the buffer of `target`, in the order of `extents`."""
    assert target.buffer is not None
    buffer = target.buffer

    def body(*index: Any) -> None:
        place = [_named_index(builder, one) for one in position(*index)]
        old = Scalar(Load(buffer, tuple(size_expression(one) for one in place)), target.dtype)
        new = _combine(kind, old, value(*index))
        kept = new if where is None else SCALARS.where(where(*index), new, old)
        builder.store(buffer, place, kept)

    builder.nest(extents, body, parallel=False)


def _named_index(builder: Emitter, index: Any) -> Any:
    if not isinstance(index, Scalar) or isinstance(index.expression, Local):
        return index
    return builder.blocks.let(SCALARS.cast(index, dtypes.int64), "at")
