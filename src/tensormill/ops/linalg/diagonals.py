"""Diagonals of matrices: taken out, put in, and matrices made of them.

The diagonal k holds the elements whose column is their row + k. Several diagonals, low to high, are
the rows of a matrix, the highest first; shorter ones are padded on the side that `align` tells:
"RIGHT_LEFT" moves those above the main diagonal to the right and those below it to the left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import DType
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, KernelMissingError, ShapeMismatchError
from ..array.shapes import as_scalar
from ..bind import bind
from ..conversion import as_tensor
from ..demands import dims, refuse
from ..dispatch.meanings import dispatchable
from ..families import in_a_row
from ..op import ANY, Attr, In, Op, Out
from ..scalar import NUMPY
from ..sizes import scalar

if TYPE_CHECKING:
    from ..results import Tensor

ELEMENTS = ANY - frozenset((dtypes.string,))
ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


@dataclass(frozen=True)
class Band:
    """Where elements of some diagonals of a matrix stand; sizes are arrays or loop scalars.

    `s` is the scalar language that these speak (ops/scalar.py).
    """

    s: Any
    low: int
    high: int
    rows: Any
    columns: Any
    align: str

    @property
    def count(self) -> int:
        return self.high - self.low + 1

    @property
    def width(self) -> Any:
        """The length of the longest diagonal."""
        return self.s.minimum(self.rows + min(self.high, 0), self.columns - max(self.low, 0))

    def offset(self, k: Any) -> Any:
        """How far diagonal k is moved to the right."""
        s, zero = self.s, self.s.constant(0, k)
        if self.count == 1:
            return zero
        length = s.minimum(self.rows + s.minimum(k, zero), self.columns - s.maximum(k, zero))
        above, below = self.align.split("_")
        if above == below:
            return zero if above == "LEFT" else self.width - length
        at_left = k >= zero if above == "LEFT" else k <= zero
        return s.where(at_left, zero, self.width - length)

    def inside(self, row: Any, column: Any) -> Any:
        k = column - row
        return (k >= self.s.constant(self.low, k)) & (k <= self.s.constant(self.high, k))

    def place(self, row: Any, column: Any) -> tuple[Any, Any]:
        """Which diagonal, and which of its elements, a matrix element inside of the band is."""
        k = column - row
        return self.high - k, self.s.minimum(row, column) + self.offset(k)

    def element(self, number: Any, position: Any) -> tuple[Any, Any, Any]:
        """Whether there is such an element of diagonal `number`, its row and its column."""
        s, k = self.s, self.high - number
        zero = s.constant(0, k)
        along = position - self.offset(k)
        row, column = along + s.maximum(-k, zero), along + s.maximum(k, zero)
        return (along >= zero) & (row < self.rows) & (column < self.columns), row, column


OUT_OF_BOUND = "{}: {}_diag_index is out of bound: {}. It must be between -{} and {}"


def band_of(low: int, high: int, shape: tuple[int, ...], align: str) -> Band:
    """The band of an eager matrix."""
    rows, columns = numpy_module.array(shape[-2:], numpy_module.int64)
    return Band(NUMPY, low, high, rows, columns, align)


def rows_and_columns(shape: tuple[int, ...]) -> tuple[Any, Any]:
    """The numbers of rows and columns of matrices, which broadcast."""
    return numpy_module.arange(shape[-2])[:, None], numpy_module.arange(shape[-1])


def band_in(loops: Any, low: int, high: int, shape: tuple[Any, ...], align: str) -> Band:
    """The band of a matrix in compiled code."""
    rows, columns = (scalar(loops, size) for size in shape[-2:])
    return Band(loops.scalars, low, high, rows, columns, align)


class Diagonal(Op, abstract=True):
    """What the three operations share: k, and the alignment."""

    k: Any

    align = Attr("RIGHT_LEFT")
    T = ELEMENTS
    refusal = KernelMissingError

    def bounds(self, sizes: Any) -> tuple[int, int]:
        """The lowest and highest diagonal that an int or a pair names."""
        if self.align not in ALIGNMENTS:
            shown = self.name, self.align, str(ALIGNMENTS)
            refuse(InvalidArgumentError, NO_ALIGNMENT, *shown)
        wanted = sizes.static(self.k)
        if numpy_module.ndim(wanted) > 1:
            refuse(InvalidArgumentError, NO_BOUNDS, self.name, numpy_module.shape(wanted))
        listed = in_a_row(wanted)
        if len(listed) not in (1, 2):
            refuse(InvalidArgumentError, WRONG_BOUNDS, self.name, len(listed))
        low, high = listed[0], listed[-1]
        if low > high:
            refuse(InvalidArgumentError, CROSSED_BOUNDS, self.name, low, high)
        return low, high

    def matrix(self, sizes: Any, x: Any) -> tuple[Any, ...]:
        """The shape of matrices."""
        shape = sizes.shape(x)
        if len(shape) < 2:
            refuse(ShapeMismatchError, NO_MATRIX, self.name, shape)
        return shape

    def demand_band(self, sizes: Any, low: int, high: int, rows: Any, columns: Any) -> Any:
        """How long the longest of the diagonals is, which the matrix has."""
        for word, k in (("lower", low), ("upper", high)):
            if k:
                fits = rows > -k if k < 0 else columns > k
                shown = word, k, rows, columns
                sizes.require(fits, InvalidArgumentError, OUT_OF_BOUND, self.name, *shown)
        return sizes.minimum(rows + min(high, 0), columns - max(low, 0))


NO_ALIGNMENT = "{}: align '{}' is not in {}"
NO_MATRIX = "{}: input must be at least 2-dim, received shape: {}"
WRONG_BOUNDS = "{}: k must have one or two elements, not {}"
NO_BOUNDS = "{}: diag_index must be a scalar or vector, received shape: {}"
CROSSED_BOUNDS = "{}: lower_diag_index must not be larger than upper_diag_index: {} > {}"


class MatrixDiagPartV3(Diagonal):
    """Diagonals of matrices. Places that a shorter diagonal leaves free hold `padding_value`."""

    input = In("T ...")
    k = In("i32 ...")
    padding_value = In("T")
    diagonal = Out("T ...")

    def demands(self, sizes: Any) -> Any:
        """The diagonals, and how long the longest is."""
        *_, rows, columns = self.matrix(sizes, self.input)
        low, high = self.bounds(sizes)
        return low, high, self.demand_band(sizes, low, high, rows, columns)

    def infer(self) -> TensorSpec:
        given = self.input.shape.entries
        if given is None or self.found is None:
            return TensorSpec(None, self.input.dtype)
        low, high, width = self.found
        several = () if low == high else (high - low + 1,)
        return TensorSpec((*given[:-2], *several, *dims((width,))), self.input.dtype)

    def eager(self, np: Any) -> Any:
        x, (low, high, _) = self.input, self.found
        band = band_of(low, high, x.shape, self.align)
        found = np.full((*x.shape[:-2], band.count, int(band.width)), self.padding_value, x.dtype)
        if 0 not in found.shape:  # places in all matrices would take time for nothing
            flat = x.reshape(*x.shape[:-2], -1)
            for number, (places, positions) in enumerate(diagonals_of(band)):
                found[..., number, positions] = flat[..., places]
        return found[..., 0, :] if band.count == 1 else found

    def xla(self, xla: Any) -> Any:
        np, x, (low, high, _) = xla.np, self.input, self.found
        band = band_of(low, high, x.shape, self.align)
        shape = (*x.shape[:-2], *((band.count,) if band.count > 1 else ()), band.width)
        if 0 in shape:  # places in all matrices would take memory for nothing, here and below
            return np.empty(shape, x.dtype)
        number = numpy_module.arange(band.count)[:, None]
        position = numpy_module.arange(band.width)
        exists, row, column = band.element(number, position)
        taken = x[..., np.where(exists, row, 0), np.where(exists, column, 0)]
        found = np.where(exists, taken, self.padding_value)
        return found[..., 0, :] if band.count == 1 else found

    def lower(self, loops: Any) -> Any:
        x, s = self.input, loops.scalars
        low, high, width = self.found
        band = band_in(loops, low, high, x.shape, self.align)
        zero = loops.constant(0, dtypes.int64)
        padding = self.padding_value[()]

        def element(*index: Any) -> Any:
            several = band.count > 1
            batch = index[:-2] if several else index[:-1]
            number = scalar(loops, index[-2]) if several else zero
            exists, row, column = band.element(number, scalar(loops, index[-1]))
            if not several:
                return x[[*batch, row, column]]
            where = s.where(exists, row, zero), s.where(exists, column, zero)
            return s.where(exists, x[[*batch, *where]], padding)

        several = () if low == high else (band.count,)
        return loops.map([*x.shape[:-2], *several, width], x.dtype, element)

    def vjp(self, ddiagonal: Any) -> Any:
        from ..array.fill import zeros_like

        none = zeros_like(self.input)
        return bind(MatrixSetDiagV3, none, ddiagonal, self.k, align=self.align), None, None


class MatrixSetDiagV3(Diagonal):
    """Matrices with other diagonals."""

    input = In("T ...")
    diagonal = In("T ...")
    k = In("i32 ...")
    output = Out("T ...")

    def demands(self, sizes: Any) -> Any:
        """The diagonals."""
        shape, (low, high) = self.matrix(sizes, self.input), self.bounds(sizes)
        width = self.demand_band(sizes, low, high, *shape[-2:])
        wanted = (*shape[:-2], *(() if low == high else (high - low + 1,)), width)
        given = sizes.shape(self.diagonal)
        facts = (low, high, shape, given, wanted)
        sizes.require(len(given) == len(wanted), ShapeMismatchError, WRONG_DIAGONAL, *facts)
        for one, want in zip(given, wanted, strict=True):
            fits = sizes.equal(one, want)
            sizes.require_late(fits, ShapeMismatchError, WRONG_DIAGONAL, *facts)
        return low, high

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.input.dtype)

    def eager(self, np: Any) -> Any:
        x, (low, high) = self.input, self.found
        band, found = band_of(low, high, x.shape, self.align), np.array(x, order="C")
        put(band, self.diagonal, found)
        return found

    def xla(self, xla: Any) -> Any:
        x, (low, high) = self.input, self.found
        if not x.size:
            return x.copy()
        band = band_of(low, high, x.shape, self.align)
        row, column = rows_and_columns(x.shape)
        return spread(xla.np, band, self.diagonal, row, column, x)

    def lower(self, loops: Any) -> Any:
        x, (low, high) = self.input, self.found
        band = band_in(loops, low, high, x.shape, self.align)
        return spread_in(loops, band, self.diagonal, x.shape, lambda index: x[index])

    def vjp(self, doutput: Any) -> Any:
        from ..array.fill import zeros_like

        none = zeros_like(self.diagonal)
        rest = bind(MatrixSetDiagV3, doutput, none, self.k, align=self.align)
        part = bind(MatrixDiagPartV3, doutput, self.k, _zero(doutput), align=self.align)
        return rest, part, None


WRONG_DIAGONAL = (
    "MatrixSetDiagV3: diagonal has shape {3}, but {4} is wanted for diagonals {0} to {1} of a "
    "matrix of shape {2}"
)


def diagonals_of(band: Band) -> list[tuple[slice, slice]]:
    """Where each diagonal of an eager matrix stands: among its elements in a row, and in the rows
    of diagonals.
    """
    rows, columns = int(band.rows), int(band.columns)
    k = range(band.high, band.low - 1, -1)
    numbers = numpy_module.array(k)
    moved = [0] if band.count == 1 else (band.offset(numbers) + 0 * numbers).tolist()
    found: list[tuple[slice, slice]] = []
    for one, offset in zip(k, moved, strict=True):
        down, right = max(-one, 0), max(one, 0)
        length, first = min(rows - down, columns - right), down * columns + right
        places = slice(first, first + length * (columns + 1), columns + 1)
        found.append((places, slice(offset, offset + length)))
    return found


def put(band: Band, diagonal: Any, found: Any) -> None:
    """Write diagonals into eager matrices."""
    if not found.size or not diagonal.size:
        return
    flat = found.reshape(*found.shape[:-2], -1)
    listed = diagonal[..., None, :] if band.count == 1 else diagonal
    for number, (places, positions) in enumerate(diagonals_of(band)):
        flat[..., places] = listed[..., number, positions]


def spread(np: Any, band: Band, diagonal: Any, row: Any, column: Any, elsewhere: Any) -> Any:
    """Matrices with these diagonals, and `elsewhere` outside of the band, element by element."""
    if not diagonal.shape[-1]:
        return np.array(elsewhere)
    inside = band.inside(row, column)
    number, position = band.place(row, column)
    rows = diagonal[..., None, :] if band.count == 1 else diagonal
    taken = rows[..., np.where(inside, number, 0), np.where(inside, position, 0)]
    return np.where(inside, taken, elsewhere)


def spread_in(loops: Any, band: Band, diagonal: Any, shape: Any, elsewhere: Any) -> Any:
    """The same in compiled code; `elsewhere(index)` is an element."""
    s, zero = loops.scalars, loops.constant(0, dtypes.int64)

    def element(*index: Any) -> Any:
        *batch, row, column = index
        row, column = scalar(loops, row), scalar(loops, column)
        inside = band.inside(row, column)
        number, position = (s.where(inside, one, zero) for one in band.place(row, column))
        place = [*batch, position] if band.count == 1 else [*batch, number, position]
        return s.where(inside, diagonal[place], elsewhere(index))

    return loops.map(shape, diagonal.dtype, element)


class MatrixDiagV3(Diagonal):
    """Matrices with the given diagonals, and `padding_value` elsewhere.

    num_rows, num_cols: -1 stands for the fewest that the diagonals need, or for a square.
    """

    diagonal = In("T ...")
    k = In("i32 ...")
    num_rows = In("i32")
    num_cols = In("i32")
    padding_value = In("T")
    output = Out("T ...")

    def demands(self, sizes: Any) -> Any:
        """The diagonals, and the shapes of the batch and of the matrices."""
        (low, high), given = self.bounds(sizes), sizes.shape(self.diagonal)
        several, count = high > low, high - low + 1
        if len(given) < 1 + several:
            refuse(ShapeMismatchError, TOO_FEW_AXES, self.name, 1 + several, given)
        if several:
            fits = sizes.equal(given[-2], count)
            sizes.require(fits, ShapeMismatchError, WRONG_COUNT, self.name, given[-2], low, high)
        asked = sizes.static(self.num_rows), sizes.static(self.num_cols)
        return low, high, given[: -1 - several], self.square(sizes, given[-1], low, high, *asked)

    def square(self, sizes: Any, width: Any, low: int, high: int, rows: int, columns: int) -> Any:
        """The numbers of rows and columns."""
        more = max(-min(high, 0), max(low, 0))
        if rows == -1 and columns == -1:
            return width + more, width + more
        width = sizes.fixed(width, "the length of the diagonals")
        fewest_rows, fewest_columns = width - min(high, 0), width + max(low, 0)
        rows = fewest_rows if rows == -1 else rows
        columns = fewest_columns if columns == -1 else columns
        for word, have, need in (("rows", rows, fewest_rows), ("columns", columns, fewest_columns)):
            if have < need:
                refuse(InvalidArgumentError, TOO_SMALL, self.name, word, have, need)
        if rows != fewest_rows and columns != fewest_columns:
            refuse(InvalidArgumentError, INCONSISTENT, self.name, rows, columns)
        return rows, columns

    def infer(self) -> TensorSpec:
        given = self.diagonal.shape.entries
        if self.found is not None:
            _, _, batch, shape = self.found
            return TensorSpec(dims((*batch, *shape)), self.diagonal.dtype)
        k = self.k.value
        if given is None or k is None:
            return TensorSpec(None, self.diagonal.dtype)
        several = int(k.size == 2 and k.reshape(-1)[0] < k.reshape(-1)[1])
        return TensorSpec((*given[: -1 - several], None, None), self.diagonal.dtype)

    def eager(self, np: Any) -> Any:
        x, (low, high, batch, shape) = self.diagonal, self.found
        sizes, padding = (*batch, *shape), self.padding_value
        # -0.0 is not what `zeros` writes.
        is_zero = padding.tobytes() == np.zeros((), padding.dtype).tobytes()
        found = np.zeros(sizes, x.dtype) if is_zero else np.full(sizes, padding, x.dtype)
        put(band_of(low, high, shape, self.align), x, found)
        return found

    def xla(self, xla: Any) -> Any:
        np, x, (low, high, batch, shape) = xla.np, self.diagonal, self.found
        if 0 in (*batch, *shape):
            return np.empty((*batch, *shape), x.dtype)
        band = band_of(low, high, shape, self.align)
        row, column = rows_and_columns(shape)
        padding = np.broadcast_to(self.padding_value, (*batch, *shape))
        return spread(np, band, x, row, column, padding)

    def lower(self, loops: Any) -> Any:
        x, (low, high, batch, shape) = self.diagonal, self.found
        band = band_in(loops, low, high, shape, self.align)
        padding = self.padding_value[()]
        return spread_in(loops, band, x, [*batch, *shape], lambda index: padding)

    def vjp(self, doutput: Any) -> Any:
        part = bind(MatrixDiagPartV3, doutput, self.k, _zero(doutput), align=self.align)
        return part, None, None, None, None


TOO_FEW_AXES = "{}: diagonal must be at least {}-dim, received shape: {}"
WRONG_COUNT = (
    "{}: The number of diagonals provided in the input does not match the lower_diag_index and "
    "upper_diag_index range: {} for {} to {}"
)
TOO_SMALL = "{}: The number of {} is too small: {}, but {} are needed"
INCONSISTENT = (
    "{}: The number of rows or columns is not consistent with the specified k and diagonal: {}, {}"
)


def _zero(like: Any) -> Any:
    return as_tensor(0, like.dtype)


# ---------------------------------------------------------------- functions


def padding_of(value: Any, dtype: DType) -> Any:
    """What free places hold: 0, which is the default, is False among booleans."""
    is_default = type(value) is int and value == 0
    return as_tensor(False if is_default and dtype.is_bool else value, dtype)


@dispatchable
def diag(
    diagonal: Any,
    name: str | None = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with the given diagonals.

    Args:
        diagonal: [..., n] for one diagonal; [..., number of diagonals, n] for several, the highest
            first. Any dtype but strings.
        k: which diagonal: 0 the main one, above 0 those above it; or a pair, the lowest and the
            highest.
        num_rows, num_cols: the size of the matrices; -1 for as small as can be.
        padding_value: what stands elsewhere.
        align: on which side the diagonals above and below the main one stand in their rows:
            "LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT" or "RIGHT_RIGHT".

    >>> tf.linalg.diag([1, 2], k=1).numpy()
    array([[0, 1, 0],
           [0, 0, 2],
           [0, 0, 0]], dtype=int32)
    >>> tf.linalg.diag([[0, 8, 9], [1, 2, 3]], k=(0, 1)).numpy()
    array([[1, 8, 0],
           [0, 2, 9],
           [0, 0, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: the matrices are too small for the diagonals.
    """
    x = as_tensor(diagonal)
    padding = padding_of(padding_value, x.dtype)
    return bind(MatrixDiagV3, x, k, num_rows, num_cols, padding, align=align, name=name)


