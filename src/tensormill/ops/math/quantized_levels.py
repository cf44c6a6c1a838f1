"""Numbers rounded to evenly spaced levels, of which 0 is one: quantized and back again."""

from __future__ import annotations

from typing import Any

from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, UnimplementedError
from ..array.fill import zeros_like
from ..array.select import where
from ..array.shapes import reshape
from ..bind import bind
from ..conversion import as_tensor, static_int
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..families import Rephrased
from ..op import FLOATS, Attr, In, Op, Out
from ..underivable import no_derivative
from .arithmetic import maximum, minimum
from .comparison import greater_equal, less_equal, logical_and
from .elementwise import floor, rint
from .reduce import reduce_max, reduce_min

BITS = "num_bits is out of range: {} with signed_input {}"
NO_SCALARS = "input_min and input_max must be scalars, not of the shapes {} and {}"
WRONG_ORDER = "Invalid range: input_min {} > input_max {}"
OTHER_SHAPE = "gradients of shape {} are none of an input of shape {}"
LIMITS = "input_min and input_max must be as long as the axis, {} (0: scalars), not {} and {}"
NO_AXIS = "Shape must be at least rank {} but is rank {}"


class ToLevels(Op, abstract=True):
    """Inputs rounded to one of 2**num_bits levels, with or without a range that is given.

    With an axis a range is one of each slice, which TensorFlow's operations but V3 refuse.
    """

    input = In("T ...")
    input_min = In("T ...")
    input_max = In("T ...")
    output = Out("T ...")
    signed_input = Attr(True)
    num_bits = Attr(8)
    range_given = Attr(False)
    round_mode = Attr("HALF_TO_EVEN", "HALF_TO_EVEN HALF_UP")
    narrow_range = Attr(False)
    axis = Attr(-1)
    T = FLOATS

    def demands(self, sizes: Any) -> None:
        if not int(self.signed_input) < self.num_bits < 63 + int(not self.signed_input):
            refuse(InvalidArgumentError, BITS, self.num_bits, self.signed_input)
        rank = len(sizes.shape(self.input))
        if self.axis >= rank:
            refuse(InvalidArgumentError, NO_AXIS, self.axis + 1, rank)
        if self.range_given:
            self._demand_order(sizes)

    def _demand_order(self, sizes: Any) -> None:
        low, high = sizes.shape(self.input_min), sizes.shape(self.input_max)
        if self.axis >= 0:
            _demand_limits(sizes, self)
            return
        if len(low) or len(high):
            refuse(InvalidArgumentError, NO_SCALARS, low, high)
        least, most = sizes.values(self.input_min, self.input_max)
        sizes.require(least <= most, InvalidArgumentError, WRONG_ORDER, least, most)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.spec.shape, self.input.spec.dtype)

    def expand(self) -> Any:
        """The factor to the levels is the largest that takes the range into theirs."""
        x = self.input
        low, high = self._range()
        least, most = self._levels()
        huge = zeros_like(low) + as_tensor(x.dtype.max, x.dtype)
        one = zeros_like(low) + 1
        is_below, is_above = least * low > 0, most * high > 0
        by_low = where(is_below, least / where(is_below, low, one), huge)
        by_high = where(is_above, most / where(is_above, high, one), huge)
        low_decides = by_low < by_high
        scale = where(low_decides, by_low, by_high)
        inverse = where(low_decides, low / (least or 1.0), high / most)
        if self.range_given:
            # Levels of one side only may leave no range: then 0, which is least, counts.
            x = maximum(minimum(x, most * inverse), least * inverse)
        steps = rint(x * scale) if self.round_mode == "HALF_TO_EVEN" else floor(x * scale + 0.5)
        return steps * inverse

    def _levels(self) -> tuple[float, float]:
        """The first and the last level."""
        if not self.signed_input:
            return 0.0, 2.0**self.num_bits - 1
        half = 2.0 ** (self.num_bits - 1)
        return (1 - half if self.narrow_range else -half), half - 1

    def _range(self) -> tuple[Any, Any]:
        """What is given, or the least and the greatest number (of each slice along the axis)."""
        if self.range_given:
            given = self.input_min, self.input_max
            return _along(given[0], self.axis, self.input), _along(given[1], self.axis, self.input)
        if self.axis < 0:
            return reduce_min(self.input), reduce_max(self.input)
        others = [axis for axis in range(self.input.shape.rank) if axis != self.axis]
        low, high = (reduce(self.input, others) for reduce in (reduce_min, reduce_max))
        return _along(low, self.axis, self.input), _along(high, self.axis, self.input)


