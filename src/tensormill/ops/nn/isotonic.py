"""Isotonic regression: the nearest rows that never rise."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.concatenation import concat, stack
from ..array.gather import gather
from ..array.rearrangement import transpose
from ..array.shapes import reshape, shape_of
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import negative
from ..math.cast import cast
from ..math.segments import unsorted_segment_mean
from ..op import FLOATS, REALS, Attr, In, Op, Out
from ..sizes import scalar

ValuesAndSegments = namedtuple("IsotonicRegression", "output segments")


class IsotonicRegression(Op):
    """The rows that never rise and are nearest to `input` [n, size], and the number of the block of
    equal elements that each element belongs to.

    Neighbours that rise are joined, and have their mean (pool adjacent violators: Barlow et al.
    1972).
    """

    input = In("T n size")
    output = Out("output_dtype n size")
    segments = Out("i32 n size")
    output_dtype = Attr(dtypes.float32, FLOATS)
    T = REALS

    def demands(self, sizes: Any) -> None:
        if self.output_dtype not in FLOATS:
            refuse(InvalidArgumentError, NO_FLOAT, self.name, self.output_dtype.name)

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        shape = self.input.shape
        return TensorSpec(shape, self.output_dtype), TensorSpec(shape, dtypes.int32)

    def eager(self, np: Any) -> Any:
        values = np.zeros(self.input.shape, self.output_dtype.storage)
        segments = np.zeros(self.input.shape, np.int32)
        for row, numbers in enumerate(self.input.astype(np.float64)):
            sums, counts = blocks_of(numbers.tolist())
            means = np.array(sums) / np.array(counts, np.float64)
            values[row] = np.repeat(means, counts)
            segments[row] = np.repeat(np.arange(len(counts)), counts)
        return values, segments

    def lower(self, loops: Any) -> Any:
        x, s, (rows, size) = loops.kept(self.input), loops.scalars, self.input.shape
        wide, long = dtypes.float64, dtypes.int64
        sums, counts = (loops.memory((rows, size), dtype) for dtype in (wide, long))
        values, segments = (
            loops.memory((rows, size), dtype) for dtype in (self.output_dtype, dtypes.int32)
        )
        zero, one = (loops.constant(k, long) for k in (0, 1))
        last = scalar(loops, size)

        def mean(total: Any, count: Any) -> Any:
            return total / s.cast(count, wide)

        def before(row: Any, top: Any) -> tuple[Any, Any]:
            place = (row, s.maximum(top - 1, zero))
            return sums[place], counts[place]

        def rises(row: Any, top: Any, total: Any, count: Any) -> Any:
            return (top > zero) & (mean(*before(row, top)) < mean(total, count))

        def joined(row: Any, top: Any, total: Any, count: Any) -> tuple[Any, ...]:
            other, others = before(row, top)
            return row, top - 1, other + total, others + count

        def pool(row: Any, place: Any, top: Any) -> tuple[Any, ...]:
            block = (row, top, s.cast(x[(row, place)], wide), one)
            _, top, total, count = loops.repeat(block, rises, joined)
            loops.put(sums, (row, top), total)
            loops.put(counts, (row, top), count)
            return row, place + 1, top + 1

        def spread(row: Any, place: Any, block: Any, used: Any) -> tuple[Any, ...]:
            value = mean(sums[(row, block)], counts[(row, block)])
            loops.put(values, (row, place), s.cast(value, self.output_dtype))
            loops.put(segments, (row, place), s.cast(block, dtypes.int32))
            is_last = used + 1 >= counts[(row, block)]
            ended = s.cast(is_last, long)
            return row, place + 1, block + ended, s.where(is_last, zero, used + 1)

        def inside(row: Any, place: Any, *_: Any) -> Any:
            return place < last

        def one_row(row: Any) -> tuple[Any]:
            loops.repeat((row, zero, zero), inside, pool)
            loops.repeat((row, zero, zero, zero), inside, spread)
            return (row + 1,)

        loops.repeat((zero,), lambda row: row < scalar(loops, rows), one_row)
        return values, segments

    def vjp(self, doutput: Any, dsegments: Any) -> Any:
        """The mean of the gradients of each block."""
        shape = shape_of(self.segments)
        first = reshape(_row_numbers(shape) * shape[1], [-1, 1])
        flat = reshape(self.segments + first, [-1])
        means = unsorted_segment_mean(reshape(doutput, [-1]), flat, shape[0] * shape[1])
        return cast(reshape(gather(means, flat), shape), self.input.dtype)


NO_FLOAT = "{}: output_dtype must be a float, not {}"


def _row_numbers(shape: Any) -> Any:
    from ..array.fill import range as numbers

    return numbers(shape[0])


def blocks_of(numbers: list[float]) -> tuple[list[float], list[int]]:
    """The sums and the sizes of blocks of neighbours, whose means fall."""
    sums, counts = list[float](), list[int]()
    for total in numbers:
        count = 1
        while sums and sums[-1] / counts[-1] < total / count:
            total, count = total + sums.pop(), count + counts.pop()
        sums.append(total)
        counts.append(count)
    return sums, counts


@dispatchable
def isotonic_regression(inputs: Any, decreasing: bool = True, axis: int = -1) -> tuple[Any, Any]:
    """The numbers nearest to `inputs` (by squares) that never rise along an axis.

    inputs: real numbers of any shape; of int32 and longer integers the result is float64, of
    shorter ones float32. decreasing: whether they never rise, or never fall. Both results have the
    shape of `inputs`: `output` the numbers, with a gradient, and `segments` for each the number of
    its block of equal ones, int32.

    >>> values, segments = tf.nn.isotonic_regression([3.0, 1.0, 2.0, 4.0, 1.0])
    >>> values.numpy().round(2), segments.numpy()
    (array([3.  , 2.33, 2.33, 2.33, 1.  ], dtype=float32), array([0, 1, 1, 1, 2], dtype=int32))

    Raises:
        DTypeMismatchError: they are no real numbers.
    """
    x = as_tensor(inputs)
    kept = x.dtype
    if not kept.is_floating:
        kept = dtypes.float32 if kept.size < 4 else dtypes.float64
    rank = x.shape.rank
    if rank is None and axis != -1:
        raise ValueError("isotonic_regression: of an unknown rank only the last axis is known")
    order = list(range(rank or 0))
    if rank:
        order.append(order.pop(axis))
    back = [order.index(k) for k in range(len(order))]
    is_last = order == list(range(len(order)))
    moved = x if is_last else transpose(x, order)
    shape = shape_of(moved)
    rows = reshape(moved, stack([-1, concat([[1], shape], 0)[-1]]))
    values, segments = bind(
        IsotonicRegression, rows if decreasing else negative(rows), output_dtype=kept
    )
    values = values if decreasing else negative(values)
    values, segments = (reshape(one, shape) for one in (values, segments))
    if is_last:
        return ValuesAndSegments(values, segments)
    return ValuesAndSegments(transpose(values, back), transpose(segments, back))