@dispatchable
def diag_part(
    input: Any,
    name: str | None = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Diagonals of matrices [..., rows, columns]: [..., n], or [..., number, n] for several.

    Any dtype but strings. `k` and `align` are as in `diag`; free places hold `padding_value`.

    >>> tf.linalg.diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    >>> tf.linalg.diag_part([[1, 2], [3, 4]], k=(0, 1), padding_value=-1).numpy()
    array([[-1,  2],
           [ 1,  4]], dtype=int32)

    Raises:
        InvalidArgumentError: the matrices have no such diagonal.
    """
    x = as_tensor(input)
    padding = as_scalar(padding_of(padding_value, x.dtype))
    return bind(MatrixDiagPartV3, x, k, padding, align=align, name=name)


@dispatchable
def set_diag(
    input: Any,
    diagonal: Any,
    name: str | None = "set_diag",
    k: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """Matrices with other diagonals; `k`, `align` and `diagonal` are as in `diag`.

    input: [..., rows, columns], any dtype but strings; the result is alike.

    >>> tf.linalg.set_diag([[1, 2], [3, 4]], [8, 9]).numpy()
    array([[8, 2],
           [3, 9]], dtype=int32)
    >>> tf.linalg.set_diag([[1, 2], [3, 4]], [7], k=-1).numpy()
    array([[1, 2],
           [7, 4]], dtype=int32)

    Raises:
        InvalidArgumentError: the matrices have no such diagonal, or one of another length.
    """
    x = as_tensor(input)
    return bind(MatrixSetDiagV3, x, as_tensor(diagonal, x.dtype), k, align=align, name=name)


@dispatchable
def trace(x: Any, name: str | None = None) -> Tensor:
    """The sums of the main diagonals: [..., m, n] gives [...]. Numbers.

    >>> tf.linalg.trace([[[1, 2], [3, 4]], [[10, 0], [0, 20]]]).numpy()
    array([ 5, 30], dtype=int32)

    Raises:
        InvalidArgumentError: fewer than two axes.
    """
    from ..math.reduce import reduce_sum

    return reduce_sum(diag_part(x), [-1], name=name)
