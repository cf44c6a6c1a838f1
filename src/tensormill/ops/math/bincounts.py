"""How often integers below a given size occur: the operations that TensorFlow's files have.

`tf.math.bincount` says the same with the size that its operands need (counts.py).
"""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.native_operations import SLOW
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.concatenation import concat
from ..array.fill import ones, ones_like, zeros
from ..array.fill import range as numbers
from ..array.gather import gather
from ..array.select import where
from ..array.shapes import rank, reshape, shape_of
from ..array.shapes import size as size_of
from ..bind import bind
from ..checks.assertions import Assert
from ..conversion import static_int
from ..families import Rephrased
from ..op import INDEX, Attr, In, Out, types
from .arithmetic import minimum
from .cast import cast
from .comparison import equal, less, less_equal, not_equal
from .reduce import reduce_min, reduce_prod
from .segments import unsorted_segment_sum

UNFIT_WEIGHTS = (
    "`weights` must be the same shape as `arr` or a length-0 `Tensor`, but their shape is {} "
    "and that of `arr` {}"
)


class Bincounts(Rephrased, abstract=True):
    """`weights` is as long as the integers, or empty: then each counts 1."""

    binary_output: Any
    size: Any
    weights: Any

    T = types("i32 i64 f32 f64")
    Tidx = INDEX
    differentiable = False

    def amounts(self, values: Any) -> Any:
        """What each of the integers counts."""
        if self.binary_output:
            return ones(reshape(size_of(values), [1]), self.weights.dtype)
        return amounts_of(self.weights, values)

    def checked(self, values: Any) -> Any:
        """The integers, as int64. What is told are single numbers: native code tells no others.

        Raises:
            InvalidArgumentError: one of them, or the size, is negative.
        """
        least, size = reduce_min(values), self.size
        Assert(least >= 0, ["Input arr must be non-negative! The least one is ", least])
        Assert(size >= 0, ["size must be non-negative, got ", size])
        return cast(values, dtypes.int64)

    def in_rows(self, rows: Any, count: Any, values: Any) -> Any:
        """The counts of each of `count` rows; `rows` says in which one an integer is."""
        length = cast(self.size, dtypes.int64)
        inside, places = less(values, length), rows * length + values
        places = where(inside, places, -1)
        total = unsorted_segment_sum(self.amounts(values), places, count * length)
        return self.result(reshape(total, reshape(concat([[count], [length]], 0), [2])))

    def result(self, counts: Any) -> Any:
        if counts.shape.rank is not None:
            counts.set_shape([*counts.shape[:-1], static_int(self.size)])
        if not self.binary_output:
            return counts
        return cast(not_equal(counts, zeros([], counts.dtype)), counts.dtype)


def amounts_of(weights: Any, values: Any) -> Any:
    """As many weights as there are values, in a vector; all are 1 where none is given.

    Raises:
        InvalidArgumentError: there are some, but not as many.
    """
    flat, count = reshape(weights, [-1]), size_of(values)
    known = flat.shape.num_elements(), values.shape.num_elements()
    if known[0] == 0:
        return ones(reshape(count, [1]), flat.dtype)
    if known[0] is not None and known[0] == known[1]:
        return flat
    fits = equal(size_of(flat), 0) | equal(size_of(flat), count)
    Assert(fits, ["`weights` must be the same shape as `arr` or a length-0", size_of(flat)])
    padded = concat([flat, ones([1], flat.dtype)], 0)  # an empty one is all ones
    return gather(padded, minimum(numbers(count), size_of(flat)))


def of_all(arr: Any, amounts: Any, last: Any) -> Any:
    """The totals of `amounts` for the integers up to `last` in all of `arr`, int64."""
    flat = reshape(arr, [-1])
    places = where(less_equal(flat, last), flat, -ones_like(flat))
    return unsorted_segment_sum(amounts, places, last + 1)


