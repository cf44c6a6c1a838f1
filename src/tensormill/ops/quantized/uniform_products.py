"""Products of levels that have scales and zero points: of matrices, of images with filters."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.fill import zeros_like
from ..array.select import where
from ..demands import refuse
from ..linalg.matmul import matmul
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.comparison import greater
from ..math.elementwise import floor
from ..math.reduce import reduce_max, reduce_min
from ..op import Attr, In, Op, Out, types
from ..underivable import no_derivative
from .fixed_point import scaled, wrapped
from .uniform import (
    LEFT,
    RESULT,
    RIGHT,
    levels_of,
    limited,
    on_axis,
    quantized,
    wide,
)
from .uniform_windows import Sweep, convolved, demand_windows, read_windows, shape_of_windows

RANK = "{}: {} must be a matrix, got shape {}"
INNER = "{}: the rows of lhs of shape {} and the columns of rhs of shape {} must be as long"
BY_TENSOR = "{}: lhs_quantization_axis must be -1, got {}"
BY_CHANNEL = "{}: {}quantization_axis must be -1 or that of the result's features, {}, got {}"
NO_CHANNELS = "{}: output_quantization_axis is {} only where rhs_quantization_axis is {}, got {}"
BYTE = -128, 127
SMALLEST = 2.0**-126  # of float32's normal numbers


def demand_matrices(op: Any, sizes: Any) -> None:
    """Two matrices whose product there is."""
    shapes = sizes.shape(op.lhs), sizes.shape(op.rhs)
    for word, shape in zip(("lhs", "rhs"), shapes, strict=True):
        if len(shape) != 2:
            refuse(InvalidArgumentError, RANK, op.name, word, shape)
    fits = sizes.equal(shapes[0][1], shapes[1][0])
    sizes.require(fits, InvalidArgumentError, INNER, op.name, *shapes)


def demand_channels(op: Any, sizes: Any, of_filter: int, of_result: int) -> None:
    """Scales for tensors, or for the features of the result: of the filter, then of the result."""
    if op.lhs_quantization_axis != -1:
        refuse(InvalidArgumentError, BY_TENSOR, op.name, op.lhs_quantization_axis)
    demand_filter_axis(op, of_filter)
    axis = op.output_quantization_axis
    if axis not in (-1, of_result):
        refuse(InvalidArgumentError, BY_CHANNEL, op.name, RESULT.word, of_result, axis)
    if axis != -1 and op.rhs_quantization_axis == -1:
        told = of_result, of_filter, op.rhs_quantization_axis
        refuse(InvalidArgumentError, NO_CHANNELS, op.name, *told)
    for one in (LEFT, RIGHT, RESULT):
        one.demand(op, sizes)


def demand_filter_axis(op: Any, of_filter: int) -> None:
    if op.rhs_quantization_axis not in (-1, of_filter):
        told = of_filter, op.rhs_quantization_axis
        refuse(InvalidArgumentError, BY_CHANNEL, op.name, RIGHT.word, *told)


def centred(x: Any, zeros: Any) -> Any:
    """Levels less their zero point: int32, as 32 bits keep it."""
    return cast(levels_of(x) - zeros, dtypes.int32)


def as_result(op: Any, product: Any, by_filter: Any, rank: Any) -> Any:
    """Sums of products of levels in the result's scale and about its zero point."""
    wanted = RESULT.along(op, rank)
    ratio = wide(op.lhs_scales) * wide(by_filter) / wide(wanted[0])
    moved = scaled(cast(product, dtypes.int64), ratio) + wanted[1]
    return cast(cast(limited(wrapped(moved), RESULT.ends(op)), dtypes.int32), op.Tout)


def levels_of_rows(x: Any, axes: Any) -> tuple[Any, Any]:
    """Floats as levels of 8 bits, each slice over `axes` in the range of its own numbers and 0:
    less the level of 0.0, int32; and the floats that neighbouring levels are apart.
    """
    low = minimum(wide(reduce_min(x, axes, keepdims=True)), 0.0)
    high = maximum(wide(reduce_max(x, axes, keepdims=True)), 0.0)
    step = (high - low) / 255.0
    there = greater(step, SMALLEST)
    safe = where(there, step, zeros_like(step) + 1.0)
    zero = limited(cast(floor(-128.0 - low / safe + 0.5), dtypes.int64), BYTE)
    width = cast(safe, dtypes.float32)
    return cast(quantized(x, width, zero, BYTE) - zero, dtypes.int32), width


class UniformQuantizedDot(Op):
    """The product of two matrices of levels."""

    lhs = In("Tin ...")
    rhs = In("Tin ...")
    lhs_scales = In("f32 ...")
    lhs_zero_points = In("i32 ...")
    rhs_scales = In("f32 ...")
    rhs_zero_points = In("i32 ...")
    output_scales = In("f32 ...")
    output_zero_points = In("i32 ...")
    output = Out("Tout ...")
    Tout = Attr(allowed=types("q32"))
    lhs_quantization_min_val = Attr(int)
    lhs_quantization_max_val = Attr(int)
    rhs_quantization_min_val = Attr(int)
    rhs_quantization_max_val = Attr(int)
    output_quantization_min_val = Attr(int)
    output_quantization_max_val = Attr(int)
    lhs_quantization_axis = Attr(-1)
    rhs_quantization_axis = Attr(-1)
    output_quantization_axis = Attr(-1)
    Tin = types("q8")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_matrices(self, sizes)
        demand_channels(self, sizes, 1, 1)

    def infer(self) -> TensorSpec:
        return TensorSpec(product_shape(self.lhs, self.rhs), self.Tout)

    def expand(self) -> Any:
        scales, zeros = RIGHT.along(self, 2)
        left = centred(self.lhs, cast(self.lhs_zero_points, dtypes.int64))
        return as_result(self, matmul(left, centred(self.rhs, zeros)), scales, 2)


