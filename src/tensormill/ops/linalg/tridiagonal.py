"""Matrices of which three diagonals count: products and systems of equations.

"Compact" diagonals are [..., 3, m]: the one above the main diagonal (its last element does not
count), the main one, the one below (its first element does not count).
"""

from __future__ import annotations

from typing import Any

from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..array.concatenation import stack
from ..array.padding import pad
from ..array.rearrangement import matrix_transpose
from ..array.shapes import expand_dims, shape_of, squeeze
from ..bind import bind
from ..checks.assertions import assert_equal
from ..conversion import as_tensor, known_rank
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..in_xla.tridiagonal import eliminated_in_xla
from ..math.arithmetic import conjugated
from ..math.reduce import reduce_sum
from ..op import Attr, In, Op, Out, types
from .diagonals import diag_part

FORMATS = ("compact", "sequence", "matrix")
MANY = 2048


class TridiagonalMatMul(Op):
    """The product of tridiagonal matrices and matrices [..., m, n].

    superdiag, maindiag, subdiag: [..., 1, m].
    """

    superdiag = In("T ...")
    maindiag = In("T ...")
    subdiag = In("T ...")
    rhs = In("T ...")
    output = Out("T ...")
    T = types("f32 f64 c64 c128")

    def demands(self, sizes: Any) -> None:
        rhs = sizes.shape(self.rhs)
        for name in ("superdiag", "maindiag", "subdiag"):
            diagonal = sizes.shape(getattr(self, name))
            if len(diagonal) != len(rhs) or len(rhs) < 2:
                refuse(ShapeMismatchError, "All input tensors must have the same rank.")
            wanted = (*rhs[:-2], 1, rhs[-2])
            for one, other in zip(diagonal, wanted, strict=True):
                fits = sizes.equal(one, other)
                sizes.require(fits, ShapeMismatchError, UNLIKE, name, diagonal, rhs)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.rhs.shape, self.rhs.dtype)

    def expand(self) -> Any:
        above, main, below = map(matrix_transpose, (self.superdiag, self.maindiag, self.subdiag))
        rhs, outer = self.rhs, [[0, 0]] * (known_rank(self.rhs, self.name) - 2)
        later = pad(above[..., :-1, :] * rhs[..., 1:, :], [*outer, [0, 1], [0, 0]])
        earlier = pad(below[..., 1:, :] * rhs[..., :-1, :], [*outer, [1, 0], [0, 0]])
        return main * rhs + later + earlier


UNLIKE = "TridiagonalMatMul: Invalid {} shape: {} does not fit rhs of shape {}"


class TridiagonalSolve(Op):
    """x with A x = rhs: [..., m, k], for the tridiagonal matrices A of diagonals [..., 3, m].

    By Gaussian elimination; with `partial_pivoting` neighbouring rows are exchanged where that
    gives the larger pivot. Where a pivot is 0 the whole solution is NaN.
    """

    native_from = MANY

    diagonals = In("T ...")
    rhs = In("T ...")
    output = Out("T ...")
    partial_pivoting = Attr(True)
    perturb_singular = Attr(False)
    T = types("f32 f64 c64 c128")

    def demands(self, sizes: Any) -> None:
        diagonals, rhs = sizes.shape(self.diagonals), sizes.shape(self.rhs)
        if len(diagonals) != len(rhs) or len(rhs) < 2:
            refuse(ShapeMismatchError, "TridiagonalSolve: unlike ranks: {} and {}", diagonals, rhs)
        wanted = (*rhs[:-2], 3, rhs[-2])
        for one, other in zip(diagonals, wanted, strict=True):
            fits = sizes.equal(one, other)
            sizes.require(fits, ShapeMismatchError, UNFIT, diagonals, rhs)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.rhs.shape, self.rhs.dtype)

    def eager(self, np: Any) -> Any:
        with np.errstate(all="ignore"):
            return eliminated(np, self.diagonals, self.rhs, self.partial_pivoting)

    def xla(self, xla: Any) -> Any:
        return eliminated_in_xla(xla, self.diagonals, self.rhs, self.partial_pivoting)

    def lower(self, loops: Any) -> Any:
        return loops.solve_tridiagonal(self.diagonals, self.rhs, self.partial_pivoting)

    def vjp(self, doutput: Any) -> Any:
        above, main, below = (conjugated(self.diagonals[..., k, :]) for k in range(3))
        turned = stack([_shifted(below, 1), main, _shifted(above, -1)], axis=-2)
        drhs = bind(TridiagonalSolve, turned, doutput, **self.attr_values())
        return lambda: self._to_diagonals(drhs), drhs

    def _to_diagonals(self, drhs: Any) -> Any:
        x = conjugated(self.output)
        same = -reduce_sum(drhs * x, -1)
        above = -reduce_sum(drhs[..., :-1, :] * x[..., 1:, :], -1)
        below = -reduce_sum(drhs[..., 1:, :] * x[..., :-1, :], -1)
        return stack([_padded(above, 0, 1), same, _padded(below, 1, 0)], axis=-2)


UNFIT = "TridiagonalSolve: diagonals of shape {} do not fit rhs of shape {}"


def _padded(diagonal: Any, before: int, after: int) -> Any:
    outer = [[0, 0]] * (known_rank(diagonal, TridiagonalSolve.name) - 1)
    return pad(diagonal, [*outer, [before, after]])


def _shifted(diagonal: Any, by: int) -> Any:
    """The elements, each `by` places further to the front; a zero fills the place that is left."""
    return _padded(diagonal[..., 1:], 0, 1) if by > 0 else _padded(diagonal[..., :-1], 1, 0)


