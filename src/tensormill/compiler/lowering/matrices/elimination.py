"""Small square matrices: Cholesky factors, triangular systems, Gaussian elimination, as loops.

Larger ones are LAPACK's (factors.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core import dtypes
from ....core.process.named_tuples import NamedTuple
from ....ops.lowering import NotStatic
from ...loops.ir import Allocate, Buffer, Choice, Local, Set
from ..arrays import Array, same_size
from ..emitter import Emitter
from ..scalars import SCALARS, Scalar, as_number, literal

LARGEST = 64  # rows; from some eighty on LAPACK is quicker (measured)
_FLOATS = (dtypes.float32, dtypes.float64)

Index = tuple[Any, ...]
Singular = tuple[type[Exception], str]
# Eliminates, showing each pivot; returns the sign of the exchange of rows.
Pivots = Callable[[Callable[[Scalar], None]], Scalar]


class _Matrix:
    """One matrix of a batch in memory of its own: `m[i, j]` reads, `put` writes."""

    def __init__(self, builder: Emitter, buffer: Buffer, stored: Array, outer: Index) -> None:
        self.builder = builder
        self.buffer = buffer
        self.stored = stored
        self.outer = outer

    def __getitem__(self, place: tuple[Any, Any]) -> Scalar:
        return self.stored[(*self.outer, *place)]

    def put(self, place: tuple[Any, Any], value: Scalar) -> None:
        self.builder.store(self.buffer, (*self.outer, *place), value)


def is_small(matrix: Array, rhs: Array | None = None) -> bool:
    """Whether loops are for square matrices, and for the right-hand sides of one for each."""
    rows, columns = matrix.shape[-2:]
    if matrix.dtype not in _FLOATS or not isinstance(rows, int) or not isinstance(columns, int):
        return False
    height = rows if rhs is None else rhs.shape[-2]
    return rows == columns and rows <= LARGEST and isinstance(height, int) and height == rows


def cholesky(builder: Emitter, x: Array) -> Array:
    """The lower triangular factor of each matrix; its triangle is NaN where there is none."""
    count = _rows(x)
    builder.force(x)
    buffer, factors = _memory(builder, x, "factor")

    def factorize(*outer: Any) -> None:
        factor = _Matrix(builder, buffer, factors, outer)
        fails = _register(builder, "fails", literal(False, dtypes.bool_))
        _fill(builder, factor, count, count, lambda _i, _j: literal(0.0, x.dtype))

        def element(i: Any, j: Any, is_last: bool) -> None:
            rest = _register(builder, "rest", x[(*outer, i, j)])

            def subtract(k: Any) -> None:
                rest.set(rest.value - factor[i, k] * factor[j, k])

            builder.each(j, subtract)
            if not is_last:
                factor.put((i, j), rest.value / factor[j, j])
                return
            fails.set(fails.value | (rest.value <= 0))  # NaN spreads by itself, as in LAPACK
            factor.put((i, i), SCALARS.sqrt(rest.value))

        def row(i: Any) -> None:
            builder.each(i, lambda j: element(i, j, False))
            element(i, i, True)

        builder.each(count, row)
        zero, nan = literal(0.0, x.dtype), literal(float("nan"), x.dtype)

        def triangle(i: Any, j: Any) -> Scalar:
            return SCALARS.where(j <= i, nan, zero)

        _if(builder, fails.value, lambda: _fill(builder, factor, count, count, triangle))

    builder.nest(x.shape[:-2], factorize)
    return factors


def substitute(builder: Emitter, matrix: Array, rhs: Array, lower: bool, adjoint: bool) -> Array:
    """x with matrix x = rhs, of which only a triangle counts; leading axes broadcast."""
    count = _rows(matrix)
    _require_height(rhs, count)
    batch = builder.broadcast_shape(matrix.shape[:-2], rhs.shape[:-2])
    builder.force(matrix)
    matrices = builder.broadcast(matrix, (*batch, *matrix.shape[-2:]))
    right = builder.broadcast(rhs, (*batch, *rhs.shape[-2:]))
    buffer, solutions = _memory(builder, right, "solution")

    def solve_one(*outer: Any) -> None:
        x = _Matrix(builder, buffer, solutions, outer)
        _fill(builder, x, count, rhs.shape[-1], lambda i, j: right[(*outer, i, j)])

        def factor(i: Any, k: Any) -> Scalar:
            return matrices[(*outer, k, i) if adjoint else (*outer, i, k)]

        _substitute(builder, factor, x, count, rhs.shape[-1], upwards=lower == adjoint)

    builder.nest(batch, solve_one)
    return solutions


def solve(builder: Emitter, matrix: Array, rhs: Array, adjoint: bool, singular: Singular) -> Array:
    """x with matrix x = rhs, or matrix^T x = rhs."""
    count, width = _rows(matrix), rhs.shape[-1]
    _require_height(rhs, count)
    if not all(map(same_size, matrix.shape[:-2], rhs.shape[:-2])):
        raise NotStatic("LAPACK does the work where sizes are known at run time")
    builder.force(matrix)
    return _solved(builder, matrix, rhs.shape, width, lambda *index: rhs[index], adjoint, singular)


def inverse(builder: Emitter, matrix: Array, adjoint: bool, singular: Singular) -> Array:
    """The inverse of each matrix, or of its transpose."""
    count = _rows(matrix)
    builder.force(matrix)

    def identity(*index: Any) -> Scalar:
        one, zero = literal(1.0, matrix.dtype), literal(0.0, matrix.dtype)
        return SCALARS.where(index[-2] == index[-1], one, zero)

    return _solved(builder, matrix, matrix.shape, count, identity, adjoint, singular)


def determinant(builder: Emitter, matrix: Array) -> Array:
    """The determinant of each matrix."""
    return _from_pivots(builder, matrix, _product, 1)[0]


def log_determinant(builder: Emitter, matrix: Array) -> tuple[Array, Array]:
    """The sign of each determinant, and the logarithm of its absolute value."""
    sign, logarithm = _from_pivots(builder, matrix, _sign_and_logarithm, 2)
    return sign, logarithm


# ---------------------------------------------------------------- near the main diagonal


def solve_tridiagonal(builder: Emitter, diagonals: Array, rhs: Array, pivoting: bool) -> Array:
    """x with A x = rhs, for matrices of three diagonals [..., 3, m]; NaN for one with a pivot of 0.

    What is exchanged leaves a second diagonal above the main one: it takes the place of the one
    below, whose elements are needed no more.
    """
    _require_floats(diagonals)
    count, width = rhs.shape[-2:]
    builder.force(diagonals)
    work, works = _memory(builder, diagonals, "diagonals")
    target, solutions = _memory(builder, rhs, "solution")
    zero, nan = literal(0.0, rhs.dtype), literal(float("nan"), rhs.dtype)

    def solve_one(*outer: Any) -> None:
        rows = _Matrix(builder, work, works, outer)
        x = _Matrix(builder, target, solutions, outer)
        _fill(builder, rows, 3, count, lambda i, j: diagonals[(*outer, i, j)])
        _fill(builder, x, count, width, lambda i, j: rhs[(*outer, i, j)])
        fails = _register(builder, "fails", literal(False, dtypes.bool_))
        let, where = builder.blocks.let, SCALARS.where

        def forwards(i: Any) -> None:
            below = let(i + 1)
            main, upper = let(rows[1, i]), let(rows[2, below])
            swaps = let(abs(main) < abs(upper)) if pivoting else literal(False, dtypes.bool_)
            pivot = let(where(swaps, upper, main))
            factor = let(where(pivot == 0, zero, where(swaps, main, upper) / pivot))
            beside, following = let(rows[0, i]), let(rows[1, below])
            first = let(where(swaps, following, beside))
            beyond = let(where(below < count - 1, rows[0, below], zero))
            rows.put((1, i), pivot)
            rows.put((0, i), first)
            rows.put((2, i), where(swaps, beyond, zero))
            rows.put((1, below), where(swaps, beside, following) - factor * first)
            rows.put((0, below), where(swaps, -factor * beyond, beyond))

            def exchange(k: Any) -> None:
                one, other = let(x[i, k]), let(x[below, k])
                kept = let(where(swaps, other, one))
                x.put((i, k), kept)
                x.put((below, k), where(swaps, one, other) - factor * kept)

            builder.each(width, exchange)

        def backwards(step: Any) -> None:
            i = let(count - 1 - step)
            pivot, beside, beyond = let(rows[1, i]), let(rows[0, i]), let(rows[2, i])
            fails.set(fails.value | (pivot == 0))

            def one(k: Any) -> None:
                rest = _register(builder, "rest", x[i, k])
                _if(builder, step > 0, lambda: rest.set(rest.value - beside * x[i + 1, k]))
                _if(builder, step > 1, lambda: rest.set(rest.value - beyond * x[i + 2, k]))
                x.put((i, k), rest.value / pivot)

            builder.each(width, one)

        builder.each(count - 1, forwards)
        builder.each(count, backwards)
        _if(builder, fails.value, lambda: _fill(builder, x, count, width, lambda _i, _j: nan))

    builder.nest(rhs.shape[:-2], solve_one)
    return solutions


def solve_banded(
    builder: Emitter, bands: Array, rhs: Array, lower: bool, adjoint: bool, singular: Singular
) -> Array:
    """x with A x = rhs, for triangular matrices of some diagonals [..., b, m]."""
    _require_floats(bands)
    high, (count, width) = bands.shape[-2], rhs.shape[-2:]
    batch = builder.broadcast_shape(bands.shape[:-2], rhs.shape[:-2])
    builder.force(bands)
    factors = builder.broadcast(bands, (*batch, *bands.shape[-2:]))
    right = builder.broadcast(rhs, (*batch, *rhs.shape[-2:]))
    target, solutions = _memory(builder, right, "solution")
    upwards = lower == adjoint

    def solve_one(*outer: Any) -> None:
        x = _Matrix(builder, target, solutions, outer)
        _fill(builder, x, count, width, lambda i, j: right[(*outer, i, j)])
        let = builder.blocks.let

        def row(step: Any) -> None:
            i = let(count - 1 - step) if upwards else step
            pivot = let(factors[(*outer, 0 if lower else high - 1, i)])
            builder.check(pivot != 0, *singular)

            def near(before: Any) -> None:
                distance = let(before + 1)
                k = let(i + distance if upwards else i - distance)
                band = distance if lower else high - 1 - distance
                factor = let(factors[(*outer, band, k if adjoint else i)])
                _subtract(builder, x, (i, k), factor, 0, width)

            near_rows = SCALARS.minimum(step, as_number(high - 1))
            builder.each(near_rows, near)
            builder.each(width, lambda k: x.put((i, k), x[i, k] / pivot))

        builder.each(count, row)

    builder.nest(batch, solve_one, parallel=False)  # an error leaves the program
    return solutions


def _require_floats(matrix: Array) -> None:
    if matrix.dtype not in _FLOATS:
        raise NotStatic("LAPACK does the work for complex matrices")


# ---------------------------------------------------------------- the algorithms


def _solved(
    builder: Emitter, matrix: Array, shape: Any, width: Any, right: Callable[..., Scalar],
    adjoint: bool, singular: Singular,
) -> Array:  # fmt: skip
    count = _rows(matrix)
    work, works = _memory(builder, matrix, "work")
    target = builder.blocks.temporary(matrix.dtype, tuple(shape), "solution")
    builder.blocks.emit(Allocate(target))
    solutions = builder.stored(target, matrix.dtype, shape)

    def solve_one(*outer: Any) -> None:
        rows = _Matrix(builder, work, works, outer)
        x = _Matrix(builder, target, solutions, outer)
        _fill(builder, rows, count, count,
              lambda i, j: matrix[(*outer, j, i) if adjoint else (*outer, i, j)])  # fmt: skip
        _fill(builder, x, count, width, lambda i, j: right(*outer, i, j))

        def check(pivot: Scalar) -> None:
            builder.check(pivot != 0, *singular)

        if count:  # pivots are no NaN unless this is one; others spread
            builder.check(rows[0, 0] == rows[0, 0], *singular)
        _eliminate(builder, rows, count, check, [(x, width)])
        _substitute(builder, lambda i, k: rows[i, k], x, count, width, upwards=True)

    builder.nest(shape[:-2], solve_one, parallel=False)  # an error leaves the program
    return solutions


def _eliminate(
    builder: Emitter, rows: _Matrix, count: int, seen: Callable[[Scalar], None], right: Any = ()
) -> Scalar:
    """Make `rows` upper triangular, by exchanging rows (LAPACK's choice of pivots).

    `right`: matrices, each with its width, to which the same is done. Returns the sign of the
    exchange.
    """
    dtype = rows.stored.dtype
    sign = _register(builder, "sign", literal(1.0, dtype))

    def column(j: Any) -> None:
        place = _pivot(builder, rows, count, j)

        def exchange() -> None:
            for matrix, width in [(rows, count), *right]:
                _exchange(builder, matrix, width, place.value, j)
            sign.set(-sign.value)

        _if(builder, place.value != j, exchange)
        pivot = builder.blocks.let(rows[j, j])
        seen(pivot)

        def below(step: Any) -> None:
            i = builder.blocks.let(j + 1 + step)
            share = rows[i, j] / pivot
            zero = literal(0.0, dtype)
            factor = builder.blocks.let(SCALARS.where(pivot == 0, zero, share))
            for matrix, width, first in [(rows, count, j + 1), *((*one, 0) for one in right)]:
                _subtract(builder, matrix, (i, j), factor, first, width)

        builder.each(count - 1 - j, below)

    builder.each(count, column)
    return sign.value


def _pivot(builder: Emitter, rows: _Matrix, count: int, j: Any) -> _Register:
    """The place of the largest number of column `j`, from row `j` on."""
    largest = _register(builder, "largest", abs(rows[j, j]))
    place = _register(builder, "place", j)

    def compare(step: Any) -> None:
        i = builder.blocks.let(j + 1 + step)
        size = builder.blocks.let(abs(rows[i, j]))
        larger = builder.blocks.let(size > largest.value)
        place.set(SCALARS.where(larger, i, place.value))
        largest.set(SCALARS.where(larger, size, largest.value))

    builder.each(count - 1 - j, compare)
    return place


def _exchange(builder: Emitter, matrix: _Matrix, width: Any, i: Any, j: Any) -> None:
    def swap(k: Any) -> None:
        kept = builder.blocks.let(matrix[i, k])
        matrix.put((i, k), matrix[j, k])
        matrix.put((j, k), kept)

    builder.each(width, swap)


def _subtract(
    builder: Emitter, matrix: _Matrix, rows: tuple[Any, Any], factor: Scalar, first: Any, width: Any
) -> None:
    """Row i less `factor` times row j, from column `first` on."""
    i, j = rows

    def one(step: Any) -> None:
        k = first + step
        matrix.put((i, k), matrix[i, k] - factor * matrix[j, k])

    builder.each(width - first, one)


def _substitute(
    builder: Emitter, factor: Callable[[Any, Any], Scalar], x: _Matrix, count: int, width: Any,
    upwards: bool,
) -> None:  # fmt: skip
    """Solve a triangular system in place, row after row."""

    def place(step: Any) -> Any:
        return builder.blocks.let(count - 1 - step) if upwards else step

    def row(step: Any) -> None:
        i = place(step)

        def known(before: Any) -> None:
            k = place(before)
            share = builder.blocks.let(factor(i, k))
            _subtract(builder, x, (i, k), share, 0, width)

        builder.each(step, known)
        pivot = builder.blocks.let(factor(i, i))
        builder.each(width, lambda k: x.put((i, k), x[i, k] / pivot))

    builder.each(count, row)


def _product(builder: Emitter, pivots: Pivots, one: Scalar) -> tuple[Scalar, ...]:
    total = _register(builder, "product", one)
    sign = pivots(lambda pivot: total.set(total.value * pivot))
    return (total.value * sign,)


def _sign_and_logarithm(builder: Emitter, pivots: Pivots, one: Scalar) -> tuple[Scalar, ...]:
    total = _register(builder, "logarithm", one - one)
    signs = _register(builder, "signs", one)

    def seen(pivot: Scalar) -> None:
        total.set(total.value + SCALARS.log(abs(pivot)))
        signs.set(signs.value * SCALARS.sign(pivot))

    sign = pivots(seen)
    return signs.value * sign, total.value


def _from_pivots(builder: Emitter, matrix: Array, outcome: Any, numbers: int) -> list[Array]:
    """So many numbers for each matrix, reckoned from its pivots."""
    count, batch = _rows(matrix), matrix.shape[:-2]
    builder.force(matrix)
    work, works = _memory(builder, matrix, "work")
    results: list[tuple[Buffer, Array]] = []
    for _ in range(numbers):
        buffer = builder.blocks.temporary(matrix.dtype, batch, "determinant")
        builder.blocks.emit(Allocate(buffer))
        results.append((buffer, builder.stored(buffer, matrix.dtype, batch)))

    def one_matrix(*outer: Any) -> None:
        rows = _Matrix(builder, work, works, outer)
        _fill(builder, rows, count, count, lambda i, j: matrix[(*outer, i, j)])

        def pivots(seen: Callable[[Scalar], None]) -> Scalar:
            return _eliminate(builder, rows, count, seen)

        found = outcome(builder, pivots, literal(1.0, matrix.dtype))
        for (buffer, _), number in zip(results, found, strict=True):
            builder.store(buffer, outer, number)

    builder.nest(batch, one_matrix)
    return [array for _, array in results]


# ---------------------------------------------------------------- statements


class _Register(NamedTuple):
    builder: Emitter
    variable: Local
    value: Scalar

    def set(self, value: Scalar) -> None:
        self.builder.blocks.emit(Set(self.variable, self.builder.blocks.named(value)))


def _register(builder: Emitter, stem: str, value: Scalar) -> _Register:
    variable = builder.blocks.register(stem, value.dtype, value)
    return _Register(builder, variable, Scalar(variable, value.dtype))


def _memory(builder: Emitter, like: Array, stem: str) -> tuple[Buffer, Array]:
    buffer = builder.blocks.temporary(like.dtype, like.shape, stem)
    builder.blocks.emit(Allocate(buffer))
    return buffer, builder.stored(buffer, like.dtype, like.shape)


def _fill(
    builder: Emitter, matrix: _Matrix, rows: Any, columns: Any, value: Callable[[Any, Any], Scalar]
) -> None:
    def row(i: Any) -> None:
        builder.each(columns, lambda j: matrix.put((i, j), value(i, j)))

    builder.each(rows, row)


def _if(builder: Emitter, condition: Scalar, body: Callable[[], None]) -> None:
    named = builder.blocks.named(condition)
    with builder.blocks.block() as statements:
        body()
    builder.blocks.emit(Choice(named, tuple(statements)))


# ---------------------------------------------------------------- what is small enough


def _rows(matrix: Array) -> int:
    """How many rows a square matrix has, that is known to be small.

    Raises:
        NotStatic: it is LAPACK's.
    """
    rows, columns = matrix.shape[-2:]
    if matrix.dtype not in _FLOATS:
        raise NotStatic("LAPACK does the work for complex matrices")
    if not (isinstance(rows, int) and isinstance(columns, int)):
        raise NotStatic("LAPACK does the work for matrices whose sizes are known at run time")
    if rows != columns or rows > LARGEST:
        raise NotStatic("LAPACK does the work for large matrices")
    return rows


def _require_height(rhs: Array, count: int) -> None:
    height = rhs.shape[-2]
    if not isinstance(height, int) or height != count:
        raise NotStatic("LAPACK does the work where sizes are known at run time")
