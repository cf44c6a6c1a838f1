"""Numbers rounded as if they were kept in few bits, with straight-through gradients."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.fill import zeros_like
from ..array.select import where
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


def nudged(low: Any, high: Any, bits: int, narrow_range: bool) -> tuple[Any, Any, Any]:
    """The range moved so that 0 is one of the numbers, and the distance between these."""
    least, most = float(narrow_range), float(2**bits - 1)
    scale = (high - low) / (most - least)
    zero = least - low / scale
    inside = floor(zero + 0.5)
    zero_point = where(less(zero, least), zeros_like(zero) + least, inside)
    zero_point = where(greater(zero, most), zeros_like(zero) + most, zero_point)
    return (least - zero_point) * scale, (most - zero_point) * scale, scale


class FakeQuant(Op, abstract=True):
    """Inputs rounded to one of 2^num_bits numbers between about min and max, which include 0."""

    inputs_ = In("f32 ...")
    min = In("f32 ...")
    max = In("f32 ...")
    outputs_ = Out("f32 ...")
    num_bits = Attr(8)
    narrow_range = Attr(False)

    def demands(self, sizes: Any) -> Any:
        if not 2 <= self.num_bits <= 16:
            refuse(InvalidArgumentError, "num_bits is out of range: {}", self.num_bits)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.inputs_.shape, dtypes.float32)

    def expand(self) -> Any:
        low, high, scale = nudged(self.min, self.max, self.num_bits, self.narrow_range)
        clamped = minimum(maximum(self.inputs_, low), high)
        steps = floor((clamped - low) / scale + 0.5)
        nothing = logical_and(equal(self.min, 0), equal(self.max, 0))
        return where(nothing, zeros_like(clamped), steps * scale + low)

    def vjp(self, doutputs: Any) -> Any:
        """Past the limits the gradient goes to these."""
        x = self.inputs_
        low, high, _ = nudged(self.min, self.max, self.num_bits, self.narrow_range)
        nothing = logical_and(equal(self.min, 0), equal(self.max, 0))
        none = zeros_like(doutputs)
        within = logical_and(greater_equal(x, low), less_equal(x, high))
        dx = where(nothing, doutputs, where(within, doutputs, none))
        dlow = where(nothing, none, where(less(x, low), doutputs, none))
        dhigh = where(nothing, none, where(greater(x, high), doutputs, none))
        return dx, self.summed(dlow), self.summed(dhigh)

    def summed(self, gradient: Any) -> Any:
        raise TypeError(f"{self.name} does not say what its limits are for")


class FakeQuantWithMinMaxVars(FakeQuant):
    """Inputs rounded to one of 2^num_bits numbers between two scalars."""

    min = In("f32")
    max = In("f32")

    def demands(self, sizes: Any) -> Any:
        super().demands(sizes)
        low, high = sizes.shape(self.min, 0), sizes.shape(self.max, 0)
        if low or high:
            refuse(ShapeMismatchError, "min and max must be scalars (rank 0): {}, {}", low, high)

    def summed(self, gradient: Any) -> Any:
        return reduce_sum(gradient)


class FakeQuantWithMinMaxVarsPerChannel(FakeQuant):
    """Inputs rounded to one of 2^num_bits numbers between two limits for each channel, the last
    axis.
    """

    inputs_ = In("f32 *b c")
    min = In("f32 c")
    max = In("f32 c")

    def demands(self, sizes: Any) -> Any:
        super().demands(sizes)
        low, high = sizes.shape(self.min, 1), sizes.shape(self.max, 1)
        if len(low) != 1 or len(high) != 1:
            refuse(ShapeMismatchError, "min and max must be vectors (rank 1): {}, {}", low, high)
        inputs = sizes.shape(self.inputs_)
        for one in (*low, *high) if inputs else ():
            fits = sizes.equal(inputs[-1], one)
            sizes.require(fits, ShapeMismatchError, UNLIKE_CHANNELS, inputs[-1], one)

    def summed(self, gradient: Any) -> Any:
        from ..array.fill import range as range_tensor
        from ..array.shapes import rank

        return reduce_sum(gradient, range_tensor(rank(gradient) - 1))


UNLIKE_CHANNELS = "min and max have incorrect size, expected {} was {}"


def _bound(op: type[FakeQuant], operands: Any, bits: int, narrow: bool, name: str | None) -> Any:
    tensors = [cast(as_tensor(one), dtypes.float32) for one in operands]
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
