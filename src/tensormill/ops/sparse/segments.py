"""`tf.sparse.segment_sum` and its like: reductions over segments of chosen rows."""

from __future__ import annotations

from typing import Any, ClassVar

from ...core.native_operations import FEW
from ...core.process.tracebacks import shallow
from ...core.specs import TensorSpec
from ...errors import DTypeMismatchError, InvalidArgumentError
from ..array.concatenation import concat
from ..array.gather import gather, gather_densely
from ..bind import bind
from ..conversion import as_tensor
from ..math.reduce import reduce_max
from ..math.segments import unsorted_segment_mean, unsorted_segment_sqrt_n, unsorted_segment_sum
from ..math.sorted_segments import NOT_ASCENDING
from ..op import FLOATS, INDEX, REALS, Attr, In, Op, Out


@shallow
def segment_sum(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Any:
    """The sums of the rows `indices` of `data`, for each of the ascending `segment_ids`.

    data: [n, ...], numbers. indices, segment_ids: [k], integers. The result is [num_segments, ...];
    by default, there is one segment more than the last id. Segments without rows are 0. The
    gradient with respect to `data` is a tensor, or IndexedSlices with `sparse_gradient`.

    >>> data = [[1, 2], [3, 4], [5, 6]]
    >>> tf.sparse.segment_sum(data, indices=[0, 2, 2], segment_ids=[0, 0, 2]).numpy()
    array([[6, 8],
           [0, 0],
           [5, 6]], dtype=int32)

    Raises:
        InvalidArgumentError: an index is outside of [0, n), there are not as many ids, or these are
            negative or do not ascend.
    """
    ops = SparseSegmentSum, SparseSegmentSumWithNumSegments
    return _bound(ops, data, indices, segment_ids, num_segments, sparse_gradient, name)


@shallow
def segment_mean(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Any:
    """The means of the rows `indices` of `data`, for each of the ascending `segment_ids`.

    data: [n, ...], floats. indices, segment_ids: [k], integers. The result is [num_segments, ...];
    by default, there is one segment more than the last id. Segments without rows are 0.

    >>> data = [[1., 2.], [3., 4.], [5., 6.]]
    >>> tf.sparse.segment_mean(data, indices=[0, 2, 2], segment_ids=[0, 0, 2]).numpy()
    array([[3., 4.],
           [0., 0.],
           [5., 6.]], dtype=float32)

    Raises:
        InvalidArgumentError: an index is outside of [0, n), there are not as many ids, or these are
            negative or do not ascend.
    """
    data = as_tensor(data)
    _require_floats(data)
    ops = SparseSegmentMean, SparseSegmentMeanWithNumSegments
    return _bound(ops, data, indices, segment_ids, num_segments, sparse_gradient, name)


@shallow
def segment_sqrt_n(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Any:
    """The sums divided by the square roots of the numbers of rows, for each of `segment_ids`.

    data: [n, ...], floats. indices, segment_ids: [k], integers: the rows that are summed, and the
    ascending numbers of their segments. The result is [num_segments, ...]; by default, there is one
    segment more than the last id. Segments without rows are 0.

    >>> tf.sparse.segment_sqrt_n([1., 8.], [1, 1, 1, 1, 0], segment_ids=[0, 0, 0, 0, 1]).numpy()
    array([16.,  1.], dtype=float32)

    Raises:
        InvalidArgumentError: an index is outside of [0, n), there are not as many ids, or these are
            negative or do not ascend.
    """
    data = as_tensor(data)
    _require_floats(data)
    ops = SparseSegmentSqrtN, SparseSegmentSqrtNWithNumSegments
    return _bound(ops, data, indices, segment_ids, num_segments, sparse_gradient, name)


def _require_floats(data: Any) -> None:
    if not data.dtype.is_floating:
        raise DTypeMismatchError(
            f"means are those of floats, got {data.dtype.name}: cast it, or use segment_sum"
        )


def _bound(
    ops: tuple[type[Op], type[Op]],
    data: Any, indices: Any, segment_ids: Any, count: Any, sparse_gradient: bool, name: str | None,
) -> Any:  # fmt: skip
    """The first operation, or for a given number of segments the second."""
    op, operands = (ops[0], ()) if count is None else (ops[1], (count,))
    operands = data, indices, segment_ids, *operands
    return bind(op, *operands, sparse_gradient=sparse_gradient, name=name)


class SparseSegment(Op, abstract=True):
    """A reduction over segments of chosen rows. There is one segment more than the last id."""

    data = In("T n *row")
    indices = In("Tidx k")
    segment_ids = In("Tsegmentids k")
    output = Out("T ...")
    sparse_gradient = Attr(False)
    T = FLOATS
    Tidx = INDEX
    Tsegmentids = INDEX
    combine: ClassVar[Any]
    native_from = FEW

    def demands(self, sizes: Any) -> None:
        ids = self.segment_ids
        sizes.each(ids, lambda one: one >= 0, InvalidArgumentError, "segment ids must be >= 0")
        sizes.each_pair(ids, lambda one, after: one <= after, InvalidArgumentError, NOT_ASCENDING)

    def infer(self) -> TensorSpec:
        dims = self.data.shape.entries
        return TensorSpec(None if dims is None else (None, *dims[1:]), self.data.dtype)

    def expand(self) -> Any:
        take = gather if self.sparse_gradient else gather_densely
        return self.combine(take(self.data, self.indices), self.segment_ids, self.count())

    def count(self) -> Any:
        """How many segments there are."""
        ids = self.segment_ids
        return reduce_max(concat([as_tensor([-1], ids.dtype), ids], 0)) + 1


class SparseSegmentCounted(SparseSegment, abstract=True):
    """The same for `num_segments`."""

    num_segments = In("Tnumsegments")
    Tnumsegments = INDEX

    def infer(self) -> TensorSpec:
        spec, count = super().infer(), self.num_segments.sizes
        dims = spec.shape.entries
        if count is None or dims is None:
            return spec
        return TensorSpec((*count, *dims[1:]), spec.dtype)

    def count(self) -> Any:
        return self.num_segments


class SparseSegmentSum(SparseSegment):
    """The sums of chosen rows."""

    T = REALS
    combine = staticmethod(unsorted_segment_sum)


class SparseSegmentMean(SparseSegment):
    """The means of chosen rows."""

    combine = staticmethod(unsorted_segment_mean)


class SparseSegmentSqrtN(SparseSegment):
    """The sums of chosen rows, divided by the roots of their numbers."""

    combine = staticmethod(unsorted_segment_sqrt_n)


class SparseSegmentSumWithNumSegments(SparseSegmentCounted):
    """The sums of chosen rows."""

    T = REALS
    combine = staticmethod(unsorted_segment_sum)


class SparseSegmentMeanWithNumSegments(SparseSegmentCounted):
    """The means of chosen rows."""

    combine = staticmethod(unsorted_segment_mean)


class SparseSegmentSqrtNWithNumSegments(SparseSegmentCounted):
    """The sums of chosen rows, divided by the roots of their numbers."""

    combine = staticmethod(unsorted_segment_sqrt_n)
