"""Reductions over segments whose numbers ascend."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from ...core import dtypes
from ...core.native_operations import FEW
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import api
from ..op import INDEX, NUMBERS, REALS, In, Op, Out
from ..scalar import NUMPY
from ..sizes import scalar
from .segments import (
    UnsortedSegment,
    UnsortedSegmentMax,
    UnsortedSegmentMin,
    UnsortedSegmentProd,
    UnsortedSegmentSum,
    limit_of,
    of_segments,
)

COMBINED = MappingProxyType({
    "add": lambda s, a, b: a + b, "mul": lambda s, a, b: a * b,
    "max": lambda s, a, b: s.maximum(a, b), "min": lambda s, a, b: s.minimum(a, b),
})  # fmt: skip
NOT_ASCENDING = "segment ids are not increasing"
OUT_OF_RANGE = (
    "Segment id {it} out of range [0, {}), possibly because 'segment_ids' input is not sorted."
)
UNLIKE = "segment_ids should be the same size as dimension 0 of input: {} and {}"
NO_VECTOR = "{}: segment_ids should be a vector (Shape must be rank 1): {}"


class Segment(Op, abstract=True):
    """Combines the slices data[i] that carry one number; the numbers ascend. There are as many
    results as the last number says, and `empty` where no slice carries a number.

    Raises:
        InvalidArgumentError: the numbers do not ascend, or are negative.
    """

    native_from = FEW

    data = In("T ...")
    segment_ids = In("Tindices n")
    output = Out("T ...")
    T = NUMBERS
    Tindices = INDEX
    unsorted: type[UnsortedSegment]  # the same for numbers in any order
    empty = 0

    def demands(self, sizes: Any) -> Any:
        """How many segments there are."""
        ids = sizes.shape(self.segment_ids, 1)
        sizes.require(len(ids) == 1, ShapeMismatchError, NO_VECTOR, self.name, ids)
        data = sizes.shape(self.data)
        fits = sizes.equal(data[0], ids[0]) if data else False
        sizes.require_late(fits, ShapeMismatchError, UNLIKE, ids, data)
        count = sizes.bound(self.segment_ids)
        sizes.possible((count,))
        sizes.each_pair(
            self.segment_ids, lambda one, after: one <= after, InvalidArgumentError,
            NOT_ASCENDING,
        )  # fmt: skip

        def is_segment(number: Any) -> Any:
            return (number >= 0) & (number < count)  # 2**63 - 1 makes the count wrap

        sizes.each(self.segment_ids, is_segment, InvalidArgumentError, OUT_OF_RANGE, count)
        return count

    def infer(self) -> TensorSpec:
        data = self.data.shape.entries
        return TensorSpec(None if data is None else (None, *data[1:]), self.data.dtype)

    def eager(self, np: Any) -> Any:
        return self.combined(np, self.found)

    def xla(self, xla: Any) -> Any:
        count = xla.fixed(self.found, "the number of the last segment")
        unsorted = self.unsorted(self.data, self.segment_ids, count)
        found = unsorted.combined_in_xla(xla, count, limit_of)
        members = xla.np.bincount(self.segment_ids, length=count)
        return self.finished_in_xla(xla, found, members.reshape(-1, *[1] * (found.ndim - 1)))

    def finished_in_xla(self, xla: Any, found: Any, members: Any) -> Any:
        """What combined slices become, told how many there are of each."""
        return xla.np.where(members == 0, xla.np.asarray(self.empty, found.dtype), found)

    def combined(self, np: Any, count: int) -> Any:
        unsorted = self.unsorted(self.data, self.segment_ids, count)
        found = unsorted.combined(np, count, limit_of)
        missing = np.bincount(self.segment_ids, minlength=count) == 0
        found[missing] = self.empty
        return found

    def lower(self, loops: Any) -> Any:
        data, ids, s = self.data, self.segment_ids, loops.scalars
        count = self.found
        kind = self.unsorted.kind
        neutral = loops.constant(limit_of(kind, data.dtype), data.dtype)
        shape = [count, *data.shape[1:]]
        if data.rank == 1:
            found, members = self.of_runs(loops, count, neutral)
            return loops.map(shape, data.dtype, self.result_of(loops, found, members))
        target = loops.map(shape, data.dtype, lambda *index: neutral)
        scattered = loops.scatter(
            kind, target, data.shape, lambda *index: [s.cast(ids[index[:1]], dtypes.int64),
            *index[1:]], lambda *index: data[index],
        )  # fmt: skip
        found, members = loops.kept(scattered), loops.kept(self.members(loops, count))
        return loops.map(shape, data.dtype, self.result_of(loops, found, members))

    def result_of(self, loops: Any, found: Any, members: Any) -> Callable[..., Any]:
        """The element of the result, given combined slices and how many there are of each."""
        s, zero = loops.scalars, loops.constant(0, dtypes.int64)
        empty = loops.constant(self.empty, found.dtype)

        def element(*index: Any) -> Any:
            some = members[index[:1]]
            return s.where(some == zero, empty, self.finished(s, found[index], some))

        return element

    def of_runs(self, loops: Any, count: Any, neutral: Any) -> tuple[Any, Any]:
        """Of a vector: what is combined so far, and how much of it, stays in registers as long as
        the segment does. To read it again would wait for memory at each element.
        """
        data, ids, s, long = self.data, loops.kept(self.segment_ids), loops.scalars, dtypes.int64
        zero, one = loops.constant(0, long), loops.constant(1, long)
        found, members = loops.memory((count,), data.dtype), loops.memory((count,), long)
        size, combine = scalar(loops, ids.shape[0]), COMBINED[self.unsorted.kind]

        def step(place: Any, last: Any, value: Any, many: Any) -> tuple[Any, ...]:
            here = loops.held(s.cast(ids[(place,)], long))
            goes_on = loops.held(here == last)
            value = combine(s, s.where(goes_on, value, neutral), data[(place,)])
            value, many = loops.held(value), loops.held(s.where(goes_on, many, zero) + one)
            loops.put(found, (here,), value)
            loops.put(members, (here,), many)
            return place + 1, here, value, many

        loops.repeat((zero, zero - one, neutral, zero), lambda place, *_: place < size, step)
        return found, members

    def finished(self, s: Any, value: Any, members: Any) -> Any:
        return value

    def members(self, loops: Any, count: Any) -> Any:
        ids, s = self.segment_ids, loops.scalars
        zero, one = (loops.constant(k, dtypes.int64) for k in (0, 1))
        none = loops.map([count], dtypes.int64, lambda _: zero)
        return loops.scatter(
            "add", none, ids.shape, lambda k: [s.cast(ids[(k,)], dtypes.int64)], lambda _: one
        )

    def vjp(self, doutput: Any) -> Any:
        from ..array.shapes import shape_of

        count = shape_of(self.output)[0]
        twin: Any = self.unsorted(self.data, self.segment_ids, count)
        return twin.with_outputs((self.output,)).vjp(doutput)[0], None


class SegmentSum(Segment):
    """The sum of each segment; 0 for an empty one.

    data: [n, ...], numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_sum([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([3, 0, 7], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector.
    """

    unsorted = UnsortedSegmentSum


class SegmentProd(Segment):
    """The product of each segment; 1 for an empty one.

    data: [n, ...], numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_prod([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([ 2,  1, 12], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector.
    """

    unsorted, empty = UnsortedSegmentProd, 1


class SegmentMax(Segment):
    """The largest of each segment; 0 for an empty one.

    data: [n, ...], real numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_max([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([2, 0, 4], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector.
    """

    T = REALS
    unsorted = UnsortedSegmentMax


class SegmentMin(Segment):
    """The smallest of each segment; 0 for an empty one.

    data: [n, ...], real numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_min([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([1, 0, 3], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector.
    """

    T = REALS
    unsorted = UnsortedSegmentMin


class SegmentMean(Segment):
    """The mean of each segment; 0 for an empty one; of integers, rounded towards zero.

    data: [n, ...], numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_mean([1.0, 2.0, 3.0, 5.0], [0, 0, 2, 2]).numpy()
    array([1.5, 0. , 4. ], dtype=float32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector.
    """

    unsorted = UnsortedSegmentSum

    def combined(self, np: Any, count: int) -> Any:
        total = self.unsorted(self.data, self.segment_ids, count).combined(np, count)
        members = np.maximum(np.bincount(self.segment_ids, minlength=count), 1)
        members = members.astype(total.dtype).reshape(-1, *[1] * (total.ndim - 1))
        return (
            NUMPY.truncate_divide(total, members) if total.dtype.kind in "iu" else total / members
        )

    def finished(self, s: Any, value: Any, members: Any) -> Any:
        number = s.cast(members, value.dtype)
        return s.truncate_divide(value, number) if value.dtype.is_integer else value / number

    def finished_in_xla(self, xla: Any, found: Any, members: Any) -> Any:
        count = xla.np.maximum(members, 1).astype(found.dtype)
        s, whole = xla.scalars, found.dtype.kind in "iu"
        return s.truncate_divide(found, count) if whole else found / count

    def vjp(self, doutput: Any) -> Any:
        from ..array.fill import ones_like
        from .arithmetic import maximum

        # Segments without members must not give 0 / 0: its derivative would not be zero.
        members = maximum(segment_sum(ones_like(self.data), self.segment_ids), 1)
        return of_segments(doutput / members, self.segment_ids), None


segment_sum, segment_mean = api(SegmentSum), api(SegmentMean)
segment_prod, segment_max, segment_min = api(SegmentProd), api(SegmentMax), api(SegmentMin)
