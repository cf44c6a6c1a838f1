"""Numbers rounded as if they were kept in few bits, with straight-through gradients."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, ClassVar

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.fill import range as range_tensor
from ..array.fill import zeros_like
from ..array.select import where
from ..array.shapes import rank
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.comparison import equal, greater, greater_equal, less, less_equal, logical_and
from ..math.elementwise import floor
from ..math.reduce import reduce_sum
from ..op import Attr, In, Op, Out

# Called as TensorFlow calls them.
VarsGradient = namedtuple(
    "FakeQuantWithMinMaxVarsGradient",
    "backprops_wrt_input backprop_wrt_min backprop_wrt_max",
)
PerChannelGradient = namedtuple(
    "FakeQuantWithMinMaxVarsPerChannelGradient",
    "backprops_wrt_input backprop_wrt_min backprop_wrt_max",
)


def nudged(low: Any, high: Any, bits: int, narrow_range: bool) -> tuple[Any, Any, Any]:
    """The range moved so that 0 is one of the numbers, and the distance between these."""
    least, most = float(narrow_range), float(2**bits - 1)
    scale = (high - low) / (most - least)
    zero = least - low / scale
    inside = floor(zero + 0.5)
    zero_point = where(less(zero, least), zeros_like(zero) + least, inside)
    zero_point = where(greater(zero, most), zeros_like(zero) + most, zero_point)
    return (least - zero_point) * scale, (most - zero_point) * scale, scale


def rounded(x: Any, low: Any, high: Any, scale: Any, by: Any = None) -> Any:
    """Inputs rounded to the multiples of `scale` from `low` to `high`.

    TensorFlow multiplies with a quotient, `by`, where limits are known beforehand: of two numbers
    that are as near that may be the other one.
    """
    shifted = maximum(minimum(x, high), low) - low
    steps = shifted / scale if by is None else shifted * by
    return floor(steps - floor(0.5 - low / scale) + 0.5) * scale


def demand_bits(op: Any) -> None:
    if not 2 <= op.num_bits <= 16:
        refuse(InvalidArgumentError, BITS, op.num_bits)


def demand_limits(sizes: Any, op: Any) -> None:
    """Limits for all inputs, or one for each channel."""
    demand_bits(op)
    if not op.by_channel:
        fits = (sizes.rank(op.min) == 0) & (sizes.rank(op.max) == 0)
        sizes.require(fits, ShapeMismatchError, NO_SCALARS)
        return
    low, high = sizes.shape(op.min, 1), sizes.shape(op.max, 1)
    if not len(low) == len(high) == 1:
        refuse(ShapeMismatchError, NO_VECTORS, low, high)
    x = sizes.shape(op.inputs_)
    if not x:
        refuse(ShapeMismatchError, NO_CHANNELS)
    for one in (low[0], high[0]):
        sizes.require(sizes.equal(one, x[-1]), ShapeMismatchError, ANOTHER_SIZE, x[-1], one)


def demand_alike(sizes: Any, op: Any) -> None:
    given = sizes.shape(op.inputs_)
    sizes.alike(sizes.shape(op.gradients), given, ShapeMismatchError, ANOTHER_SHAPE)


BITS = "num_bits must be between 2 and 16, inclusive, got {}"
NO_SCALARS = "min and max must be scalars (rank 0)"
NO_VECTORS = "min and max must be vectors (rank 1): {}, {}"
NO_CHANNELS = "inputs with a limit for each channel have an axis at least (rank 1)"
ANOTHER_SIZE = "min and max have incorrect size, expected {} was {}"
ANOTHER_SHAPE = "gradients and inputs must have the same shape, not {} and {}"
NOT_SMALLER = "min has to be smaller than max, was: {} >= {}"


# ---------------------------------------------------------------- limits that are tensors


class FakeQuant(Op, abstract=True):
    """Inputs rounded to one of 2^num_bits numbers between about min and max, which include 0."""

    inputs_ = In("f32 ...")
    min = In("f32 ...")
    max = In("f32 ...")
    outputs_ = Out("f32 ...")
    num_bits = Attr(8)
    narrow_range = Attr(False)
    by_channel: ClassVar[bool] = False
    gradient: ClassVar[type[Op]]

    def demands(self, sizes: Any) -> None:
        demand_limits(sizes, self)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.inputs_.shape, dtypes.float32)

    def expand(self) -> Any:
        low, high, scale = nudged(self.min, self.max, self.num_bits, self.narrow_range)
        x = rounded(self.inputs_, low, high, scale)
        return where(logical_and(equal(self.min, 0), equal(self.max, 0)), zeros_like(x), x)

    def vjp(self, doutputs: Any) -> Any:
        attrs = {"num_bits": self.num_bits, "narrow_range": self.narrow_range}
        return bind(self.gradient, doutputs, self.inputs_, self.min, self.max, **attrs)


def masked(gradient: Any, passes: Any) -> Any:
    """The gradient where it passes, and no times it elsewhere: what is NaN stays NaN."""
    return gradient * cast(passes, dtypes.float32)


class FakeQuantGradient(Op, abstract=True):
    """The gradient of `FakeQuant`: past the limits it goes to these."""

    gradients = In("f32 ...")
    inputs_ = In("f32 ...")
    min = In("f32 ...")
    max = In("f32 ...")
    backprops_wrt_input = Out("f32 ...")
    backprop_wrt_min = Out("f32 ...")
    backprop_wrt_max = Out("f32 ...")
    num_bits = Attr(8)
    narrow_range = Attr(False)
    by_channel: ClassVar[bool] = False

    def demands(self, sizes: Any) -> None:
        demand_limits(sizes, self)
        demand_alike(sizes, self)

    def infer(self) -> Any:
        return tuple([TensorSpec(x.shape, dtypes.float32) for x in self.operand_list()[1:]])

    def expand(self) -> Any:
        x, dy = self.inputs_, self.gradients
        low, high, _ = nudged(self.min, self.max, self.num_bits, self.narrow_range)
        nothing = logical_and(equal(self.min, 0), equal(self.max, 0))
        none = zeros_like(dy)
        within = logical_and(greater_equal(x, low), less_equal(x, high))
        dx = where(nothing, dy, masked(dy, within))
        dlow = where(nothing, none, masked(dy, less(x, low)))
        dhigh = where(nothing, none, masked(dy, greater(x, high)))
        return dx, self.summed(dlow), self.summed(dhigh)

    def summed(self, gradient: Any) -> Any:
        if not self.by_channel:
            return reduce_sum(gradient)
        return reduce_sum(gradient, range_tensor(rank(gradient) - 1))


class FakeQuantWithMinMaxVarsGradient(FakeQuantGradient):
    """The gradient of `FakeQuantWithMinMaxVars`."""

    min = In("f32")
    max = In("f32")
    backprop_wrt_min = Out("f32")
    backprop_wrt_max = Out("f32")


class FakeQuantWithMinMaxVarsPerChannelGradient(FakeQuantGradient):
    """The gradient of `FakeQuantWithMinMaxVarsPerChannel`."""

    by_channel = True
    min = In("f32 c")
    max = In("f32 c")
    backprop_wrt_min = Out("f32 c")
    backprop_wrt_max = Out("f32 c")


class FakeQuantWithMinMaxVars(FakeQuant):
    """Inputs rounded to one of 2^num_bits numbers between two scalars."""

    native_from = MANY

    gradient = FakeQuantWithMinMaxVarsGradient
    min = In("f32")
    max = In("f32")


class FakeQuantWithMinMaxVarsPerChannel(FakeQuant):
    """Inputs rounded to one of 2^num_bits numbers between two limits for each channel, the last
    axis.
    """

    native_from = MANY

    gradient = FakeQuantWithMinMaxVarsPerChannelGradient
    by_channel = True
    min = In("f32 c")
    max = In("f32 c")


# ---------------------------------------------------------------- limits that are attributes


class FakeQuantArgs(Op, abstract=True):
    """What has limits that are known beforehand."""

    min = Attr(-6.0)
    max = Attr(6.0)
    num_bits = Attr(8)
    narrow_range = Attr(False)

    def demands(self, sizes: Any) -> None:
        demand_bits(self)
        in_order = self.min < self.max
        sizes.require_late(in_order, InvalidArgumentError, NOT_SMALLER, self.min, self.max)

    def nudged(self) -> tuple[Any, Any, Any]:
        low, high = self.limits()
        return nudged(low, high, self.num_bits, self.narrow_range)

    def limits(self) -> Any:
        return (as_tensor(float(one), dtypes.float32) for one in (self.min, self.max))


class FakeQuantWithMinMaxArgs(FakeQuantArgs):
    """Inputs rounded to one of 2^num_bits numbers between about two numbers, which include 0."""

    native_from = MANY

    inputs_ = In("f32 ...")
    outputs_ = Out("f32 ...")

    def infer(self) -> TensorSpec:
        return TensorSpec(self.inputs_.shape, dtypes.float32)

    def expand(self) -> Any:
        low, high = self.limits()
        by = (2**self.num_bits - 1 - float(self.narrow_range)) / (high - low)
        return rounded(self.inputs_, *self.nudged(), by)

    def vjp(self, doutputs: Any) -> Any:
        attrs = self.attr_values()
        return bind(FakeQuantWithMinMaxArgsGradient, doutputs, self.inputs_, **attrs)


class FakeQuantWithMinMaxArgsGradient(FakeQuantArgs):
    """The gradient of `FakeQuantWithMinMaxArgs`: nothing passes the limits."""

    gradients = In("f32 ...")
    inputs_ = In("f32 ...")
    backprops = Out("f32 ...")

    def demands(self, sizes: Any) -> None:
        super().demands(sizes)
        demand_alike(sizes, self)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.inputs_.shape, dtypes.float32)

    def expand(self) -> Any:
        low, high, _ = self.nudged()
        x, dy = self.inputs_, self.gradients
        within = logical_and(greater_equal(x, low), less_equal(x, high))
        return masked(dy, within)


# ---------------------------------------------------------------- functions


def _bound(op: type[Op], operands: Any, bits: int, narrow: bool, name: str | None) -> Any:
    tensors = [as_tensor(one, dtypes.float32) for one in operands]
    return bind(op, *tensors, num_bits=bits, narrow_range=narrow, name=name)


@dispatchable
def fake_quant_with_min_max_vars(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Float32 inputs rounded to one of 2^num_bits numbers from about `min` to `max`, scalars.

    0 is one of the numbers: the range is moved for that. narrow_range: one number less. The
    gradient passes within the range; past its ends it goes to `min` or `max`.

    >>> x = [-1.0, 0.4, 0.6, 9.0]
    >>> tf.quantization.fake_quant_with_min_max_vars(x, min=0.0, max=3.0, num_bits=2).numpy()
    array([0., 0., 1., 3.], dtype=float32)

    Raises:
        InvalidArgumentError: num_bits is not between 2 and 16.
        ShapeMismatchError: `min` and `max` are no scalars.
    """
    operands = (inputs, min, max)
    return _bound(FakeQuantWithMinMaxVars, operands, num_bits, narrow_range, name)


