"""Factors and systems of matrices by LAPACK: large ones, complex ones, and those of any sizes.

The functions are those of native/lapack.py; small matrices are loops (elimination.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core import dtypes
from ....core.dtypes import DType
from ...loops.functions import COMPLEX_OF, REAL_PART
from ...loops.ir import LONG, Address, Allocate, Apply, Buffer, Check, Literal, NativeCall
from ...lowered import NO_MEMORY
from ...native.lapack import NO_ROOM, PREFIX
from ..arrays import Array, Size
from ..emitter import Emitter
from ..scalars import SCALARS, Scalar, literal, size_expression
from .elimination import Singular


def qr(builder: Emitter, x: Array, count: Size) -> tuple[Array, Array]:
    *batch, rows, columns = x.shape
    left, right = (
        _memory(builder, x.dtype, (*batch, *shape)) for shape in ((rows, count), (count, columns))
    )
    _call(builder, "qr", x.dtype, batch, [x], [left, right], (rows, columns, count))
    return left, right


def svd(
    builder: Emitter, x: Array, count: Size, high: Size, wide: Size, vectors: bool
) -> tuple[Array, Array, Array]:
    *batch, rows, columns = x.shape
    values = _memory(builder, real_part(x.dtype), (*batch, count))
    left, right = (
        _memory(builder, x.dtype, (*batch, *shape) if vectors else ())
        for shape in ((rows, high), (columns, wide))
    )
    sizes = (rows, columns, high, wide, 1) if vectors else (rows, columns, 0, 0, 0)
    _call(builder, "svd", x.dtype, batch, [x], [values, left, right], sizes)
    return values, left, right


def least_squares(builder: Emitter, matrix: Array, rhs: Array) -> Array:
    *batch, rows, columns = matrix.shape
    found = _memory(builder, rhs.dtype, (*rhs.shape[:-2], columns, rhs.shape[-1]))
    sizes = (rows, columns, rhs.shape[-1])
    _call(builder, "lstsq", rhs.dtype, batch, [matrix, rhs], [found], sizes)
    return found


def eigh(builder: Emitter, x: Array, vectors: bool, wrong: Singular) -> tuple[Array, Array]:
    *batch, size, _ = x.shape
    values = _memory(builder, real_part(x.dtype), (*batch, size))
    columns = _memory(builder, x.dtype, (*batch, size, size) if vectors else ())
    sizes = (size, int(vectors))
    _call(builder, "eigh", x.dtype, batch, [x], [values, columns], sizes, wrong)
    return values, columns


def eig(builder: Emitter, x: Array, vectors: bool, wrong: Singular) -> tuple[Array, Array]:
    *batch, size, _ = x.shape
    pair = complex_of(x.dtype)
    values = _memory(builder, pair, (*batch, size))
    columns = _memory(builder, pair, (*batch, size, size) if vectors else ())
    _call(builder, "eig", x.dtype, batch, [x], [values, columns], (size, int(vectors)), wrong)
    return values, columns


def matrix_function(builder: Emitter, name: str, x: Array) -> Array:
    found = _memory(builder, x.dtype, x.shape)
    _call(builder, name, x.dtype, x.shape[:-2], [x], [found], (x.shape[-1],))
    return found


def lu(builder: Emitter, x: Array, wrong: Singular) -> tuple[Array, Array]:
    *batch, size, _ = x.shape
    packed = _copied(builder, x)
    order = _memory(builder, dtypes.int64, (*batch, size))
    _call(builder, "lu", x.dtype, batch, [], [packed, order], (size,), wrong)
    return packed, order


def cholesky(builder: Emitter, x: Array) -> Array:
    factor = _copied(builder, x)
    _call(builder, "cholesky", x.dtype, x.shape[:-2], [], [factor], (x.shape[-1],))
    return factor


def substitute(builder: Emitter, matrix: Array, rhs: Array, lower: bool, adjoint: bool) -> Array:
    batch = builder.broadcast_shape(matrix.shape[:-2], rhs.shape[:-2])
    matrices = builder.broadcast(matrix, (*batch, *matrix.shape[-2:]))
    found = _copied(builder, builder.broadcast(rhs, (*batch, *rhs.shape[-2:])))
    sizes = (*rhs.shape[-2:], int(lower), int(adjoint))
    _call(builder, "triangular", rhs.dtype, batch, [matrices], [found], sizes)
    return found


def solve(builder: Emitter, matrix: Array, rhs: Array, adjoint: bool, singular: Singular) -> Array:
    found = _memory(builder, rhs.dtype, rhs.shape)
    sizes = (*rhs.shape[-2:], int(adjoint), 1)
    _call(builder, "solve", rhs.dtype, rhs.shape[:-2], [matrix, rhs], [found], sizes, singular)
    return found


def inverse(builder: Emitter, matrix: Array, adjoint: bool, singular: Singular) -> Array:
    found, size = _memory(builder, matrix.dtype, matrix.shape), matrix.shape[-1]
    sizes, batch = (size, size, int(adjoint), 0), matrix.shape[:-2]
    _call(builder, "solve", matrix.dtype, batch, [matrix, matrix], [found], sizes, singular)
    return found


def log_determinant(builder: Emitter, matrix: Array) -> tuple[Array, Array]:
    batch, part = matrix.shape[:-2], real_part(matrix.dtype)
    turns, logarithms = (_memory(builder, one, batch) for one in (matrix.dtype, part))
    _call(
        builder, "slogdet", matrix.dtype, batch, [matrix], [turns, logarithms], (matrix.shape[-1],)
    )
    return turns, logarithms


def determinant(builder: Emitter, matrix: Array) -> Array:
    turns, logarithms = log_determinant(builder, matrix)

    def product(*index: Any) -> Scalar:
        turn, size = turns[index], SCALARS.exp(logarithms[index])
        if not matrix.dtype.is_complex:
            return turn * size
        return SCALARS.complex(SCALARS.real(turn) * size, SCALARS.imag(turn) * size)

    return builder.map(matrix.shape[:-2], matrix.dtype, product)


def complex_of(dtype: DType) -> DType:
    return dtypes.BY_SHORT[COMPLEX_OF.get(dtype.short, dtype.short)]


def real_part(dtype: DType) -> DType:
    return dtypes.BY_SHORT[REAL_PART.get(dtype.short, dtype.short)]


def _memory(builder: Emitter, dtype: DType, shape: Sequence[Size]) -> Array:
    buffer = builder.blocks.temporary(dtype, tuple(shape), "factor")
    builder.blocks.emit(Allocate(buffer))
    return builder.stored(buffer, dtype, shape)


def _copied(builder: Emitter, x: Array) -> Array:
    copy = _memory(builder, x.dtype, x.shape)
    builder.fill(_buffer(copy), x)
    return copy


def _buffer(x: Array) -> Buffer:
    assert x.buffer is not None
    return x.buffer


def _call(
    builder: Emitter, what: str, dtype: DType, batch: Sequence[Size], taken: Sequence[Array],
    given: Sequence[Array], sizes: Sequence[Size], wrong: Singular | None = None,
) -> None:  # fmt: skip
    reads, writes = [builder.force(one) for one in taken], [_buffer(one) for one in given]
    numbers = [size_expression(one) for one in (builder.count(batch), *sizes)]
    outcome = builder.blocks.variable("outcome", "i64")
    arguments = (*map(Address, [*reads, *writes]), *numbers)
    name = f"{PREFIX}{what}_{dtype.short}"
    call = NativeCall(name, arguments, outcome, tuple(reads), tuple(writes), work=LONG)
    has_room = Apply("ne", (outcome, Literal(NO_ROOM, "i64")), "bool")
    builder.blocks.emit(call, Check(has_room, NO_MEMORY))
    if wrong is not None:
        builder.check(Scalar(outcome, dtypes.int64) == literal(0, dtypes.int64), *wrong)
