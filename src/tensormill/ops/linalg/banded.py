"""Systems of equations with triangular matrices whose elements are near the main diagonal.

Bands are [..., b, m]: of a lower triangle the main diagonal, then those below it, whose first
elements do not count; of an upper one those above it, whose last elements do not count, the
farthest first, then the main one.
"""

from __future__ import annotations

from typing import Any

from ...core.shapes import broadcast_dims
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.broadcasting import unbroadcast
from ..array.fill import range as numbers_from
from ..array.fill import zeros_like
from ..array.gather import gather
from ..array.select import where
from ..array.shapes import expand_dims, shape_of
from ..bind import bind
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import conjugated, maximum
from ..math.norms import clip_by_value
from ..math.reduce import reduce_sum
from ..op import Attr, In, Op, Out, types
from .matmul import demand_batches

MANY = 2048
SINGULAR = "BandedTriangularSolve: Input matrix is not invertible."
NO_MATRICES = "BandedTriangularSolve: ndims must be >= 2: {} {}"
NO_BANDS = "BandedTriangularSolve: matrix has no band, not even the main diagonal: {}"
UNLIKE_ROWS = "BandedTriangularSolve: {} rows of matrix do not fit {} rows of rhs: {} {}"
UNLIKE_BATCHES = "BandedTriangularSolve: batch axes do not broadcast: {} vs. {}"


class BandedTriangularSolve(Op):
    """x with A x = rhs (adjoint: A^H x = rhs): [..., m, k]; leading axes broadcast.

    Raises:
        InvalidArgumentError: the main diagonal has a zero.
    """

    native_from = MANY

    matrix = In("T ...")
    rhs = In("T ...")
    output = Out("T ...")
    lower_ = Attr(True)
    adjoint = Attr(False)
    T = types("f32 f64 c64 c128")

    def demands(self, sizes: Any) -> None:
        matrix, rhs = sizes.shape(self.matrix), sizes.shape(self.rhs)
        if len(matrix) < 2 or len(rhs) < 2:
            refuse(ShapeMismatchError, NO_MATRICES, matrix, rhs)
        sizes.require(matrix[-2] >= 1, ShapeMismatchError, NO_BANDS, matrix)
        fits = sizes.equal(matrix[-1], rhs[-2])
        sizes.require(fits, ShapeMismatchError, UNLIKE_ROWS, matrix[-1], rhs[-2], matrix, rhs)
        demand_batches(sizes, matrix, rhs, UNLIKE_BATCHES)

    def infer(self) -> TensorSpec:
        matrix, rhs = self.matrix.shape.entries, self.rhs.shape.entries
        if matrix is None or rhs is None:
            return TensorSpec(None, self.rhs.dtype)
        batch = broadcast_dims(tuple(matrix[:-2]), tuple(rhs[:-2]))
        rows = matrix[-1] if rhs[-2] is None else rhs[-2]
        return TensorSpec((*batch, rows, rhs[-1]), self.rhs.dtype)

    def eager(self, np: Any) -> Any:
        bands = self.matrix if self.lower_ else self.matrix[..., ::-1, :]
        if (bands[..., 0, :] == 0).any():
            raise InvalidArgumentError(SINGULAR)
        batch = np.broadcast_shapes(bands.shape[:-2], self.rhs.shape[:-2])
        x = np.broadcast_to(self.rhs, (*batch, *self.rhs.shape[-2:])).copy()
        substitute(np, bands, x, upwards=self.lower_ == self.adjoint, adjoint=self.adjoint)
        return x

    def xla(self, xla: Any) -> Any:
        np = xla.np
        bands, upwards = self.matrix, self.lower_ == self.adjoint
        bands = bands if self.lower_ else bands[..., ::-1, :]
        batch = np.broadcast_shapes(bands.shape[:-2], self.rhs.shape[:-2])
        start = np.broadcast_to(self.rhs, (*batch, *self.rhs.shape[-2:]))
        bands = np.broadcast_to(
            np.conj(bands) if self.adjoint else bands, (*batch, *bands.shape[-2:])
        )
        away = 1 if upwards else -1
        distances = np.arange(1, bands.shape[-2])

        def step(number: Any, x: Any) -> Any:
            i = x.shape[-2] - 1 - number if upwards else number
            near = i + away * distances
            inside = (near >= 0) & (near < x.shape[-2])
            near = np.where(inside, near, 0)
            factors = bands[..., distances, near if self.adjoint else i]
            taken = np.where(inside, factors, 0)[..., None] * x[..., near, :]
            row = (x[..., i, :] - taken.sum(-2)) / bands[..., 0, i, None]
            return x.at[..., i, :].set(row)

        return xla.lax.fori_loop(0, start.shape[-2], step, start)

    def lower(self, loops: Any) -> Any:
        singular = InvalidArgumentError, SINGULAR
        return loops.solve_banded(self.matrix, self.rhs, self.lower_, self.adjoint, singular)

    def vjp(self, doutput: Any) -> Any:
        x, bands = self.output, self.matrix
        drhs = banded_triangular_solve(bands, doutput, self.lower_, not self.adjoint)
        left, right = (x, drhs) if self.adjoint else (drhs, x)
        return lambda: unbroadcast(self._bands(left, right), bands), unbroadcast(drhs, self.rhs)

    def _bands(self, left: Any, right: Any) -> Any:
        """The elements of -left right^H that are in the bands."""
        sizes = shape_of(self.matrix)
        away, rows = numbers_from(sizes[-2])[:, None], numbers_from(sizes[-1])
        columns = rows - away if self.lower_ else rows + (sizes[-2] - 1 - away)
        inside = (columns >= 0) & (columns < sizes[-1])
        places = clip_by_value(columns, 0, maximum(sizes[-1] - 1, 0))
        factors = conjugated(gather(right, places, axis=-2))
        found = -reduce_sum(expand_dims(left, -3) * factors, -1)
        return where(inside, found, zeros_like(found))


def substitute(np: Any, bands: Any, x: Any, upwards: bool, adjoint: bool) -> None:
    """Solve in place, row after row; the main diagonal is the first of `bands`."""
    count, away = x.shape[-2], -1 if not upwards else 1
    bands = np.conj(bands) if adjoint else bands
    for i in range(count - 1, -1, -1) if upwards else range(count):
        for distance in range(1, bands.shape[-2]):
            k = i + away * distance
            if 0 <= k < count:
                factor = bands[..., distance, k if adjoint else i, None]
                x[..., i, :] -= factor * x[..., k, :]
        x[..., i, :] /= bands[..., 0, i, None]


@dispatchable
def banded_triangular_solve(
    bands: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Any:
    """x with A x = rhs, for triangular matrices A that are zero far from the main diagonal.

    bands: [..., b, m], float32, float64 or complex: of a lower triangle the main diagonal, then
    those below it, moved to the right so that their first elements do not count; of an upper one
    those above it, whose last elements do not count, the farthest first, then the main one.
    rhs: [..., m, k]; leading axes broadcast. adjoint: solve with A^H.

    >>> tf.linalg.banded_triangular_solve([[2., 2.], [0., 1.]], [[2.], [5.]]).numpy()
    array([[1.],
           [2.]], dtype=float32)

    Raises:
        InvalidArgumentError: sizes do not fit (also a ValueError), or A is singular.
    """
    return bind(BandedTriangularSolve, bands, rhs, lower_=lower, adjoint=adjoint, name=name)