@dispatchable
def fake_quant_with_min_max_vars_per_channel(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """As `fake_quant_with_min_max_vars`, with limits for each channel (the last axis).

    inputs: float32 [..., channels], which the result is too; min, max: float32 [channels].

    >>> x = [[9.0, 9.0]]
    >>> quantized = tf.quantization.fake_quant_with_min_max_vars_per_channel
    >>> quantized(x, min=[0.0, 0.0], max=[3.0, 6.0], num_bits=2).numpy()
    array([[3., 6.]], dtype=float32)

    Raises:
        InvalidArgumentError: num_bits is not between 2 and 16.
        ShapeMismatchError: there is not one limit for each channel.
    """
    operands = (inputs, min, max)
    return _bound(FakeQuantWithMinMaxVarsPerChannel, operands, num_bits, narrow_range, name)


@dispatchable
def fake_quant_with_min_max_vars_gradient(
    gradients: Any, inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False,
    name: str | None = None,
) -> VarsGradient:  # fmt: skip
    """The gradient of `fake_quant_with_min_max_vars`, by `inputs` and by its two limits.

    gradients: float32, of the shape of `inputs`, as is the first result; the others are scalars.

    >>> x = [-1.0, 0.4, 9.0]
    >>> by = tf.quantization.fake_quant_with_min_max_vars_gradient
    >>> [one.numpy().tolist() for one in by([1.0, 2.0, 3.0], x, min=0.0, max=3.0)]
    [[0.0, 2.0, 0.0], 1.0, 3.0]

    Raises:
        InvalidArgumentError: num_bits is not between 2 and 16.
        ShapeMismatchError: gradients have another shape, or `min` and `max` are no scalars.
    """
    operands = (gradients, inputs, min, max)
    found = _bound(FakeQuantWithMinMaxVarsGradient, operands, num_bits, narrow_range, name)
    return VarsGradient(*found)


@dispatchable
def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: Any, inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False,
    name: str | None = None,
) -> PerChannelGradient:  # fmt: skip
    """The gradient of `fake_quant_with_min_max_vars_per_channel`, by `inputs` and by the limits.

    gradients: float32, of the shape of `inputs`, as is the first result; the others are vectors of
    one number for each channel.

    >>> by = tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient
    >>> found = by([[1.0, 2.0]], [[9.0, 9.0]], min=[0.0, 0.0], max=[3.0, 60.0])
    >>> [one.numpy().tolist() for one in found]
    [[[0.0, 2.0]], [0.0, 0.0], [1.0, 0.0]]

    Raises:
        InvalidArgumentError: num_bits is not between 2 and 16.
        ShapeMismatchError: gradients have another shape, or not each channel its limits.
    """
    operands = (gradients, inputs, min, max)
    op = FakeQuantWithMinMaxVarsPerChannelGradient
    return PerChannelGradient(*_bound(op, operands, num_bits, narrow_range, name))


