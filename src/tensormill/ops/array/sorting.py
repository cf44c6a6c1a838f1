"""Order: sorted elements, the largest ones, places in a sorted row."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.native_operations import FEW, SLOW
from ...core.specs import TensorSpec
from ...errors import ChoiceError, InvalidArgumentError, KernelMissingError
from ..bind import bind
from ..conversion import as_tensor, as_tensors, static_int
from ..demands import dims
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum, negative
from ..op import INDEX, REALS, Attr, In, Op, Out, types
from .fill import range as range_tensor
from .fill import zeros
from .gather import batch_indices, gather
from .ranks import descending_ranks
from .rearrangement import transpose
from .scatter import scatter_nd
from .shapes import reshape, shape_of

if TYPE_CHECKING:
    from ..results import Tensor

Array = np.ndarray[Any, Any]
# Called as TensorFlow calls them, which is also the name of the operation.
TopKResult = namedtuple("TopKV2", "values indices")


# So many elements are found by moving them up one by one; for more, whole rows are sorted.
_FEW = 64


class TopKV2(Op):
    """The k largest elements of each row (the last axis), descending; of equal ones the first.

    NaN is larger than everything.

    Raises:
        InvalidArgumentError: the rows are shorter than k.
    """

    input = In("T ...")
    k = In("Tk")
    values = Out("T ...")
    indices = Out("index_type ...")
    sorted = Attr(True)
    index_type = Attr(dtypes.int32, types("i16 i32 i64"))
    T = REALS
    Tk = types("i16 i32 i64")
    native_from = FEW

    def demands(self, sizes: Any) -> Any:
        """How many are wanted."""
        (count,) = sizes.numbers(self.k)
        sizes.require(count >= 0, InvalidArgumentError, "TopKV2: Need k >= 0, got {}", count)
        shape = sizes.shape(self.input)
        sizes.require(len(shape) > 0, InvalidArgumentError, NO_ROWS)
        fits = count <= shape[-1]
        sizes.require(fits, InvalidArgumentError, TOO_FEW, shape[-1], count)
        return count

    def infer(self) -> Any:
        given = self.input.shape.entries
        count = None if self.found is None else dims((self.found,))
        shape = None if given is None or count is None else (*given[:-1], *count)
        return TensorSpec(shape, self.input.dtype), TensorSpec(shape, self.index_type)

    def eager(self, np: Any) -> Any:
        count = self.found
        if not self.input.size:  # places in rows that do not exist would take memory for nothing
            shape = (*self.input.shape[:-1], count)
            return np.empty(shape, self.input.dtype), np.empty(shape, self.index_type.storage)
        is_small = 0 < count <= self.input.shape[-1] // 4 and self.input.dtype.itemsize <= 4
        places = (leading_places if is_small else sorted_places)(self.input, count)
        return np.take_along_axis(self.input, places, -1), places.astype(self.index_type.storage)

    def xla(self, xla: Any) -> Any:
        values, places = xla.lax.top_k(self.input, xla.fixed(self.found, "how many are wanted"))
        return values, places.astype(self.index_type.storage)

    def lower(self, loops: Any) -> Any:
        x, s, count = loops.kept(self.input), loops.scalars, self.found
        ranks = descending_ranks(loops, x)
        if isinstance(count, int) and count == 1:
            first = loops.arg_reduce("min", ranks, x.rank - 1, dtypes.int64)
            order = loops.reshape(first, (*x.shape[:-1], 1))
        elif isinstance(count, int) and count <= _FEW:
            order = loops.leading(ranks, count)
        else:
            order = loops.order(ranks, count)
        shape = [*x.shape[:-1], count]

        def value(*index: Any) -> Any:
            return x[[*index[:-1], order[index]]]

        def place(*index: Any) -> Any:
            return s.cast(order[index], self.index_type)

        return loops.view(shape, x.dtype, value), loops.view(shape, self.index_type, place)

    def vjp(self, dvalues: Any, dindices: Any) -> Any:
        """Each gradient goes back to the place that its value came from."""
        if self.input.shape.rank is None:
            return _scattered_rows(self.indices, dvalues, self.input), None
        places = batch_indices(self.indices)
        return scatter_nd(places, dvalues, _shape_as(self.input, places.dtype)), None


NO_ROWS = "TopKV2: input must be >= 1-D, got shape []"
TOO_FEW = "TopKV2: input must have at least k columns. Had {}, needed {}"


def _scattered_rows(places: Any, values: Any, like: Any) -> Any:
    """Zeros in the shape of a tensor of unknown rank, with these values at places of its rows."""
    from ..math.reduce import reduce_prod

    sizes = shape_of(like)
    rows = reduce_prod(sizes[:-1])
    one, other = (reshape(x, [rows, shape_of(x)[-1]]) for x in (places, values))
    return reshape(scatter_nd(batch_indices(one), other, [rows, sizes[-1]]), sizes)


def _shape_as(tensor: Any, dtype: Any) -> Any:
    from ..math.cast import cast

    return cast(shape_of(tensor), dtype)


@dispatchable
def top_k(
    input: Any,
    k: Any = 1,
    sorted: bool = True,
    index_type: Any = dtypes.int32,
    name: str | None = None,
) -> TopKResult:
    """The k largest elements of each row (the last axis) and their places; of equal ones the first.

    input: [..., n], real numbers. The result is a pair of shape [..., k]: `values`, the largest
    first, and `indices` of `index_type` (int32 or int64).

    >>> values, indices = tf.math.top_k([1, 5, 3, 5], k=3)
    >>> values.numpy().tolist(), indices.numpy().tolist()
    ([5, 5, 3], [1, 3, 2])

    Raises:
        InvalidArgumentError: the rows are shorter than k.
    """
    kind = None if index_type is None else as_dtype(index_type)
    found = bind(TopKV2, input, k, sorted=sorted, index_type=kind, name=name)
    return TopKResult(*found)


@dispatchable
def sort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """The elements along `axis` in order; NaN comes last (DESCENDING: first).

    values: integers or floats of any shape of at least one axis; the result has this shape.

    >>> tf.sort([[3, 1, 2]], direction="DESCENDING").numpy()
    array([[3, 2, 1]], dtype=int32)

    Raises:
        ValueError: `direction` is neither "ASCENDING" nor "DESCENDING", or there is no such axis:
            also an InvalidArgumentError.
    """
    return _ordered(as_tensor(values), axis, direction)[0]


@dispatchable
def argsort(
    values: Any,
    axis: Any = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """The places of the elements along `axis` in order, int32; equal ones keep their order.

    values: integers or floats of any shape of at least one axis; the result has this shape.

    >>> tf.argsort([30, 10, 20]).numpy()
    array([1, 2, 0], dtype=int32)

    Raises:
        ValueError: `direction` is neither "ASCENDING" nor "DESCENDING", or there is no such axis:
            also an InvalidArgumentError.
    """
    return _ordered(as_tensor(values), axis, direction)[1]


def _ordered(values: Any, axis: Any, direction: str) -> tuple[Any, Any]:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            "Argument `direction` should be one of 'ASCENDING' or 'DESCENDING'. Received: "
            f"{direction}"
        )
    if axis is None:
        raise ValueError("Argument `axis` must be an integer, got None")
    where = static_int(axis)
    if where is None:
        raise ChoiceError(f"Argument `axis` must be a scalar that tracing knows. Received: {axis}")
    rank = values.shape.rank
    if rank is None:
        from .folded_axes import around

        return around(values, where, lambda folded: _ordered(folded, 1, direction))
    if not -rank <= where < rank:
        raise ChoiceError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    if 0 in values.shape.entries:
        return values, zeros(shape_of(values), dtypes.int32)
    order = _last(where % rank, rank)
    moved = values if order is None else transpose(values, order)
    found = _rows_in_order(moved, direction)
    return found if order is None else (transpose(found[0], order), transpose(found[1], order))


def _last(axis: int, rank: int) -> list[int] | None:
    """The order of axes with `axis` and the last exchanged, which is its own inverse."""
    if axis == rank - 1:
        return None
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return order


def _rows_in_order(values: Any, direction: str) -> tuple[Any, Any]:
    count = shape_of(values)[-1]
    if direction == "DESCENDING":
        return top_k(values, count)
    if values.dtype.is_unsigned:
        largest = as_tensor(values.dtype.max, values.dtype)
        places = top_k(largest - values, count).indices
    elif values.dtype.is_integer:
        # -x would overflow for the smallest integer; ~x = -x - 1 turns the order as well.
        from ..math.bitwise import invert

        places = top_k(invert(values), count).indices
    else:
        places = _nan_last(top_k(negative(values), count).indices, values)
    rank = values.shape.rank
    if rank == 1:  # so that the gradient of gather is a tensor
        return gather(values[None], places[None], axis=1, batch_dims=1)[0], places
    return gather(values, places, axis=rank - 1, batch_dims=rank - 1), places


def _nan_last(places: Any, values: Any) -> Any:
    """NaN, which top_k puts first, moved behind all others: the rows rolled by their count."""
    from ..math.cast import cast
    from ..math.comparison import is_nan
    from ..math.reduce import reduce_sum

    rank = values.shape.rank
    count = shape_of(values)[-1]
    skipped = reduce_sum(cast(is_nan(values), dtypes.int32), -1, keepdims=True)
    turned = (range_tensor(count) + skipped) % _at_least_one(count)
    return gather(places, turned, axis=rank - 1, batch_dims=rank - 1)


def _at_least_one(count: Any) -> Any:
    return maximum(count, 1)


def sorted_places(x: Array, count: int) -> Array:
    """Where the `count` largest elements of each row are: it sorts the rows."""
    if x.dtype.kind not in "iuf":  # 16 bits that NumPy does not know: it has NaN anywhere
        x = x.astype(np.float32)
    # Ascending order of the reversed row, read backwards: of equal elements the first is first.
    order = np.argsort(x[..., ::-1], -1, kind="stable")[..., ::-1][..., :count]
    return x.shape[-1] - 1 - order


def leading_places(x: Array, count: int) -> Array:
    """The same for elements of 32 bits at most, without sorting all others.

    An element and how far it is from the end make one number, so that no two are equal.
    """
    last = x.shape[-1] - 1
    if x.dtype.kind in "iu":
        ranks = x.astype(np.int64) - (1 << 31 if x.dtype.kind == "u" else 0)
    else:
        wide = x.astype(np.float32) + np.float32(0)  # -0.0 is 0.0
        bits = wide.view(np.int32)
        ordered = bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))
        ranks = np.where(np.isnan(wide), np.int32(0x7FFFFFFF), ordered).astype(np.int64)
    keys = (ranks << 32) | (last - np.arange(last + 1))
    chosen = np.partition(keys, last + 1 - count, -1)[..., last + 1 - count :]
    return last - (np.sort(chosen, -1)[..., ::-1] & 0xFFFFFFFF)


class SortedBound(Op, abstract=True):
    """Where in each sorted row the values of the same row belong."""

    native_from = SLOW

    sorted_inputs = In("T *b n")
    values = In("T *b m")
    output = Out("out_type *b m")
    out_type = Attr(dtypes.int32, INDEX)
    T = REALS
    refusal = KernelMissingError
    differentiable = False
    side = ""

    def demands(self, sizes: Any) -> None:
        lead, rows = sizes.shape(self.sorted_inputs)[:-1], sizes.shape(self.values)[:-1]
        error = InvalidArgumentError, UNLIKE_ROWS, lead, rows
        sizes.require_late(len(lead) == len(rows), *error)
        for one, other in zip(lead, rows, strict=False):
            sizes.require_late(sizes.equal(one, other), *error)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.values.shape, self.out_type)

    def eager(self, np: Any) -> Any:
        found = np.empty(self.values.shape, self.out_type.storage)
        for place in np.ndindex(self.values.shape[:-1]):
            row, values = self.sorted_inputs[place], self.values[place]
            unordered = self.sorted_inputs.dtype.kind not in "iu" and (row[-1:] != row[-1:]).any()
            if unordered or (values != values).any():  # NaN, which NumPy takes for the largest
                found[place] = self._bisected(np, row, values)
            else:
                found[place] = np.searchsorted(row, values, self.side)
        return found

    def xla(self, xla: Any) -> Any:
        np, row, values = xla.np, self.sorted_inputs, self.values
        first, count = np.zeros(values.shape, np.int64), np.full(values.shape, row.shape[-1])
        for _ in range(row.shape[-1].bit_length()):
            middle = first + (count >> 1)
            element = np.take_along_axis(row, np.minimum(middle, row.shape[-1] - 1), -1)
            below = (count > 0) & self._is_below(element, values)
            first = np.where(below, middle + 1, first)
            count = np.where(below, count - (count >> 1) - 1, count >> 1)
        return first.astype(self.out_type.storage)

    def _is_below(self, element: Any, value: Any) -> Any:
        return element < value if self.side == "left" else ~(value < element)

    def _bisected(self, np: Any, row: Any, values: Any) -> Any:
        first = np.zeros(values.shape, np.intp)
        count = np.full(values.shape, len(row))
        while (left := count > 0).any():
            middle = first + (count >> 1)
            below = left & self._is_below(row[np.minimum(middle, len(row) - 1)], values)
            first = np.where(below, middle + 1, first)
            count = np.where(below, count - (count >> 1) - 1, count >> 1)
        return first

    def lower(self, loops: Any) -> Any:
        rows, values = self.sorted_inputs, self.values

        def is_below(place: Any, *index: Any) -> Any:
            return self._is_below(rows[[*index[:-1], place]], values[index])

        return loops.search(rows.shape[-1], values, self.out_type, is_below)


UNLIKE_ROWS = "Leading dim_size of both tensors must match: {} and {}"


class LowerBound(SortedBound):
    """The place of the first element that is not below the value."""

    side = "left"


class UpperBound(SortedBound):
    """The place of the first element that is above the value."""

    side = "right"


@dispatchable
def searchsorted(
    sorted_sequence: Any,
    values: Any,
    side: str = "left",
    out_type: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Where in each sorted row (the last axis) the values of the same row belong.

    sorted_sequence: [..., n], ascending. values: [..., m], of the same dtype and with as many rows.
    The result, [..., m] of `out_type` (int32 or int64), counts the elements below each value;
    side="right": those that are not above it.

    >>> tf.searchsorted([1, 3, 3, 5], [3, 4]).numpy()
    array([1, 3], dtype=int32)

    Raises:
        ValueError: `side` is neither "left" nor "right".
        InvalidArgumentError: there are more rows of one than of the other.
    """
    if side not in ("left", "right"):
        raise ValueError(f"`side` is 'left' or 'right', not {side!r}")
    op = LowerBound if side == "left" else UpperBound
    kind = None if out_type is None else as_dtype(out_type)
    rows, wanted = as_tensors(sorted_sequence, values)
    ranks = rows.shape.rank, wanted.shape.rank
    if None in ranks or ranks[0] == ranks[1] or 0 in ranks:
        return bind(op, rows, wanted, out_type=kind, name=name)
    flat = [reshape(one, [-1, shape_of(one)[-1]]) for one in (rows, wanted)]
    found = bind(op, *flat, out_type=kind, name=name)
    return reshape(found, shape_of(wanted))
