"""Matrix products: loops where they are small, OpenBLAS where they are large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ..loops.ir import LONG, Address, Allocate, Buffer, Expression, Literal, NativeCall
from ..loops.matmul import matmul_nest
from .arrays import Array, Size, same_size
from .emitter import Emitter
from .scalars import SCALARS, Scalar, size_expression
from .sizes.shape_builder import ShapeBuilder

# Multiply-adds up to which inlined loops beat the call of a library (measured: bench/).
SMALL = 32_768
_BLAS = (dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)
_HALVES = (dtypes.float16, dtypes.bfloat16)


def matmul(builder: Emitter, a: Array, b: Array, transpose_a: bool, transpose_b: bool) -> Array:
    """`a @ b` over the two innermost axes; leading axes broadcast, half floats use float32."""
    if a.dtype in _HALVES:
        wide = matmul(builder, _cast(builder, a, dtypes.float32),
                      _cast(builder, b, dtypes.float32), transpose_a, transpose_b)  # fmt: skip
        return _cast(builder, wide, a.dtype)
    *batch, m, n = product_shape(builder, a, b, transpose_a, transpose_b)
    k = _sizes(a, transpose_a)[1]
    if isinstance(k, int) and k == 1:
        return _outer_product(builder, a, b, batch, (m, n), transpose_a, transpose_b)
    is_small = _is_small(a.dtype, m, n, k)
    is_one = not (is_small or transpose_a) and _is_product_of_rows(a, b, batch)
    a = builder.broadcast(a, (*batch, *a.shape[-2:]))
    b = b if is_one else builder.broadcast(b, (*batch, *b.shape[-2:]))
    buffers = builder.force(a), builder.force(b)
    out = builder.blocks.temporary(a.dtype, (*batch, m, n))
    builder.blocks.emit(Allocate(out))
    transposed = transpose_a, transpose_b
    if is_small:
        builder.blocks.emit(*matmul_nest(*buffers, out, *transposed))
    elif is_one:
        _library(builder, buffers, out, (), (builder.count((*batch, m)), n, k), transposed, a.dtype)
    else:
        _library(builder, buffers, out, batch, (m, n, k), transposed, a.dtype)
    return builder.stored(out, a.dtype, (*batch, m, n))


def _is_product_of_rows(a: Array, b: Array, batch: Sequence[Size]) -> bool:
    """Whether the rows of all matrices of `a` are those of one, as `b` is one matrix."""
    return (
        all(isinstance(size, int) and size == 1 for size in b.shape[:-2])
        and a.rank == len(batch) + 2
        and all(same_size(one, other) for one, other in zip(a.shape[:-2], batch, strict=True))
    )


def product_shape(
    builder: ShapeBuilder, a: Array, b: Array, transpose_a: bool, transpose_b: bool
) -> tuple[Size, ...]:
    """The shape of the product."""
    rows, columns = _sizes(a, transpose_a)[0], _sizes(b, transpose_b)[1]
    return (*builder.broadcast_shape(a.shape[:-2], b.shape[:-2]), rows, columns)


def _cast(builder: Emitter, x: Array, dtype: DType) -> Array:
    return builder.map(x.shape, dtype, lambda *index: SCALARS.cast(x[index], dtype))


def _sizes(x: Array, transposed: bool) -> tuple[Size, Size]:
    rows, columns = x.shape[-2:]
    return (columns, rows) if transposed else (rows, columns)


def _is_small(dtype: DType, m: Size, n: Size, k: Size) -> bool:
    if dtype not in _BLAS:
        return True
    if not (isinstance(m, int) and isinstance(n, int) and isinstance(k, int)):
        return False
    return m * n * k <= SMALL


def _outer_product(
    builder: Emitter, a: Array, b: Array, batch: Sequence[Size], sizes: tuple[Size, Size],
    transpose_a: bool, transpose_b: bool,
) -> Array:  # fmt: skip
    """A product over one term has no sum: it fuses into whatever uses it."""
    left = builder.broadcast(a, (*batch, *a.shape[-2:]))
    right = builder.broadcast(b, (*batch, *b.shape[-2:]))

    def element(*index: Any) -> Scalar:
        *lead, i, j = index
        row = (*lead, 0, i) if transpose_a else (*lead, i, 0)
        column = (*lead, j, 0) if transpose_b else (*lead, 0, j)
        return left[row] * right[column]

    for operand in (left, right):
        if operand.element is not None and operand.cost:
            builder.force(operand)
    return builder.map((*batch, *sizes), a.dtype, element)


def _library(
    builder: Emitter,
    operands: tuple[Buffer, Buffer],
    out: Buffer,
    batch: Sequence[Size],
    sizes: tuple[Size, Size, Size],
    transposed: tuple[bool, bool],
    dtype: DType,
) -> None:
    """`tm_gemm_*` of native/products.py, once per matrix of the batch."""
    m, n, k = (size_expression(size) for size in sizes)
    adding = False  # loops/passes/added_products.py may change that
    flags: tuple[Expression, ...] = tuple(
        Literal(int(flag), "i64") for flag in (*transposed, adding)
    )
    matrices = size_expression(builder.count(batch))
    a, b = operands
    arguments = (Address(a), Address(b), Address(out), matrices, m, n, k, *flags)
    function = f"tm_gemm_{dtype.short}"
    builder.blocks.emit(NativeCall(function, arguments, None, (a, b), (out,), work=LONG))