class QuantizeAndDequantizeV2(ToLevels):
    """The gradient passes as it is."""

    def vjp(self, doutput: Any) -> Any:
        return doutput, None, None


class QuantizeAndDequantizeV4(ToLevels):
    """The gradient passes where the input is in the range."""

    def vjp(self, doutput: Any) -> Any:
        return _inside(doutput, self.input, self.input_min, self.input_max, self.axis)


class QuantizeAndDequantizeV4Grad(Op):
    """The gradient of QuantizeAndDequantizeV4; limits are scalars, or vectors along the axis."""

    gradients = In("T ...")
    input = In("T ...")
    input_min = In("T ...")
    input_max = In("T ...")
    input_backprop = Out("T ...")
    input_min_backprop = Out("T ...")
    input_max_backprop = Out("T ...")
    axis = Attr(-1)
    T = FLOATS
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        shape, given = sizes.shape(self.input), sizes.shape(self.gradients)
        if len(shape) != len(given):
            refuse(InvalidArgumentError, OTHER_SHAPE, given, shape)
        for size, other in zip(shape, given, strict=True):
            sizes.require(size == other, InvalidArgumentError, OTHER_SHAPE, given, shape)
        if self.axis >= len(shape):
            refuse(InvalidArgumentError, NO_AXIS, self.axis + 1, len(shape))
        _demand_limits(sizes, self)

    def infer(self) -> tuple[TensorSpec, ...]:
        return self.input.spec, self.input_min.spec, self.input_max.spec

    def expand(self) -> tuple[Any, Any, Any]:
        return _inside(self.gradients, self.input, self.input_min, self.input_max, self.axis)


def _demand_limits(sizes: Any, op: Any) -> None:
    """Limits that are scalars, or vectors as long as the axis where there is one."""
    shape = sizes.shape(op.input)
    low, high = sizes.shape(op.input_min), sizes.shape(op.input_max)
    if len(low) != int(op.axis >= 0) or len(high) != len(low):
        refuse(InvalidArgumentError, LIMITS, int(op.axis >= 0), low, high)
    for limit in (*low, *high):
        fits = limit == shape[op.axis]
        sizes.require(fits, InvalidArgumentError, LIMITS, shape[op.axis], low, high)


def _inside(dy: Any, x: Any, low: Any, high: Any, axis: int) -> tuple[Any, Any, Any]:
    """The gradient where the number is in the range; limits get none."""
    least, most = _along(low, axis, x), _along(high, axis, x)
    is_inside = logical_and(greater_equal(x, least), less_equal(x, most))
    return where(is_inside, dy, zeros_like(dy)), zeros_like(low), zeros_like(high)


def _along(limit: Any, axis: int, x: Any) -> Any:
    """A vector, of a number for each slice of `x`, so that it broadcasts; others as they are."""
    if axis < 0 or limit.shape.rank != 1:
        return limit
    return reshape(limit, [-1 if each == axis else 1 for each in range(x.shape.rank)])


