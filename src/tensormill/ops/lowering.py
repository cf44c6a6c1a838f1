"""The language of `lower` rules: how an operation becomes loops.

In `lower(self, loops)` the operands are `LoopArray`s and `loops` is a `LoopBuilder`; the compiler
implements both (`compiler/lowering/`). Nothing here runs at once: `x[i, j]` *pulls* one element, so
chains of operations fuse by themselves, and the builder decides what is stored in memory.

    class Transpose(Op):
        def lower(self, loops):
            order = loops.static(self.perm)
            shape = [self.x.shape[axis] for axis in order]
            def element(*index):
                return self.x[[index[order.index(axis)] for axis in range(len(order))]]
            return loops.view(shape, self.x.dtype, element)

`Size` is an int where the size is known when the function is compiled and a `Scalar` (int64)
where only run time knows it; both take `+ - * // %` and comparisons. `Scalar`s take Python's
operators, and `loops.scalars` is the same language `s` that scalar rules speak (ops/scalar.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol, TypeAlias

from ..core.dtypes import DType
from .scalar import NumpyScalars

Scalar = Any  # an expression of the loop language; has `.dtype`
Size = Any  # int | Scalar of int64
Index = Any  # int | Scalar of int64

# How elements are combined.
ReduceWith: TypeAlias = Literal["sum", "prod", "min", "max", "any", "all"]
ScanWith: TypeAlias = Literal["sum", "prod"]
ScatterWith: TypeAlias = Literal["set", "add", "sub", "mul", "min", "max"]
FourierKind: TypeAlias = Literal["fft", "ifft", "rfft", "irfft"]
MatrixFunction: TypeAlias = Literal["expm", "sqrtm", "logm"]
Extremum: TypeAlias = Literal["min", "max"]


MOST_NUMBERS: Final = 16  # that the error of a check can show


class LoopArray(Protocol):
    """A tensor inside a compiled function. Its rank is always known."""

    dtype: DType

    @property
    def shape(self) -> tuple[Size, ...]: ...
    @property
    def rank(self) -> int: ...
    def __getitem__(self, index: Sequence[Index]) -> Scalar:
        """One element. The index is trusted: check it first where it comes from data."""
        ...


class LoopBuilder(Protocol):
    """What `lower` rules may say."""

    scalars: NumpyScalars  # the scalar language, read as expressions

    # ---- arrays from elements
    def map(self, shape: Sequence[Size], dtype: DType, element: Callable[..., Scalar]) -> LoopArray:
        """An array whose element at `i, j` is `element(i, j)`: computed where it is used."""
        ...

    def view(
        self, shape: Sequence[Size], dtype: DType, element: Callable[..., Scalar]
    ) -> LoopArray:
        """Like `map`, for elements that are only moved (transpose, slice, pad): never stored
        for the sake of being used twice.
        """
        ...

    def kept(self, x: LoopArray) -> LoopArray:
        """`x` in memory where computing an element costs something: it is to be read often. What
        `scatter` returned must be kept before elements of it are read in the same rule.
        """
        ...

    def settled(self, x: LoopArray) -> LoopArray:
        """`x` in memory where computing an element costs more than some additions: all of it is
        to be read two or three times.
        """
        ...

    def broadcast(self, x: LoopArray, shape: Sequence[Size]) -> LoopArray:
        """NumPy's broadcasting; sizes must have been found compatible (`broadcast_shape`)."""
        ...

    def broadcast_shape(self, *shapes: Sequence[Size]) -> tuple[Size, ...]:
        """The common shape; emits run-time checks where sizes are not known."""
        ...

    def reshape(self, x: LoopArray, shape: Sequence[Size]) -> LoopArray:
        """The same elements in row-major order; the counts must have been found equal."""
        ...

    def reduce(
        self,
        kind: ReduceWith,
        shape: Sequence[Size],
        extents: Sequence[Size],
        dtype: DType,
        element: Callable[[Sequence[Index], Sequence[Index]], Scalar],
        few: bool = False,
    ) -> LoopArray:
        """At each index `o` of `shape`: `kind` over all `r` in `extents` of `element(o, r)`.

        float16 and bfloat16 sums are accumulated in float32. `few`: of so few terms that vectors
        had better hold several results than terms of one.
        """
        ...

    def arg_reduce(self, kind: Extremum, x: LoopArray, axis: int, dtype: DType) -> LoopArray:
        """Index of the first largest ("max") or smallest ("min") element along `axis`."""
        ...

    def places(self, condition: LoopArray) -> LoopArray:
        """The indices of the true elements of a bool array, row-major: int64 [n, rank]."""
        ...

    def order(self, ranks: LoopArray, wanted: Size | None = None) -> LoopArray:
        """The places of the elements of each row (the last axis) in ascending order, or the first
        `wanted` of them: int64. Equal ones keep their order. Ranks are uint32 or uint64
        (ops/array/ranks.py).
        """
        ...

    def shuffled(self, count: Size, others: LoopArray) -> LoopArray:
        """The numbers below `count`, each of the first ones in turn having changed places with the
        one at `others` of its place: int64.
        """
        ...

    def accepted(
        self,
        rows: Size,
        width: int,
        dtype: DType,
        candidates: Callable[[Scalar, Scalar], Sequence[tuple[Scalar, Scalar]]],
    ) -> LoopArray:
        """For every row the first `width` numbers that are good: [rows, width]. `candidates(row,
        step)` are those of a step, a number and whether it is good each; there are enough.
        """
        ...

    def chosen(
        self,
        scores: LoopArray,
        limit: Size,
        conflict: Callable[[Sequence[Index], Scalar, Scalar], Scalar],
    ) -> tuple[LoopArray, LoopArray]:
        """For every row of scores [..., n] the places of the highest ones in order, `limit` at
        most, but for those with which one before is in `conflict(row, one, before)`, and for
        scores of minus infinity: int64 [..., limit + 1]; and how many they are: int64 [...].
        """
        ...

    def strongest(
        self,
        scores: LoopArray,
        limit: Size,
        weighed: Callable[[Scalar, Scalar, Scalar], Scalar],
    ) -> tuple[LoopArray, LoopArray, LoopArray]:
        """The place of the highest score [n], again and again while there is one above minus
        infinity, `limit` times at most; each other one then becomes `weighed(score, place, taken)`.
        Places, int64, and scores [limit + 1], and how many they are.
        """
        ...

    def repeat(
        self,
        values: Sequence[Scalar],
        goes_on: Callable[..., Scalar],
        step: Callable[..., Sequence[Scalar]],
    ) -> tuple[Scalar, ...]:
        """Scalars that become `step(*values)` as long as `goes_on(*values)`, which is asked first.
        It begins where this is said: a step may repeat something else.
        """
        ...

    def rounds(
        self, count: int, values: Sequence[Scalar], step: Callable[..., Sequence[Scalar]]
    ) -> tuple[Scalar, ...]:
        """Scalars that become `step(*values)` so many times, here and now."""
        ...

    def shared(self, rule: Any, *operands: Scalar) -> Scalar:
        """What a rule of ops/shared_rules.py gives for numbers, computed here and now."""
        ...

    def for_each(
        self, shape: Sequence[Size], step: Callable[..., None], in_order: bool = False
    ) -> None:
        """`step(*index)` at every index of `shape`. Threads may share the steps, so that none reads
        or overwrites what another one puts into memory; but for those that are taken `in_order`.
        """
        ...

    def apart(
        self, shape: Sequence[Size], dtype: DType, element: Callable[..., Scalar]
    ) -> LoopArray:
        """An array of `element(*index)`, each of which may repeat something until it is done."""
        ...

    def memory(self, shape: Sequence[Size], dtype: DType) -> LoopArray:
        """Zeros, whose elements `put` changes. An element is read where it is used, which may be
        after that: `held` reads it here and now.
        """
        ...

    def held(self, value: Scalar) -> Scalar:
        """A scalar that is computed here, whatever is put into memory later."""
        ...

    def put(self, memory: LoopArray, index: Sequence[Index], value: Scalar) -> None:
        """Set an element, here and now: in a step of `repeat`, say."""
        ...

    def search(
        self, count: Size, values: LoopArray, dtype: DType, is_below: Callable[..., Scalar]
    ) -> LoopArray:
        """For every index `i` of `values` the first of `count` places for which
        `is_below(place, *i)` is false, by halving: it is true before and false from there on.
        """
        ...

    def scan(
        self, kind: ScanWith, x: LoopArray, axis: int, exclusive: bool, reverse: bool
    ) -> LoopArray:
        """Running `sum` or `prod` along `axis`."""
        ...

    def matmul(self, a: LoopArray, b: LoopArray, transpose_a: bool, transpose_b: bool) -> LoopArray:
        """Product over the two innermost axes; leading axes broadcast. Sizes must be checked."""
        ...

    def cholesky(self, x: LoopArray) -> LoopArray:
        """The Cholesky factors of matrices; NaN for one that has none."""
        ...

    def qr(self, x: LoopArray, count: Size) -> tuple[LoopArray, LoopArray]:
        """Matrices [..., m, n] as q [..., m, count] times r [..., count, n]."""
        ...

    def lu(
        self, x: LoopArray, singular: tuple[type[Exception], str]
    ) -> tuple[LoopArray, LoopArray]:
        """Two triangles, packed into one matrix, and the order of the rows, int64."""
        ...

    def eigh(
        self, x: LoopArray, vectors: bool, wrong: tuple[type[Exception], str]
    ) -> tuple[LoopArray, LoopArray]:
        """The eigenvalues (real) and vectors of self-adjoint matrices; without vectors a scalar.
        `wrong` is the error of a NaN.
        """
        ...

    def eig(
        self, x: LoopArray, vectors: bool, wrong: tuple[type[Exception], str]
    ) -> tuple[LoopArray, LoopArray]:
        """The eigenvalues and vectors of any square matrices, complex; without vectors a scalar.
        `wrong` is the error of what is not finite.
        """
        ...

    def matrix_function(self, name: MatrixFunction, x: LoopArray) -> LoopArray:
        """The exponentials, principal square roots or logarithms of square matrices of 64-bit
        numbers; NaN for one that has none.
        """
        ...

    def svd(
        self, x: LoopArray, count: Size, high: Size, wide: Size, vectors: bool
    ) -> tuple[LoopArray, LoopArray, LoopArray]:
        """The `count` singular values (real) of matrices, `high` columns of u and `wide` ones of v;
        without vectors these are scalars that mean nothing.
        """
        ...

    def least_squares(self, matrix: LoopArray, rhs: LoopArray) -> LoopArray:
        """The shortest x with the least |matrix x - rhs|; leading axes are the same."""
        ...

    def substitute(
        self, matrix: LoopArray, rhs: LoopArray, lower: bool, adjoint: bool
    ) -> LoopArray:
        """x with matrix x = rhs, for one triangle of `matrix`. Sizes must be checked."""
        ...

    def solve(
        self,
        matrix: LoopArray,
        rhs: LoopArray,
        adjoint: bool,
        singular: tuple[type[Exception], str],
    ) -> LoopArray:
        """x with matrix x = rhs. Sizes must be checked; `singular` is the error of a pivot of 0."""
        ...

    def inverse(
        self, matrix: LoopArray, adjoint: bool, singular: tuple[type[Exception], str]
    ) -> LoopArray:
        """The inverse of each matrix."""
        ...

    def determinant(self, matrix: LoopArray) -> LoopArray:
        """The determinant of each matrix."""
        ...

    def log_determinant(self, matrix: LoopArray) -> tuple[LoopArray, LoopArray]:
        """The sign of each determinant, and the logarithm of its absolute value."""
        ...

    def special(self, name: str, *operands: LoopArray) -> tuple[LoopArray, ...]:
        """The results of a function of scipy.special, of each element of operands that have one
        shape and one float dtype.
        """
        ...

    def most_probable(
        self, steps: LoopArray, lengths: LoopArray, width: int, best: int, merged: bool
    ) -> tuple[LoopArray, ...]:
        """The paths of a beam (ops/nn/ctc_decoding.py) through float64 [time, batch, classes], of
        int64 [batch] steps each: labels [best, batch, time], how many of them there are [best,
        batch], scores [batch, best], and how many paths there are [batch].
        """
        ...

    def fourier(
        self, kind: FourierKind, x: LoopArray, axis: int, want: Size, points: Size
    ) -> LoopArray:
        """The Fourier transform of `points` numbers along an axis (the inverse ones divided by
        `points`); the result has `want` of them there. What `x` has beyond is left out.
        """
        ...

    def solve_tridiagonal(self, diagonals: LoopArray, rhs: LoopArray, pivoting: bool) -> LoopArray:
        """x with A x = rhs, for matrices of three diagonals [..., 3, m]. Sizes must be checked."""
        ...

    def solve_banded(
        self,
        bands: LoopArray,
        rhs: LoopArray,
        lower: bool,
        adjoint: bool,
        singular: tuple[type[Exception], str],
    ) -> LoopArray:
        """x with A x = rhs, for triangular matrices of some diagonals [..., b, m]."""
        ...

    def convolve(self, x: LoopArray, filter: LoopArray, windows: Any) -> LoopArray:
        """What `windows` (ops/nn/windows.py) see of x [n, *spatial, channels], times the filters
        [*kernel, channels / groups, filters]. Shapes must be checked, here and below.
        """
        ...

    def convolve_back(
        self, dy: LoopArray, filter: LoopArray, windows: Any, shape: Sequence[Size]
    ) -> LoopArray:
        """The transpose of `convolve`: an array of `shape` from one like its result."""
        ...

    def sum_shifted(
        self,
        x: LoopArray,
        weights: LoopArray,
        counts: Sequence[Size],
        steps: Sequence[int],
        rates: Sequence[int],
    ) -> LoopArray:
        """y[n, *o, c], with `counts` of o: the sum over t of x[n, *(o steps + t rates), c] times
        weights[*t, c], of float32 or float64.
        """
        ...

    def interpolate(
        self, x: LoopArray, rows: Sequence[LoopArray], columns: Sequence[LoopArray]
    ) -> LoopArray:
        """x [n, height, width, channels] in other sizes, as float32: between two rows, then between
        two columns. `rows` and `columns` are vectors of both places, and of how far from the first.
        """
        ...

    def filter_gradient(
        self, x: LoopArray, dy: LoopArray, windows: Any, shape: Sequence[Size]
    ) -> LoopArray:
        """For every element of a filter of `shape`: the sum over all windows of what it met."""
        ...

    def scatter(
        self,
        kind: ScatterWith,
        target: LoopArray,
        extents: Sequence[Size],
        position: Callable[..., Sequence[Index]],
        value: Callable[..., Scalar],
        where: Callable[..., Scalar] | None = None,
    ) -> LoopArray:
        """A copy of `target` in which, for every index `i` of `extents` in order, the element at
        `position(*i)` is combined with `value(*i)`, if `where(*i)` holds. Positions must have been
        checked, all of them.
        """
        ...

    def literal_array(self, value: Any, dtype: DType) -> LoopArray:
        """A NumPy array that is known when the function is compiled."""
        ...

    # ---- scalars and small integer vectors
    def scalar(self, value: Scalar) -> LoopArray:
        """A rank-0 array."""
        ...

    def vector(self, elements: Sequence[Scalar], dtype: DType) -> LoopArray:
        """A rank-1 array whose elements are kept apart (shapes are such vectors)."""
        ...

    def constant(self, value: Any, dtype: DType) -> Scalar:
        """A literal."""
        ...

    def elements(self, x: LoopArray) -> tuple[Scalar, ...]:
        """The elements of an array whose sizes are static, row by row."""
        ...

    def sizes(self, x: LoopArray) -> tuple[Size, ...]:
        """Like `elements`, as sizes: ints where they are known."""
        ...

    def is_count(self, size: Size) -> bool:
        """Whether a size is surely not negative; what comes from memory may be -1."""
        ...

    def static(self, x: LoopArray) -> Any:
        """The value of a constant operand: an int or a (nested) list of ints/floats/bools.

        Where it is not constant the operation becomes a callback step (this raises
        `NotStatic`, which the compiler catches).
        """
        ...

    def count(self, shape: Sequence[Size]) -> Size:
        """The product of sizes."""
        ...

    # ---- checks
    def check(
        self, condition: Scalar, error: type[Exception], message: str, *values: Scalar
    ) -> None:
        """At run time: where `condition` is false, stop and raise `error(message.format(*values))`
        with the user's line. Values are shown as integers; there are `MOST_NUMBERS` at most.
        """
        ...

    def check_all(
        self,
        shape: Sequence[Size],
        condition: Callable[..., Scalar],
        error: type[Exception],
        message: str,
        values: Callable[..., Sequence[Scalar]],
    ) -> None:
        """`check` at every index of `shape` (gather's indices, integer divisors)."""
        ...

    # ---- state
    def read(self, handle: Any) -> LoopArray:
        """The value of a variable now (later writes do not change it)."""
        ...

    def write(self, handle: Any, value: LoopArray) -> None:
        """Replace the value of a variable; in place where that cannot be seen."""
        ...

    def write_all(self, handles: Sequence[Any], values: Sequence[LoopArray]) -> None:
        """The same of several, in this order, by what was there before any of them."""
        ...

    def counter(self, is_seeded: bool, advance: Size) -> Scalar:
        """A hidden 64-bit counter of random numbers, as it was before adding `advance`."""
        ...

    # ---- lists (TensorArrays); a list is an opaque value, changed in place where it is not
    # used afterwards. Indices must have been checked. `element_shape` holds a size per axis, -1
    # where it is not known: an element that was never written reads as zeros of that shape, whose
    # unknown sizes are those of the elements that were written (InvalidArgumentError: none was).
    # None where not even the rank is stated: the list's spec knows it, and some element is written.
    def list_reserve(
        self, count: Size, dtype: DType, element_shape: Sequence[Size] | None
    ) -> Any: ...
    def list_of_rank(self, items: Any, rank: int) -> Any:
        """The list, whose elements are known to have this rank."""
        ...

    def list_from_array(self, x: LoopArray) -> Any: ...
    def list_length(self, items: Any) -> Scalar: ...
    def list_get(
        self, items: Any, index: Scalar, dtype: DType, element_shape: Sequence[Size] | None
    ) -> LoopArray: ...
    def list_set(self, items: Any, index: Scalar, value: LoopArray, grow: bool) -> Any: ...
    def list_add(self, items: Any, index: Scalar, value: LoopArray) -> Any:
        """`value` added to one element; where that was never written, set."""
        ...

    def list_push(self, items: Any, value: LoopArray) -> Any: ...
    def list_pop(
        self, items: Any, dtype: DType, element_shape: Sequence[Size] | None
    ) -> tuple[Any, LoopArray]: ...
    def list_resize(self, items: Any, count: Size) -> Any: ...
    def list_stack(
        self, items: Any, dtype: DType, element_shape: Sequence[Size] | None
    ) -> LoopArray: ...
    def list_concat(self, items: Any, dtype: DType, rank: int) -> tuple[LoopArray, LoopArray]:
        """The elements joined along their first axis, and how long each was (int64)."""
        ...

    # ---- control flow over graphs
    def call(self, graph: Any, operands: Sequence[Any]) -> tuple[Any, ...]: ...
    def branch(
        self, index: Scalar, graphs: Sequence[Any], operands: Sequence[Any]
    ) -> tuple[Any, ...]:
        """The results of graphs[index]; an index out of range means the last one."""
        ...

    def loop(self, condition: Any, body: Any, operands: Sequence[Any]) -> tuple[Any, ...]: ...


class NotStatic(Exception):
    """An operand that `lower` needs at compile time is only known at run time."""