def _of_args(
    op: type[Op], operands: Any, low: float, high: float, attrs: dict[str, Any], name: str | None
) -> Any:
    tensors = [as_tensor(one, dtypes.float32) for one in operands]
    return bind(op, *tensors, min=float(low), max=float(high), **attrs, name=name)


@dispatchable
def fake_quant_with_min_max_args(
    inputs: Any, min: float = -6, max: float = 6, num_bits: int = 8, narrow_range: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """As `fake_quant_with_min_max_vars`, with limits that are Python numbers.

    >>> tf.quantization.fake_quant_with_min_max_args([-9.0, 0.4, 1.1], 0, 3, num_bits=2).numpy()
    array([0., 0., 1.], dtype=float32)

    Raises:
        InvalidArgumentError: num_bits is not between 2 and 16, or `min` is not less than `max`.
    """
    attrs = {"num_bits": num_bits, "narrow_range": narrow_range}
    return _of_args(FakeQuantWithMinMaxArgs, (inputs,), min, max, attrs, name)


@dispatchable
def fake_quant_with_min_max_args_gradient(
    gradients: Any, inputs: Any, min: float = -6, max: float = 6, num_bits: int = 8,
    narrow_range: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The gradient of `fake_quant_with_min_max_args`: `gradients` within the limits, else 0.

    gradients: float32, of the shape of `inputs`, which the result has, too.

    >>> by = tf.quantization.fake_quant_with_min_max_args_gradient
    >>> by([1.0, 2.0], [-9.0, 0.4]).numpy()
    array([0., 2.], dtype=float32)

    Raises:
        InvalidArgumentError: num_bits is not between 2 and 16, or `min` is not less than `max`.
        ShapeMismatchError: gradients have another shape.
    """
    attrs = {"num_bits": num_bits, "narrow_range": narrow_range}
    return _of_args(FakeQuantWithMinMaxArgsGradient, (gradients, inputs), min, max, attrs, name)
