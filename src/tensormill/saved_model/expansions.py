"""Operations that only exist here, in terms of TensorFlow's.

A rule gets one application, its fields tensors of a graph that is being traced, and the shape of
its result as far as it is known; it gives the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..autodiff.recomputed import TakenAgain
from ..core import dtypes
from ..core.shapes import TensorShape
from ..ops.array.broadcasting import BroadcastGradientArgs, SumToShape
from ..ops.array.concatenation import concat, stack
from ..ops.array.fill import eye, zeros_like
from ..ops.array.fill import range as range_of
from ..ops.array.gather import GatherGrad
from ..ops.array.rearrangement import transpose
from ..ops.array.scatter import scatter_nd
from ..ops.array.select import where
from ..ops.array.shapes import expand_dims, reshape
from ..ops.array.shapes import shape as shape_like
from ..ops.bind import bind
from ..ops.checks.assertions import Assert
from ..ops.checks.fitting import Fitting
from ..ops.control.flow import Identity, IdentityN
from ..ops.control.layouts import TensormillProduct
from ..ops.image.windows import SpreadWindows, SumWindows
from ..ops.linalg.matmul import matmul
from ..ops.linalg.matrix_functions import LARGEST_NORM, PADE, MatrixExponential
from ..ops.linalg.solving import solve
from ..ops.lists.list_elements import TensorListAddItem, TensorListSetItem, get_item, shape32
from ..ops.lists.whole_lists import TensorListWithin
from ..ops.math.arithmetic import add, maximum, minimum
from ..ops.math.cast import cast
from ..ops.math.elementwise import ceil, log
from ..ops.math.power import power
from ..ops.math.reduce import Sum, reduce_max, reduce_prod, reduce_sum
from ..ops.math.signs import abs as magnitude
from ..ops.op import Op
from ..ops.raising import Raise

Expansion = Callable[[Any, TensorShape], Any]
# Beyond norms of 2^40 an element of float64 has no digit left.
MOST_SQUARINGS: Final = 40


def _sum_to_shape(op: Any, kept: TensorShape) -> Any:
    """Sum over all axes that were broadcast, then give the shape."""
    x, shape = op.input, op.shape
    if kept.is_fully_defined() and x.shape.rank is not None:
        leading = x.shape.rank - len(kept)
        ones = (leading + axis for axis, extent in enumerate(kept.as_list()) if extent == 1)
        axes: Any = [*range(leading), *ones]
    else:
        axes, _ = bind(BroadcastGradientArgs, shape, shape_like(x, shape.dtype))
    return reshape(bind(Sum, x, axes, keep_dims=True), shape)


def _gather_grad(op: Any, whole_shape: TensorShape) -> Any:
    """Slices added at their rows: the gathered axis comes right after the axes of batches."""
    rank = whole_shape.rank
    axis = op.axis._known.value
    if rank is None or axis is None or op.indices.shape.rank is None:
        raise TypeError("the gradient of tf.gather along an axis that is not known while tracing")
    axis = int(axis) % rank
    together = op.batch_dims % op.indices.shape.rank if op.indices.shape.rank else 0
    inner = op.indices.shape.rank - together
    shape = cast(op.shape, dtypes.int32)
    order = [*range(together), axis, *range(together, axis), *range(axis + 1, rank)]
    moved = [
        *range(together), *range(axis, axis + inner), *range(together, axis),
        *range(axis + inner, rank - 1 + inner),
    ]  # fmt: skip
    batches, rows = reduce_prod(shape[:together]), shape[axis]
    rest = concat([shape[together:axis], shape[axis + 1 :]], 0)
    places = reshape(cast(op.indices, dtypes.int32), [batches, -1])
    places = places + expand_dims(range_of(batches), 1) * rows
    slices = reshape(transpose(op.gradient, moved), concat([[-1], rest], 0))
    flat = scatter_nd(
        expand_dims(reshape(places, [-1]), -1), slices, concat([[batches * rows], rest], 0)
    )
    whole = reshape(flat, concat([shape[:together], [rows], rest], 0))
    return reshape(transpose(whole, _inverse(order)), op.shape)


def _inverse(order: list[int]) -> list[int]:
    return sorted(range(len(order)), key=order.__getitem__)


def _add_item(op: Any, shape: TensorShape) -> Any:
    before = get_item(op.input_handle, op.index, op.item.dtype, shape32(op.item))
    return bind(TensorListSetItem, op.input_handle, op.index, add(before, op.item))


def _raise(op: Any, shape: TensorShape) -> None:
    """TensorFlow has no exceptions of users: the text is left, in an InvalidArgumentError."""
    Assert(op.condition, [str(op.exception), *op.data])


def _the_list(op: Any, shape: TensorShape) -> Any:
    return bind(Identity, op.input_handle)


def _the_value(op: Any, shape: TensorShape) -> Any:
    return bind(Identity, op.value)


def _the_input(op: Any, shape: TensorShape) -> Any:
    """How a product is laid out is found out again from what made it."""
    return bind(Identity, op.input)


def _the_operands(op: Any, shape: TensorShape) -> Any:
    """TensorFlow's operations look at their operands."""
    return bind(IdentityN, list(op.operands))