def eliminated(np: Any, diagonals: Any, rhs: Any, pivoting: bool) -> Any:
    """The solutions: row after row, all matrices at once."""
    above, main, below = (diagonals[..., k, :].copy() for k in range(3))
    above[..., -1:] = 0
    far, x, count = np.zeros_like(main), rhs.copy(), rhs.shape[-2]
    for i in range(count - 1):
        upper = below[..., i + 1]
        exchanged = (np.abs(main[..., i]) < np.abs(upper)) & pivoting
        pivot = np.where(exchanged, upper, main[..., i])
        other = np.where(exchanged, main[..., i], upper)
        factor = np.where(pivot == 0, 0, other / pivot)
        first = np.where(exchanged, main[..., i + 1], above[..., i])
        second = np.where(exchanged, above[..., i], main[..., i + 1])
        beyond = above[..., i + 1]
        main[..., i], above[..., i], far[..., i] = pivot, first, np.where(exchanged, beyond, 0)
        main[..., i + 1] = second - factor * first
        above[..., i + 1] = np.where(exchanged, -factor * beyond, beyond)
        swap = exchanged[..., None]
        upper_row = np.where(swap, x[..., i + 1, :], x[..., i, :])
        lower_row = np.where(swap, x[..., i, :], x[..., i + 1, :])
        x[..., i, :], x[..., i + 1, :] = upper_row, lower_row - factor[..., None] * upper_row
    for i in range(count - 1, -1, -1):
        if i + 1 < count:
            x[..., i, :] -= above[..., i, None] * x[..., i + 1, :]
        if i + 2 < count:
            x[..., i, :] -= far[..., i, None] * x[..., i + 2, :]
        x[..., i, :] /= main[..., i, None]
    singular = (main == 0).any(-1)
    return np.where(singular[..., None, None], np.array(np.nan, x.dtype), x)


# ---------------------------------------------------------------- what users call


@dispatchable
def tridiagonal_solve(
    diagonals: Any,
    rhs: Any,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Any:
    """x with A x = rhs, for matrices A of which three diagonals count.

    diagonals: float32, float64 or complex; "compact": [..., 3, m], the diagonal above the main one
    (its last element does not count), the main one, the one below (its first element does not
    count); "sequence": these three, [..., m] each, or without what does not count; "matrix":
    [..., m, m]. rhs: [..., m, k], or [..., m] where it has an axis less than the matrices; with
    `transpose_rhs` [..., k, m]. The result is like rhs, not transposed. Without `partial_pivoting`
    rows are not exchanged. A matrix that is singular gives NaN. `perturb_singular` changes
    nothing: TensorFlow heeds it on TPUs alone.

    >>> tf.linalg.tridiagonal_solve([[1., 0.], [2., 2.], [0., 1.]], [3., 3.]).numpy()
    array([1., 1.], dtype=float32)

    Raises:
        ValueError: the format is unknown, sizes do not fit, `perturb_singular` is to go without
            pivoting, or a rank is unknown while tracing.
    """
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    compact = as_compact(diagonals, diagonals_format)
    rhs = as_tensor(rhs)
    is_vector = known_rank(rhs, "tridiagonal_solve") == known_rank(compact, "tridiagonal_solve") - 1
    if is_vector:
        rhs = expand_dims(rhs, -1)
    elif transpose_rhs:
        rhs = matrix_transpose(rhs)
    if conjugate_rhs:
        rhs = conjugated(rhs)
    found = bind(
        TridiagonalSolve,
        compact,
        rhs,
        partial_pivoting=partial_pivoting,
        perturb_singular=perturb_singular,
        name=name,
    )
    return squeeze(found, -1) if is_vector else found


@dispatchable
def tridiagonal_matmul(
    diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None
) -> Any:
    """The products of matrices, of which three diagonals count, and `rhs`: [..., m, k].

    diagonals: as of `tridiagonal_solve`. float32, float64 or complex.

    >>> tf.linalg.tridiagonal_matmul([[1., 0.], [2., 2.], [0., 1.]], [[1.], [1.]]).numpy()
    array([[3.],
           [3.]], dtype=float32)

    Raises:
        ValueError: the format is unknown.
        InvalidArgumentError: sizes do not fit (also a ValueError).
    """
    compact = as_compact(diagonals, diagonals_format)
    above, main, below = (compact[..., k : k + 1, :] for k in range(3))
    return bind(TridiagonalMatMul, above, main, below, rhs, name=name)


def as_compact(diagonals: Any, format: str) -> Any:
    """Diagonals of any format as one tensor [..., 3, m].

    Raises:
        ValueError: the format is unknown, or there are not three diagonals.
    """
    if format not in FORMATS:
        raise ValueError(f"Unrecognized diagonals_format: {format}; it is one of {FORMATS}")
    if format == "sequence":
        return _of_sequence(*map(as_tensor, diagonals))
    diagonals = as_tensor(diagonals)
    if format == "matrix":
        return diag_part(diagonals, k=(-1, 1), align="LEFT_RIGHT")
    if diagonals.shape.rank is not None and diagonals.shape[-2] not in (3, None):
        raise ValueError(f"Expected 3 diagonals got {diagonals.shape[-2]}")
    if diagonals.shape.rank is None or diagonals.shape[-2] is None:
        assert_equal(shape_of(diagonals)[-2], 3, message="Expected 3 diagonals")
    return diagonals


def _of_sequence(above: Any, main: Any, below: Any) -> Any:
    count = main.shape[-1]
    if count is not None and above.shape[-1] == count - 1:
        above = _padded(above, 0, 1)
    if count is not None and below.shape[-1] == count - 1:
        below = _padded(below, 1, 0)
    return stack([above, main, below], axis=-2)