class QuantizeAndDequantizeV3(Rephrased):
    """QuantizeAndDequantizeV2 with a tensor for `num_bits`, which a graph must know.

    Raises:
        UnimplementedError: it does not.
    """

    input = In("T ...")
    input_min = In("T ...")
    input_max = In("T ...")
    num_bits = In("i32")
    output = Out("T ...")
    signed_input = Attr(True)
    range_given = Attr(True)
    narrow_range = Attr(False)
    axis = Attr(-1)
    T = FLOATS

    def expand(self) -> Any:
        bits = static_int(self.num_bits)
        if bits is None:
            raise UnimplementedError(f"{self.name}: num_bits must be known while tracing")
        return bind(
            QuantizeAndDequantizeV2, self.input, self.input_min, self.input_max,
            signed_input=self.signed_input, num_bits=bits, range_given=self.range_given,
            narrow_range=self.narrow_range, axis=self.axis,
        )  # fmt: skip


def _applied(
    op: type[Op], input: Any, input_min: Any, input_max: Any, signed_input: bool, num_bits: int,
    range_given: bool, round_mode: str, name: str | None, narrow_range: bool, axis: int | None,
) -> Any:  # fmt: skip
    x = as_tensor(input)
    if axis is not None and axis < 0:
        rank = x.shape.rank
        if rank is None:
            raise ValueError("input should have known rank to use negative axis.")
        axis += rank
    return bind(
        op, x, as_tensor(input_min, x.dtype), as_tensor(input_max, x.dtype),
        signed_input=signed_input, num_bits=num_bits, range_given=range_given,
        round_mode=round_mode, narrow_range=narrow_range, axis=-1 if axis is None else axis,
        name=name,
    )  # fmt: skip


@dispatchable
def quantize_and_dequantize_v2(
    input: Any, input_min: Any, input_max: Any, signed_input: bool = True, num_bits: int = 8,
    range_given: bool = False, round_mode: str = "HALF_TO_EVEN", name: str | None = None,
    narrow_range: bool = False, axis: int | None = None,
) -> Any:  # fmt: skip
    """`input` rounded to `2**num_bits` levels, as a quantized network would have it.

    input: floats. input_min, input_max: scalars, or vectors along `axis`, the range that the levels
    cover if `range_given`; else it is that of the numbers, or of each slice along `axis`.
    signed_input: whether levels are on both sides of 0. narrow_range: whether as many below as
    above. round_mode: "HALF_TO_EVEN" or "HALF_UP". The gradient passes where the input is between
    `input_min` and `input_max`.

    >>> levels = tf.quantization.quantize_and_dequantize_v2
    >>> levels([-9.0, 0.4, 0.6, 2.0], -3.0, 3.0, num_bits=3, range_given=True).numpy()
    array([-4.,  0.,  1.,  2.], dtype=float32)

    Raises:
        InvalidArgumentError: `num_bits` is too small or too large, the range has another shape, or
            there is no such axis.
    """
    return _applied(
        QuantizeAndDequantizeV4, input, input_min, input_max, signed_input, num_bits, range_given,
        round_mode, name, narrow_range, axis,
    )  # fmt: skip


@dispatchable
def quantize_and_dequantize(
    input: Any, input_min: Any, input_max: Any, signed_input: bool = True, num_bits: int = 8,
    range_given: bool = False, round_mode: str = "HALF_TO_EVEN", name: str | None = None,
    narrow_range: bool = False, axis: int | None = None,
) -> Any:  # fmt: skip
    """As `quantize_and_dequantize_v2`, with a gradient that passes everywhere.

    >>> levels = tf.quantization.quantize_and_dequantize
    >>> levels([-9.0, 0.4, 0.6, 2.0], -3.0, 3.0, num_bits=3, range_given=True).numpy()
    array([-4.,  0.,  1.,  2.], dtype=float32)

    Raises:
        InvalidArgumentError: `num_bits` is too small or too large, the range is not of scalars, or
            there is no such axis.
    """
    return _applied(
        QuantizeAndDequantizeV2, input, input_min, input_max, signed_input, num_bits, range_given,
        round_mode, name, narrow_range, axis,
    )  # fmt: skip
