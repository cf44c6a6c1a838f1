"""Reductions over segments: the slices of a tensor that carry one number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias

from ...core import dtypes
from ...core.dtypes import DType
from ...core.native_operations import FEW
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.gather import gather
from ..bind import api, bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..in_xla.places import scattered_at_nd
from ..op import INDEX, NUMBERS, REALS, In, Op, Out, types
from ..sizes import scalar

SegmentWith: TypeAlias = Literal["add", "mul", "max", "min"]
Neutral: TypeAlias = Callable[[SegmentWith, DType], Any]


def neutral_of(kind: SegmentWith, dtype: DType) -> Any:
    """What an empty segment gives: combined with finite numbers it leaves them as they are."""
    match kind:
        case "add":
            return 0
        case "mul":
            return 1
        case "max":
            return dtype.min
        case "min":
            return dtype.max


def limit_of(kind: SegmentWith, dtype: DType) -> Any:
    """What leaves infinite numbers as they are, too."""
    if kind in ("max", "min") and dtype.is_floating:
        return -math.inf if kind == "max" else math.inf
    return neutral_of(kind, dtype)


class UnsortedSegment(Op, abstract=True):
    """Combines the slices data[i, ...] for which segment_ids[i] is s, for every s below
    num_segments. `segment_ids` has the shape of the first axes of `data`; slices with a negative
    number are dropped.

    Raises:
        InvalidArgumentError: a number is not below num_segments.
    """

    native_from = FEW

    data = In("T ...")
    segment_ids = In("Tindices ...")
    num_segments = In("Tnumsegments")
    output = Out("T ...")
    T = NUMBERS
    Tindices = INDEX
    Tnumsegments = INDEX
    kind: ClassVar[SegmentWith]

    def demands(self, sizes: Any) -> Any:
        """How many segments there are."""
        (count,) = sizes.numbers(self.num_segments)
        data, ids = sizes.shape(self.data), sizes.shape(self.segment_ids)
        starts = data[: len(ids)]
        sizes.alike(starts, ids, ShapeMismatchError, UNLIKE_IDS, self.name, data)
        sizes.possible((count, *data[len(ids) :]))
        message = "segment_ids{at} = {it} is out of range [0, {})"
        sizes.each(
            self.segment_ids, lambda number: number < count, InvalidArgumentError, message, count
        )
        return count

    def infer(self) -> TensorSpec:
        data, ids = self.data.shape.entries, self.segment_ids.shape.entries
        if data is None or ids is None:
            return TensorSpec(None, self.data.dtype)
        count = (self.num_segments.sizes or (None,))[0]
        return TensorSpec((count, *data[len(ids) :]), self.data.dtype)

    def eager(self, np: Any) -> Any:
        return self.combined(np, self.found)

    def xla(self, xla: Any) -> Any:
        return self.combined_in_xla(xla, xla.fixed(self.found, "the number of segments"))

    def combined_in_xla(self, xla: Any, count: int, neutral: Neutral = neutral_of) -> Any:
        data, ids = self.data, self.segment_ids
        first = neutral(self.kind, dtypes.as_dtype(data.dtype))
        target = xla.np.full((count, *data.shape[ids.ndim :]), first, data.dtype)
        return scattered_at_nd(xla, self.kind, target, ids[..., None], data)

    def combined(self, np: Any, count: int, neutral: Neutral = neutral_of) -> Any:
        data, ids = self.data, self.segment_ids
        shape = (count, *data.shape[ids.ndim :])
        target = np.full(shape, neutral(self.kind, dtypes.as_dtype(data.dtype)), data.dtype)
        kept = ids >= 0
        # As NumPy's own indices: `at` takes ten times as long for others.
        self.combine(np)(target, ids[kept].astype(np.intp), data[kept])
        return target

    def combine(self, np: Any) -> Any:
        ufuncs = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}
        return ufuncs[self.kind].at

    def lower(self, loops: Any) -> Any:
        """Slices with a negative number go to a row of their own, behind the segments: to ask each
        element whether it is one takes two thirds of the time.
        """
        data, ids, s = self.data, self.segment_ids, loops.scalars
        count, depth = self.found, ids.rank
        neutral = loops.constant(neutral_of(self.kind, data.dtype), data.dtype)
        zero, behind = loops.constant(0, dtypes.int64), scalar(loops, count)

        def position(*index: Any) -> Any:
            segment = loops.held(s.cast(ids[index[:depth]], dtypes.int64))
            return [s.where(segment >= zero, segment, behind), *index[depth:]]

        rest = data.shape[depth:]
        target = loops.map([count + 1, *rest], data.dtype, lambda *index: neutral)
        found = loops.kept(
            loops.scatter(self.kind, target, data.shape, position, lambda *index: data[index])
        )
        return loops.map([count, *rest], data.dtype, lambda *index: found[index])


UNLIKE_IDS = "{0}: data.shape = {1} does not start with segment_ids.shape = {3}"


class UnsortedSegmentSum(UnsortedSegment):
    """The sum of each segment; 0 for an empty one.

    data: numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape +
    [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative number
    are dropped.

    >>> tf.math.unsorted_segment_sum([1, 2, 3, 4], [2, 0, 2, -1], num_segments=3).numpy()
    array([2, 0, 4], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`.
    """

    Tindices = INDEX | types("i16")
    kind = "add"

    def vjp(self, doutput: Any) -> Any:
        return of_segments(doutput, self.segment_ids), None, None


unsorted_segment_sum = api(UnsortedSegmentSum)


def of_segments(values: Any, segment_ids: Any) -> Any:
    """For each slice the value of its segment; zeros for dropped slices."""
    from ..array.fill import zeros_like
    from ..array.select import where
    from .arithmetic import maximum
    from .comparison import greater_equal

    taken = gather(values, maximum(segment_ids, 0))
    kept = _with_rank_of(taken, greater_equal(segment_ids, 0))
    return where(kept, taken, zeros_like(taken))


def _with_rank_of(whole: Any, x: Any) -> Any:
    """`x` with axes of size 1 after its own, as many in all as `whole` has."""
    if whole.shape.rank is None or x.shape.rank is None:
        from ..array.folded_axes import with_axes
        from ..array.shapes import rank

        return with_axes(x, rank(whole) - rank(x))
    for _ in range(whole.shape.rank - x.shape.rank):
        x = x[..., None]
    return x


class SegmentExtremum(UnsortedSegment, abstract=True):
    """The largest or smallest of each segment. Ties share the gradient."""

    T = REALS

    def vjp(self, doutput: Any) -> Any:
        from .arithmetic import maximum
        from .cast import cast
        from .comparison import equal

        ids = self.segment_ids
        chosen = cast(equal(self.data, of_segments(self.output, ids)), doutput.dtype)
        ties = maximum(unsorted_segment_sum(chosen, ids, self.num_segments), 1)
        return of_segments(doutput / ties, ids) * chosen, None, None


class UnsortedSegmentMax(SegmentExtremum):
    """The largest of each segment; the smallest finite number for an empty one.

    data: real numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape
    + [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative
    number are dropped.

    >>> tf.math.unsorted_segment_max([1, 7, 3, 4], [1, 0, 1, -1], num_segments=2).numpy()
    array([7, 3], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`.
    """

    kind = "max"


unsorted_segment_max = api(UnsortedSegmentMax)


class UnsortedSegmentMin(SegmentExtremum):
    """The smallest of each segment; the largest finite number for an empty one.

    data: real numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape
    + [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative
    number are dropped.

    >>> tf.math.unsorted_segment_min([1, 7, 3, 4], [1, 0, 1, -1], num_segments=2).numpy()
    array([7, 1], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`.
    """

    kind = "min"


unsorted_segment_min = api(UnsortedSegmentMin)


class UnsortedSegmentProd(UnsortedSegment):
    """The product of each segment; 1 for an empty one.

    data: numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape +
    [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative number
    are dropped.

    >>> tf.math.unsorted_segment_prod([2, 7, 3, 4], [2, 0, 2, -1], num_segments=3).numpy()
    array([7, 1, 6], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`.
    """

    kind = "mul"

    def vjp(self, doutput: Any) -> Any:
        """The product of all others; where one of them is 0, it is found without dividing."""
        from ..array.fill import ones_like, zeros_like
        from ..array.select import where
        from .cast import cast
        from .comparison import equal, less_equal
        from .division import divide_no_nan

        data, ids, count = self.data, self.segment_ids, self.num_segments
        is_zero = equal(data, 0)
        zeros = unsorted_segment_sum(cast(is_zero, dtypes.int32), ids, count)
        upstream = where(less_equal(zeros, 1), doutput, zeros_like(doutput))
        without = bind(UnsortedSegmentProd, where(is_zero, ones_like(data), data), ids, count)
        others = where(
            is_zero, of_segments(without, ids), divide_no_nan(of_segments(self.output, ids), data)
        )
        return of_segments(upstream, ids) * others, None, None


unsorted_segment_prod = api(UnsortedSegmentProd)


@dispatchable
def unsorted_segment_mean(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Any:
    """The mean of each segment; 0 for an empty one.

    data: numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape +
    [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative number
    are dropped. Means of integers are floats: `tf.truediv` says which.

    >>> tf.math.unsorted_segment_mean([1.0, 2.0, 4.0], [2, 0, 2], num_segments=3).numpy()
    array([2. , 0. , 2.5], dtype=float32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`.
    """
    total = unsorted_segment_sum(data, segment_ids, num_segments)
    return total / _segment_counts(total, segment_ids, num_segments)


@dispatchable
def unsorted_segment_sqrt_n(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Any:
    """The sum of each segment divided by the square root of its size; 0 for an empty one.

    data: floats, of a shape that starts with that of segment_ids (int32 or int64): ids.shape +
    [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative number
    are dropped.

    >>> ids = [0, 0, 0, 0, 2]
    >>> tf.math.unsorted_segment_sqrt_n([1.0, 2.0, 3.0, 4.0, 5.0], ids, num_segments=3).numpy()
    array([5., 0., 5.], dtype=float32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`.
        DTypeMismatchError: an integer tensor.
    """
    from .elementwise import sqrt

    total = unsorted_segment_sum(data, segment_ids, num_segments)
    return total / sqrt(_segment_counts(total, segment_ids, num_segments))


def _segment_counts(total: Any, segment_ids: Any, num_segments: Any) -> Any:
    """The sizes of the segments, at least 1, with the dtype and the rank of `total`."""
    from ..array.fill import ones
    from ..array.shapes import shape_of
    from .arithmetic import maximum

    ids = as_tensor(segment_ids)
    counts = unsorted_segment_sum(ones(shape_of(ids), total.dtype), ids, num_segments)
    return _with_rank_of(total, maximum(counts, 1))
