"""Diagonals of matrices: taken out, put in, and matrices made of them.

The diagonal k holds the elements whose column is their row + k. Several diagonals, low to high, are
the rows of a matrix, the highest first; shorter ones are padded on the side that `align` tells:
"RIGHT_LEFT" moves those above the main diagonal to the right and those below it to the left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from .. import sizes
from ..array.shapes import as_scalar
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..lowering import NotStatic
from ..op import ANY, Attr, In, Op, Out
from ..scalar import NUMPY

ELEMENTS = ANY - frozenset((dtypes.string,))
ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


def bounds(k: Any, name: str) -> tuple[int, int]:
    """The lowest and highest diagonal that an int or a pair names."""
    listed = [int(one) for one in k] if isinstance(k, (list, tuple)) else [int(k)]
    if len(listed) not in (1, 2):
        raise InvalidArgumentError(f"{name}: k must have one or two elements, not {len(listed)}")
    low, high = listed[0], listed[-1]
    if low > high:
        raise InvalidArgumentError(
            f"{name}: lower_diag_index must not be larger than upper_diag_index: {low} > {high}"
        )
    return low, high


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


def require_band(name: str, low: int, high: int, rows: Any, columns: Any) -> None:
    """Refuse diagonals that a matrix of a known size does not have."""
    for word, k in (("lower", low), ("upper", high)):
        below = rows is not None and k <= -rows and k != 0
        if below or (columns is not None and k >= columns and k != 0):
            raise InvalidArgumentError(
                f"{name}: {word}_diag_index is out of bound: {k}. It must be between "
                f"-{rows} and {columns}"
            )


def band_of(np: Any, low: int, high: int, shape: tuple[int, ...], align: str) -> Band:
    """The band of an eager matrix."""
    return Band(NUMPY, low, high, np.int64(shape[-2]), np.int64(shape[-1]), align)


def band_in(loops: Any, low: int, high: int, shape: tuple[Any, ...], align: str) -> Band:
    """The band of a matrix in compiled code."""
    rows, columns = (sizes.scalar(loops, size) for size in shape[-2:])
    return Band(loops.scalars, low, high, rows, columns, align)


def width_of(low: int, high: int, rows: int | None, columns: int | None) -> int | None:
    if rows is None or columns is None:
        return None
    return min(rows + min(high, 0), columns - max(low, 0))


class Diagonal(Op, abstract=True):
    """What the three operations share: k, and the alignment."""

    align = Attr("RIGHT_LEFT")
    T = ELEMENTS

    def known_bounds(self) -> tuple[int, int] | None:
        return None if self.k.value is None else self.bounds_in(self.k.value)

    def bounds_in(self, k: Any) -> tuple[int, int]:
        """The lowest and highest diagonal that an array names."""
        if self.align not in ALIGNMENTS:
            raise InvalidArgumentError(f"{self.name}: align '{self.align}' is not in {ALIGNMENTS}")
        return bounds(k.reshape(-1).tolist(), self.name)

    def require_matrix(self, dims: Any) -> None:
        if len(dims) < 2:
            raise ShapeMismatchError(
                f"{self.name}: input must be at least 2-dim, received shape: {list(dims)}"
            )


class MatrixDiagPartV3(Diagonal):
    """Diagonals of matrices. Places that a shorter diagonal leaves free hold `padding_value`."""

    input = In("T ...")
    k = In("i32 ...")
    padding_value = In("T")
    diagonal = Out("T ...")

    def infer(self) -> TensorSpec:
        dims, found = self.input.shape.dims, self.known_bounds()
        if dims is None:
            return TensorSpec(None, self.input.dtype)
        self.require_matrix(dims)
        if found is None:
            return TensorSpec(None, self.input.dtype)
        low, high = found
        *batch, rows, columns = dims
        require_band(self.name, low, high, rows, columns)
        several = () if low == high else (high - low + 1,)
        width = width_of(low, high, rows, columns)
        return TensorSpec((*batch, *several, width), self.input.dtype)

    def eager(self, np: Any) -> Any:
        x, (low, high) = self.input, self.bounds_in(self.k)
        self.require_matrix(x.shape)
        require_band(self.name, low, high, *x.shape[-2:])
        band = band_of(np, low, high, x.shape, self.align)
        shape = (*x.shape[:-2], *((band.count,) if band.count > 1 else ()), band.width)
        if 0 in shape:  # places in all matrices would take memory for nothing, here and below
            return np.empty(shape, x.dtype)
        number, position = np.arange(band.count)[:, None], np.arange(band.width)
        exists, row, column = band.element(number, position)
        taken = x[..., np.where(exists, row, 0), np.where(exists, column, 0)]
        found = np.where(exists, taken, self.padding_value)
        return found[..., 0, :] if band.count == 1 else found

    def lower(self, loops: Any) -> Any:
        x, s = self.input, loops.scalars
        low, high = bounds(loops.static(self.k), self.name)
        band = band_in(loops, low, high, x.shape, self.align)
        zero = loops.constant(0, dtypes.int64)
        padding = self.padding_value[()]

        def element(*index: Any) -> Any:
            several = band.count > 1
            batch = index[:-2] if several else index[:-1]
            number = sizes.scalar(loops, index[-2]) if several else zero
            exists, row, column = band.element(number, sizes.scalar(loops, index[-1]))
            if not several:
                return x[[*batch, row, column]]
            where = s.where(exists, row, zero), s.where(exists, column, zero)
            return s.where(exists, x[[*batch, *where]], padding)

        require_band_in(loops, low, high, x.shape)
        width = width_in(loops, low, high, x.shape)
        several = () if low == high else (band.count,)
        return loops.map([*x.shape[:-2], *several, width], x.dtype, element)

    def vjp(self, ddiagonal: Any) -> Any:
        from ..array.fill import zeros_like

        none = zeros_like(self.input)
        return bind(MatrixSetDiagV3, none, ddiagonal, self.k, align=self.align), None, None


OUT_OF_BOUND = "lower_diag_index or upper_diag_index is out of bound: {}"


class MatrixSetDiagV3(Diagonal):
    """Matrices with other diagonals."""

    input = In("T ...")
    diagonal = In("T ...")
    k = In("i32 ...")
    output = Out("T ...")

    def infer(self) -> TensorSpec:
        dims, found = self.input.shape.dims, self.known_bounds()
        if dims is not None:
            self.require_matrix(dims)
        if dims is not None and found is not None:
            require_band(self.name, *found, *dims[-2:])
            self.require_diagonal(dims, self.diagonal.shape, *found)
        return TensorSpec(self.input.shape, self.input.dtype)

    def require_diagonal(self, dims: Any, given: Any, low: int, high: int) -> None:
        several = () if low == high else (high - low + 1,)
        wanted = (*dims[:-2], *several, width_of(low, high, *dims[-2:]))
        if not given.is_compatible_with(list(wanted)):
            raise ShapeMismatchError(
                f"MatrixSetDiagV3: diagonal has shape {given}, but {list(wanted)} is wanted for "
                f"diagonals {low} to {high} of a matrix of shape {list(dims)}"
            )

    def eager(self, np: Any) -> Any:
        x, (low, high) = self.input, self.bounds_in(self.k)
        self.require_matrix(x.shape)
        require_band(self.name, low, high, *x.shape[-2:])
        self.require_diagonal(x.shape, TensorShape(self.diagonal.shape), low, high)
        if not x.size:
            return x.copy()
        band = band_of(np, low, high, x.shape, self.align)
        row, column = np.arange(x.shape[-2])[:, None], np.arange(x.shape[-1])
        return spread(np, band, self.diagonal, row, column, x)

    def lower(self, loops: Any) -> Any:
        x, (low, high) = self.input, bounds(loops.static(self.k), self.name)
        require_band_in(loops, low, high, x.shape)
        band = band_in(loops, low, high, x.shape, self.align)
        several = () if low == high else (high - low + 1,)
        wanted = [*x.shape[:-2], *several, width_in(loops, low, high, x.shape)]
        sizes.require_same(loops, self.diagonal.shape, wanted, WRONG_DIAGONAL)
        return spread_in(loops, band, self.diagonal, x.shape, lambda index: x[index])

    def vjp(self, doutput: Any) -> Any:
        from ..array.fill import zeros_like

        none = zeros_like(self.diagonal)
        rest = bind(MatrixSetDiagV3, doutput, none, self.k, align=self.align)
        part = bind(MatrixDiagPartV3, doutput, self.k, _zero(doutput), align=self.align)
        return rest, part, None


WRONG_DIAGONAL = "MatrixSetDiagV3: diagonal has {} elements, but {} are wanted"


def require_band_in(loops: Any, low: int, high: int, shape: Any) -> None:
    """`require_band` in compiled code."""
    for k in {low, high} - {0}:
        fits = k > -shape[-2] if k < 0 else k < shape[-1]
        sizes.demand(loops, fits, InvalidArgumentError, OUT_OF_BOUND, k)


def width_in(loops: Any, low: int, high: int, shape: Any) -> Any:
    return sizes.minimum(loops, shape[-2] + min(high, 0), shape[-1] - max(low, 0))


def spread(np: Any, band: Band, diagonal: Any, row: Any, column: Any, elsewhere: Any) -> Any:
    """Matrices with these diagonals, and `elsewhere` outside of the band."""
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
        row, column = sizes.scalar(loops, row), sizes.scalar(loops, column)
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

    def infer(self) -> TensorSpec:
        dims, found = self.diagonal.shape.dims, self.known_bounds()
        if dims is None or found is None:
            return TensorSpec(None, self.diagonal.dtype)
        batch = self.batch(dims, *found)
        asked = [known.sizes and known.sizes[0] for known in (self.num_rows, self.num_cols)]
        if None in (*asked, dims[-1]):
            return TensorSpec((*batch, None, None), self.diagonal.dtype)
        return TensorSpec((*batch, *self.matrix(dims[-1], *found, *asked)), self.diagonal.dtype)

    def batch(self, dims: Any, low: int, high: int) -> Any:
        """The leading axes of the matrices."""
        several = high > low
        if len(dims) < 1 + several:
            raise ShapeMismatchError(
                f"{self.name}: diagonal must be at least {1 + several}-dim, received shape: "
                f"{list(dims)}"
            )
        if several and dims[-2] not in (None, high - low + 1):
            raise ShapeMismatchError(
                f"{self.name}: The number of diagonals provided in the input does not match the "
                f"lower_diag_index and upper_diag_index range: {dims[-2]} for {low} to {high}"
            )
        return dims[: -1 - several]

    def matrix(self, width: int, low: int, high: int, rows: int, columns: int) -> tuple[int, int]:
        """The numbers of rows and columns."""
        fewest_rows, fewest_columns = width - min(high, 0), width + max(low, 0)
        if rows == -1 and columns == -1:
            size = max(fewest_rows, fewest_columns)
            return size, size
        rows = fewest_rows if rows == -1 else rows
        columns = fewest_columns if columns == -1 else columns
        for word, have, need in (("rows", rows, fewest_rows), ("columns", columns, fewest_columns)):
            if have < need:
                raise InvalidArgumentError(
                    f"{self.name}: The number of {word} is too small: {have}, but {need} are needed"
                )
        if rows != fewest_rows and columns != fewest_columns:
            raise InvalidArgumentError(
                f"{self.name}: The number of rows or columns is not consistent with the specified "
                f"k and diagonal: {rows}, {columns}"
            )
        return rows, columns

    def eager(self, np: Any) -> Any:
        x, (low, high) = self.diagonal, self.bounds_in(self.k)
        batch = self.batch(x.shape, low, high)
        shape = self.matrix(x.shape[-1], low, high, int(self.num_rows), int(self.num_cols))
        if 0 in (*batch, *shape):
            return np.empty((*batch, *shape), x.dtype)
        band = band_of(np, low, high, shape, self.align)
        row, column = np.arange(shape[0])[:, None], np.arange(shape[1])
        padding = np.broadcast_to(self.padding_value, (*batch, *shape))
        return spread(np, band, x, row, column, padding)

    def lower(self, loops: Any) -> Any:
        x, (low, high) = self.diagonal, bounds(loops.static(self.k), self.name)
        asked = loops.static(self.num_rows), loops.static(self.num_cols)
        width, batch = x.shape[-1], x.shape[: -1 if low == high else -2]
        if low < high:
            count = x.shape[-2]
            demand = count == high - low + 1
            sizes.demand(loops, demand, ShapeMismatchError, WRONG_COUNT, count, high - low + 1)
        if isinstance(width, int):
            shape: Any = self.matrix(width, low, high, *asked)
        elif asked == (-1, -1):
            size = width + max(-min(high, 0), max(low, 0))
            shape = (size, size)
        else:
            raise NotStatic("the length of the diagonals")
        band = band_in(loops, low, high, shape, self.align)
        padding = self.padding_value[()]
        return spread_in(loops, band, x, [*batch, *shape], lambda index: padding)

    def vjp(self, doutput: Any) -> Any:
        part = bind(MatrixDiagPartV3, doutput, self.k, _zero(doutput), align=self.align)
        return part, None, None, None, None


WRONG_COUNT = "The number of diagonals provided in the input is {}, but k names {}"


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
) -> Any:
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
) -> Any:
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
def trace(x: Any, name: str | None = None) -> Any:
    """The sums of the main diagonals: [..., m, n] gives [...]. Numbers.

    >>> tf.linalg.trace([[[1, 2], [3, 4]], [[10, 0], [0, 20]]]).numpy()
    array([ 5, 30], dtype=int32)

    Raises:
        InvalidArgumentError: fewer than two axes.
    """
    from ..math.reduce import reduce_sum

    return reduce_sum(diag_part(x), [-1], name=name)
