"""Moments in steps, with weights, and normalisation among neighbouring channels."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core import dtypes
from ..array.broadcasting import broadcast_dynamic_shape, broadcast_to
from ..array.padding import pad
from ..array.shapes import shape_of, squeeze
from ..array.slicing import slice
from ..bind import bind
from ..control.flow import identity
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import reciprocal, square, squared_difference
from ..math.cast import cast
from ..math.division import divide_no_nan
from ..math.elementwise import rsqrt
from ..math.reduce import reduce_prod, reduce_sum
from ..math.sums import add_n
from ..op import Attr, In, Op, Out, as_float32, types, usually


@dispatchable
def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Any, Any, Any, Any]:
    """Count, sum, sum of squares along `axes`, and `shift`, which was taken off before.

    x: numbers [...]; axes: an integer or a list. The count is a scalar, the sums are without `axes`
    unless keepdims. shift: a number near the mean, for exactness; None otherwise.

    >>> x = [[1.0, 2.0], [3.0, 4.0]]
    >>> count, sums, squares, shift = tf.nn.sufficient_statistics(x, axes=[0])
    >>> float(count), sums.numpy(), squares.numpy(), shift
    (2.0, array([4., 6.], dtype=float32), array([10., 20.], dtype=float32), None)

    Raises:
        InvalidArgumentError: there is no such axis, or `shift` does not broadcast.
        DTypeMismatchError: `x` are not numbers, or `shift` is of another dtype.
    """
    x, listed = as_tensor(x), sorted(set([axes] if isinstance(axes, int) else axes))
    if shift is None:
        moved, squares = x, square(x)
    else:
        shift = as_tensor(shift, x.dtype)
        moved, squares = x - shift, squared_difference(x, shift)
    # First, for they say which axes there are.
    sums = reduce_sum(moved, listed, keepdims), reduce_sum(squares, listed, keepdims)
    sizes = [None if x.shape.rank is None else x.shape[axis] for axis in listed]
    known = [size for size in sizes if size is not None]
    if len(known) == len(sizes):
        count = as_tensor(prod(known), x.dtype)
    else:
        own = shape_of(x)
        count = cast(reduce_prod([own[axis] for axis in listed]), x.dtype)
    return count, *sums, shift


@dispatchable
def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Any, Any]:
    """Mean and variance from what `sufficient_statistics` gives.

    counts: a scalar; mean_ss, variance_ss: floats of one shape, which the results have; shift: None
    or what was taken off.

    >>> mean, variance = tf.nn.normalize_moments(2.0, [4.0, 6.0], [10.0, 20.0], shift=None)
    >>> mean.numpy(), variance.numpy()
    (array([2., 3.], dtype=float32), array([1., 1.], dtype=float32))

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not numbers.
    """
    mean_ss = as_tensor(mean_ss)
    part = reciprocal(as_tensor(counts, mean_ss.dtype))
    moved = mean_ss * part
    mean = moved if shift is None else moved + shift
    return identity(mean), as_tensor(variance_ss) * part - square(moved)


@dispatchable
def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> tuple[Any, Any]:
    """Mean and variance along `axes`, every element counted as often as its weight says.

    x: floats [...]; axes: an integer or a list; frequency_weights: broadcast with x. Both results
    have the dtype of x, and are without `axes` unless keepdims.

    >>> mean, variance = tf.nn.weighted_moments([1.0, 5.0], axes=[0], frequency_weights=[3, 1])
    >>> float(mean), float(variance)
    (2.0, 3.0)

    Raises:
        InvalidArgumentError: there is no such axis, or the weights do not broadcast.
        UnimplementedError: `x` or the weights are strings.
    """
    x = as_tensor(x)
    weights = as_tensor(frequency_weights)
    dtype = x.dtype
    if dtype in (dtypes.float16, dtypes.bfloat16):
        x = cast(x, dtypes.float32)
    weights = cast(weights, x.dtype)
    whole = broadcast_to(weights, broadcast_dynamic_shape(shape_of(x), shape_of(weights)))
    total = reduce_sum(whole, axes, keepdims=True)  # 0 where nothing counts: so are both moments
    mean = divide_no_nan(reduce_sum(weights * x, axes, keepdims=True), total)
    spread = reduce_sum(weights * squared_difference(x, mean), axes, keepdims=True)
    variance = divide_no_nan(spread, total)
    if not keepdims:
        gone = [axes] if isinstance(axes, int) else axes
        mean, variance = squeeze(mean, gone), squeeze(variance, gone)
    return cast(mean, dtype), cast(variance, dtype)


# ---------------------------------------------------------------- neighbouring channels


class LRN(Op):
    """Every element divided by (bias + alpha * the sum of squares of its 2 * depth_radius + 1
    neighbours along the channels) to the power of beta.
    """

    native_from = 1

    input = In("T a b c d")
    output = Out("T a b c d")
    depth_radius = Attr(5)
    bias = Attr(1.0)
    alpha = Attr(1.0)
    beta = Attr(0.5)
    T = types("f16 bf16 f32")
    usual = usually(T="f32")
    keeps_taken = True

    def expand(self) -> Any:
        return self.input * inverse_power(norms(self, self.input), self.beta)

    def vjp(self, doutput: Any) -> Any:
        return bind(LRNGrad, doutput, self.input, self.output, **self.attr_values())


class LRNGrad(Op):
    """The gradient of LRN."""

    native_from = 1

    input_grads = In("T a b c d")
    input_image = In("T a b c d")
    output_image = In("T a b c d")
    output = Out("T a b c d")
    depth_radius = Attr(5)
    bias = Attr(1.0)
    alpha = Attr(1.0)
    beta = Attr(0.5)
    T = types("f16 bf16 f32")
    usual = usually(T="f32")
    keeps_taken = True

    def expand(self) -> Any:
        dy, x, y = self.input_grads, self.input_image, self.output_image
        norm = norms(self, x)
        shared = neighbours(dy * y / norm, self.depth_radius)
        return dy * inverse_power(norm, self.beta) - x * shared * (2.0 * self.alpha * self.beta)


def norms(op: Any, x: Any) -> Any:
    """What elements are divided by, before the power."""
    return neighbours(square(x), op.depth_radius) * op.alpha + op.bias


def inverse_power(x: Any, exponent: float) -> Any:
    """x ** -exponent; the usual exponent is a root, which takes a tenth of that."""
    return rsqrt(x) if exponent == 0.5 else x**-exponent


def neighbours(x: Any, radius: int) -> Any:
    """The sum of every element and `radius` of its neighbours on either side, along axis 3."""
    channels = x.shape[3]
    if channels is not None:
        radius = min(radius, max(channels - 1, 0))  # nobody is farther away
    padded = pad(x, [[0, 0], [0, 0], [0, 0], [radius, radius]])
    shape = shape_of(x)
    return add_n([slice(padded, [0, 0, 0, k], shape) for k in range(2 * radius + 1)])


@dispatchable
def local_response_normalization(
    input: Any,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Any:
    """Every element divided by the norm of its neighbours along the channels.

    The divisor is (bias + alpha times the sum of squares of the element and of `depth_radius` on
    either side) ** beta (Krizhevsky et al. 2012, 3.3). input: float16, bfloat16 or float32 [n,
    height, width, channels]; the result has this shape and dtype.

    >>> x = tf.reshape([3.0, 4.0, 0.0], [1, 1, 1, 3])
    >>> tf.nn.local_response_normalization(x, depth_radius=1, bias=0)[0, 0, 0].numpy().round(3)
    array([0.6, 0.8, 0. ], dtype=float32)

    Raises:
        ShapeMismatchError: the rank is not 4.
    """
    attrs = {
        "bias": as_float32(bias),
        "alpha": as_float32(alpha),
        "beta": as_float32(beta),
    }
    return bind(LRN, input, depth_radius=depth_radius, name=name, **attrs)