def of_each_row(arr: Any, amounts: Any, last: Any) -> Any:
    """The counts of a number, of a vector, or of each row of a matrix."""
    if (arr.shape.rank or 0) > 2:
        raise ShapeMismatchError(f"rows of a matrix are counted, not those of shape {arr.shape}")
    if arr.shape.rank is None:
        message = "rows of a matrix are counted, not those of shape"
        Assert(less_equal(rank(arr), 2), [message, shape_of(arr)])
    sizes, length = cast(shape_of(arr), dtypes.int64), last + 1
    outer, row = sizes[:-1], sizes[-1:]
    rows = reshape(arr, [reduce_prod(outer), reduce_prod(row)])  # a number is a row of one
    count = cast(shape_of(rows)[0], dtypes.int64)
    first = numbers(count)[:, None] * length
    places = where(less_equal(rows, last), rows + first, -ones_like(rows))  # too large: nowhere
    counts = unsorted_segment_sum(amounts, reshape(places, [-1]), count * length)
    result = reshape(counts, concat([outer, [length]], 0))
    if arr.shape.rank is not None:
        result.set_shape([*arr.shape[:-1], None])
    return result


class DenseBincount(Bincounts):
    """How often each integer below `size` occurs in a vector, or in each row of a matrix."""

    native_from = SLOW

    input = In("Tidx ...")
    size = In("Tidx")
    weights = In("T ...")
    output = Out("T ...")
    binary_output = Attr(False)

    def demands(self, sizes: Any) -> None:
        counted, weights = sizes.shape(self.input), sizes.shape(self.weights)
        fits = sizes.equal(sizes.count(weights), 0) | sizes.are_same(weights, counted)
        sizes.require(fits, InvalidArgumentError, UNFIT_WEIGHTS, weights, counted)

    def expand(self) -> Any:
        values, last = self.checked(self.input), cast(self.size, dtypes.int64) - 1
        count = of_all if values.shape.rank in (0, 1) else of_each_row
        return self.result(count(values, self.amounts(values), last))


class Bincount(Rephrased):
    """How often each integer below `size` occurs in all of a tensor."""

    arr = In("i32 ...")
    size = In("i32")
    weights = In("T ...")
    bins = Out("T size")
    T = types("i32 i64 f32 f64")
    differentiable = False

    def expand(self) -> Any:
        return bind(DenseBincount, reshape(self.arr, [-1]), self.size, reshape(self.weights, [-1]))


class RaggedBincount(Bincounts):
    """How often each integer below `size` occurs in each row, given the splits of the rows."""

    splits = In("i64 n")
    values = In("Tidx m")
    size = In("Tidx")
    weights = In("T ...")
    output = Out("T rows size")
    binary_output = Attr(False)

    def expand(self) -> Any:
        from ..ragged.row_partition import row_splits_to_segment_ids

        rows = cast(row_splits_to_segment_ids(self.splits), dtypes.int64)
        count = cast(size_of(self.splits), dtypes.int64) - 1
        return self.in_rows(rows, count, self.checked(self.values))


class SparseBincount(Bincounts):
    """How often each integer below `size` occurs in a sparse vector, or in each row of a matrix."""

    indices = In("i64 n r")
    values = In("Tidx n")
    dense_shape = In("i64 r")
    size = In("Tidx")
    weights = In("T ...")
    output = Out("T ...")
    binary_output = Attr(False)

    def expand(self) -> Any:
        values = self.checked(self.values)
        length, width = self.dense_shape.shape[0], self.indices.shape[1]
        rank = width if length is None else length
        if rank == 1:
            last = cast(self.size, dtypes.int64) - 1
            return self.result(of_all(values, self.amounts(values), last))
        rows, count = self.indices[:, 0], self.dense_shape[0]
        if rank is not None:
            return self.in_rows(rows, count, values)
        is_vector = equal(size_of(self.dense_shape), 1)
        found = self.in_rows(where(is_vector, 0, rows), where(is_vector, 1, count), values)
        last = reshape(cast(self.size, dtypes.int64), [1])
        return reshape(found, concat([self.dense_shape[:-1][:1], last], 0))