def product_shape(lhs: Any, rhs: Any) -> tuple[int | None, int | None]:
    rows = None if lhs.shape.rank is None else lhs.shape[0]
    return rows, None if rhs.shape.rank is None else rhs.shape[1]


class UniformQuantizedDotHybrid(Op):
    """The product of a matrix of floats, whose rows are quantized on the way, and one of levels."""

    lhs = In("Tlhs ...")
    rhs = In("Trhs ...")
    rhs_scales = In("f32 ...")
    rhs_zero_points = In("i32 ...")
    output = Out("Tout ...")
    Tout = Attr(allowed=types("f32"))
    rhs_quantization_min_val = Attr(int)
    rhs_quantization_max_val = Attr(int)
    rhs_quantization_axis = Attr(-1)
    Tlhs = types("f32")
    Trhs = types("q8")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_matrices(self, sizes)
        demand_filter_axis(self, 1)
        RIGHT.demand(self, sizes)

    def infer(self) -> TensorSpec:
        return TensorSpec(product_shape(self.lhs, self.rhs), dtypes.float32)

    def expand(self) -> Any:
        scales, zeros = RIGHT.along(self, 2)
        left, width = levels_of_rows(self.lhs, [1])
        product = matmul(left, centred(self.rhs, zeros))
        return cast(product, dtypes.float32) * width * scales


class Convolved(Op, abstract=True):
    """A convolution as XLA tells it: strides, paddings, dilations and groups of any axes."""

    lhs: Any
    rhs: Any
    Tout: Any

    def windows(self) -> Sweep:
        return read_windows(self, self.rhs.shape.rank)

    def infer(self) -> TensorSpec:
        return TensorSpec(shape_of_windows(self), self.Tout)


class UniformQuantizedConvolution(Convolved):
    """Images of levels convolved with filters of levels."""

    lhs = In("Tin ...")
    rhs = In("Tin ...")
    lhs_scales = In("f32 ...")
    lhs_zero_points = In("i32 ...")
    rhs_scales = In("f32 ...")
    rhs_zero_points = In("i32 ...")
    output_scales = In("f32 ...")
    output_zero_points = In("i32 ...")
    output = Out("Tout ...")
    Tout = Attr(allowed=types("q32"))
    padding = Attr(str)
    lhs_quantization_min_val = Attr(int)
    lhs_quantization_max_val = Attr(int)
    rhs_quantization_min_val = Attr(int)
    rhs_quantization_max_val = Attr(int)
    output_quantization_min_val = Attr(int)
    output_quantization_max_val = Attr(int)
    window_strides = Attr(())
    explicit_padding = Attr(())
    lhs_dilation = Attr(())
    rhs_dilation = Attr(())
    batch_group_count = Attr(1)
    feature_group_count = Attr(1)
    dimension_numbers = Attr("", of=bytes)
    lhs_quantization_axis = Attr(-1)
    rhs_quantization_axis = Attr(-1)
    output_quantization_axis = Attr(-1)
    Tin = types("q8")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        windows = demand_windows(self, sizes)
        demand_channels(self, sizes, windows.filter[1], windows.result[1])

    def expand(self) -> Any:
        windows, rank = self.windows(), self.rhs.shape.rank
        left = centred(self.lhs, cast(self.lhs_zero_points, dtypes.int64))
        found = convolved(left, centred(self.rhs, RIGHT.along(self, rank)[1]), windows)
        return as_result(self, found, scales_of_result(self, windows, rank), rank)


def scales_of_result(op: Any, windows: Sweep, rank: int) -> Any:
    """The filter's scales as they broadcast with the result."""
    axis = -1 if op.rhs_quantization_axis == -1 else windows.result[1]
    return on_axis(op.rhs_scales, axis, rank)


class UniformQuantizedConvolutionHybrid(Convolved):
    """Images of floats, each quantized on the way, convolved with filters of levels."""

    lhs = In("Tlhs ...")
    rhs = In("Trhs ...")
    rhs_scales = In("f32 ...")
    rhs_zero_points = In("i32 ...")
    output = Out("Tout ...")
    Tout = Attr(allowed=types("f32"))
    padding = Attr(str)
    rhs_quantization_min_val = Attr(int)
    rhs_quantization_max_val = Attr(int)
    window_strides = Attr(())
    explicit_padding = Attr(())
    lhs_dilation = Attr(())
    rhs_dilation = Attr(())
    batch_group_count = Attr(1)
    feature_group_count = Attr(1)
    dimension_numbers = Attr("", of=bytes)
    rhs_quantization_axis = Attr(-1)
    Tlhs = types("f32")
    Trhs = types("q8")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        windows = demand_windows(self, sizes)
        demand_filter_axis(self, windows.filter[1])
        RIGHT.demand(self, sizes)

    def expand(self) -> Any:
        windows, rank = self.windows(), self.rhs.shape.rank
        rest = [axis for axis in range(rank) if axis != windows.image[0]]
        left, width = levels_of_rows(self.lhs, rest)
        right = centred(self.rhs, RIGHT.along(self, rank)[1])
        found = convolved(left, right, windows, width)
        return found * scales_of_result(self, windows, rank)
