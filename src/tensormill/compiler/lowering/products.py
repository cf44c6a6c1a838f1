"""Matrix products: loops where they are small, OpenBLAS where they are large."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final

from ...core import dtypes
from ...core.dtypes import DType
from ..loops.ir import LONG, Address, Allocate, Buffer, Expression, Literal, NativeCall
from ..loops.matmul import matmul_nest
from ..native.products import LEAST, TOGETHER
from .arrays import Array, Size, same_size
from .emitter import Emitter
from .scalars import SCALARS, Scalar, size_expression
from .sizes.shape_builder import ShapeBuilder

# Multiply-adds up to which inlined loops beat the call of a library (measured: bench/).
SMALL = 32_768
# Terms of sums that are written out where a library would be called for them (measured: bench/): of
# rows of one matrix, which then is read along its rows, and of others.
FEW_TERMS: Final = 16
FEW_ANYWHERE: Final = 4
_USUAL: Final = 128  # what a size is taken for that is not known
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
    is_small = _is_small(a.dtype, m, n, k)
    is_one = not (is_small or transpose_a) and _is_product_of_rows(a, b, batch)
    most = 1 if is_small else FEW_TERMS if is_one and not transpose_b else FEW_ANYWHERE
    if isinstance(k, int) and 0 < k <= most:
        found = _few_terms(builder, a, b, (*batch, m, n), k, transpose_a, transpose_b)
        if k > FEW_ANYWHERE:
            builder.force(found)  # several may read it
        return found
    a = builder.broadcast(a, (*batch, *a.shape[-2:]))
    b = b if is_one else builder.broadcast(b, (*batch, *b.shape[-2:]))
    buffers = builder.force(a), builder.force(b)
    out = builder.blocks.temporary(a.dtype, (*batch, m, n))
    builder.blocks.emit(Allocate(out))
    transposed = transpose_a, transpose_b
    if is_small:
        builder.blocks.emit(*matmul_nest(*buffers, out, *transposed))
    elif is_one:
        rows = builder.count((*batch, m))
        _library(builder, (*buffers, out), 1, (rows, n, k), transposed)
    elif _is_worth_a_loop((*buffers, out), batch, (m, n, k)):
        _one_by_one(builder, (*buffers, out), batch, (m, n, k), transposed)
    else:
        _library(builder, (*buffers, out), builder.count(batch), (m, n, k), transposed)
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


def _few_terms(
    builder: Emitter, a: Array, b: Array, shape: Sequence[Size], terms: int,
    transpose_a: bool, transpose_b: bool,
) -> Array:  # fmt: skip
    """A product whose sums are written out: it fuses into whatever uses it."""
    batch = shape[:-2]
    left = builder.broadcast(a, (*batch, *a.shape[-2:]))
    right = builder.broadcast(b, (*batch, *b.shape[-2:]))

    def term(lead: Sequence[Any], i: Any, j: Any, k: int) -> Scalar:
        row = (*lead, k, i) if transpose_a else (*lead, i, k)
        column = (*lead, j, k) if transpose_b else (*lead, k, j)
        return left[row] * right[column]

    def element(*index: Any) -> Scalar:
        *lead, i, j = index
        total = term(lead, i, j, 0)
        for k in range(1, terms):
            total = total + term(lead, i, j, k)
        return total

    for operand in (left, right):
        if operand.element is not None and operand.cost:
            builder.force(operand)
    return builder.map(shape, a.dtype, element)


def _is_worth_a_loop(
    buffers: Sequence[Buffer], batch: Sequence[Size], sizes: tuple[Size, Size, Size]
) -> bool:
    """Whether each matrix of a batch is multiplied by itself, in loops that others join: what is
    done with it before and after then finds it in the cache.

    There must be enough of them for threads, which a large product would have divided.
    """
    outermost = next((size for size in batch if not _is_one(size)), 1)
    if isinstance(outermost, int) and outermost < TOGETHER:
        return False
    if any(len(buffer.shape) != len(batch) + 2 for buffer in buffers):
        return False  # reshaped, and read where it lies
    return prod(size if isinstance(size, int) else _USUAL for size in sizes) < 2 * LEAST


def _one_by_one(
    builder: Emitter,
    buffers: tuple[Buffer, Buffer, Buffer],
    batch: Sequence[Size],
    sizes: tuple[Size, Size, Size],
    transposed: tuple[bool, bool],
) -> None:
    many = [axis for axis, size in enumerate(batch) if not _is_one(size)]

    def product(*index: Scalar) -> None:
        place: list[Expression] = [Literal(0, "i64")] * len(batch)
        for axis, one in zip(many, index, strict=True):
            place[axis] = size_expression(one)
        _library(builder, buffers, 1, sizes, transposed, tuple(place))

    builder.nest([batch[axis] for axis in many], product)


def _is_one(size: Size) -> bool:
    return isinstance(size, int) and size == 1


def _library(
    builder: Emitter,
    buffers: tuple[Buffer, Buffer, Buffer],
    matrices: Size,
    sizes: tuple[Size, Size, Size],
    transposed: tuple[bool, bool],
    place: tuple[Expression, ...] = (),
) -> None:
    """`tm_gemm_*` of native/products.py, on so many matrices from that place on."""
    adding = False  # loops/passes/added_products.py may change that
    flags = [Literal(int(flag), "i64") for flag in (*transposed, adding)]
    numbers = [size_expression(size) for size in (matrices, *sizes)]
    arguments = (*(Address(one, place) for one in buffers), *numbers, *flags)
    function = f"tm_gemm_{buffers[0].type}"
    a, b, out = buffers
    call = NativeCall(function, arguments, None, (a, b), (out,), pure=True, work=LONG)
    builder.blocks.emit(call)