def _sum_windows(op: Any, kept: TensorShape) -> Any:
    return matmul(_window_matrix(op, shape_like(op.x, dtypes.int64)[1]), op.x)


def _spread_windows(op: Any, kept: TensorShape) -> Any:
    return matmul(_window_matrix(op, op.own), op.sums, transpose_a=True)


def _window_matrix(op: Any, own: Any) -> Any:
    """Windows as a matrix [count, own]."""
    count, taps = (shape_like(op.weights, dtypes.int64)[axis] for axis in (0, 1))
    places = range_of(taps)
    weights = where(places < expand_dims(op.sizes, 1), op.weights, 0.0)
    columns = minimum(expand_dims(op.first, 1) + places, own - 1)
    rows = expand_dims(range_of(count), 1) + zeros_like(columns)
    return scatter_nd(stack([rows, columns], -1), weights, [count, own])


def _exponential(op: Any, kept: TensorShape) -> Any:
    """Scaling and squaring as the operation does it, each matrix as often as it needs."""
    wide = dtypes.complex128 if op.input.dtype.is_complex else dtypes.float64
    x = cast(op.input, wide)
    norms = reduce_max(reduce_sum(magnitude(x), -2, keepdims=True), -1, keepdims=True)
    times = maximum(
        ceil(log(maximum(norms, LARGEST_NORM) / LARGEST_NORM) / log(cast(2.0, dtypes.float64))), 0.0
    )
    scaled = x / cast(power(cast(2.0, dtypes.float64), times), x.dtype)
    identity, square = eye(shape_like(x)[-1], dtype=x.dtype), matmul(scaled, scaled)
    odd, even = PADE[7] * identity, PADE[6] * identity
    for degree in (4, 2, 0):
        odd = matmul(odd, square) + PADE[degree + 1] * identity
        even = matmul(even, square) + PADE[degree] * identity
    odd = matmul(scaled, odd)
    result = solve(even - odd, even + odd)
    for number in range(MOST_SQUARINGS):
        result = where(times > float(number), matmul(result, result), result)
    return cast(result, op.input.dtype)


EXPANSIONS: Final[dict[type[Op], Expansion]] = {
    GatherGrad: _gather_grad,
    SumToShape: _sum_to_shape,
    TensorListAddItem: _add_item,
    TensorListWithin: _the_list,
    Raise: _raise,
    TakenAgain: _the_value,
    Fitting: _the_operands,
    TensormillProduct: _the_input,
    MatrixExponential: _exponential,
    SumWindows: _sum_windows,
    SpreadWindows: _spread_windows,
}
