"""Levels with a scale and a zero point, for a tensor or for each slice of it along an axis."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import broadcast_shapes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.fill import range as counted
from ..array.select import where
from ..array.shapes import rank as rank_of
from ..array.shapes import reshape
from ..demands import refuse
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.comparison import equal
from ..math.elementwise import floor
from ..op import Attr, In, Op, Out, types
from ..underivable import no_derivative
from .fixed_point import by_float32, scaled, whole, wrapped

NOT_ALIKE = "{}: {} of shape {} does not go with {}, which has {}"
NO_AXIS = "{}: {}quantization_axis must be -1 or less than the rank of {}, {}, got {}"
OTHER_RANK = (
    "{}: {} has rank {}: it must be a scalar with {}quantization_axis of -1, else a vector; got {}"
)
NOT_POSITIVE = "{}: {}{at} = {it} is not positive"
OTHER_AXES = "{}: {} and {} must be the same axis where neither is -1, got {} and {}"
NO_LEVELS = "{}: Tout must be qint8, got {}"


class Levels:
    """How a tensor is quantized: which operand it is, and what its scales are called."""

    def __init__(self, tensor: str, word: str = "") -> None:
        self.tensor, self.word = tensor, word
        self.scales, self.zeros = f"{word}scales", f"{word}zero_points"

    def axis(self, op: Any) -> int:
        return getattr(op, f"{self.word}quantization_axis")

    def ends(self, op: Any) -> tuple[int, int]:
        said = f"{self.word}quantization_"
        return getattr(op, f"{said}min_val"), getattr(op, f"{said}max_val")

    def demand(self, op: Any, sizes: Any, positive: bool = True) -> None:
        """Scales that are positive, and zero points of their shape, which goes with the tensor."""
        scales = getattr(op, self.scales)
        told = op.name, self.scales, self.zeros
        demand_alike(sizes, sizes.shape(scales), sizes.shape(getattr(op, self.zeros)), *told)
        if positive:
            sizes.each(
                scales, lambda scale: scale > 0, InvalidArgumentError, NOT_POSITIVE, op.name,
                self.scales,
            )  # fmt: skip
        rank, axis = len(sizes.shape(scales)), self.axis(op)
        if rank != (axis != -1):
            refuse(InvalidArgumentError, OTHER_RANK, op.name, self.scales, rank, self.word, axis)
        if not self.tensor or axis == -1:
            return
        x = sizes.shape(getattr(op, self.tensor))
        if not 0 <= axis < len(x):
            refuse(InvalidArgumentError, NO_AXIS, op.name, self.word, self.tensor, len(x), axis)
        demand_alike(sizes, sizes.shape(scales), (x[axis],), op.name, self.scales, self.tensor)

    def along(self, op: Any, rank: Any) -> tuple[Any, Any]:
        """Scales, float32, and zero points, int64, as they broadcast with a tensor of a rank."""
        axis = self.axis(op)
        zeros = cast(getattr(op, self.zeros), dtypes.int64)
        return on_axis(getattr(op, self.scales), axis, rank), on_axis(zeros, axis, rank)


def demand_alike(sizes: Any, shape: Any, other: Any, name: str, word: str, other_word: str) -> None:
    """Two shapes must be one."""
    told = NOT_ALIKE, name, word, shape, other_word, other
    if len(shape) != len(other):
        refuse(InvalidArgumentError, *told)
    for one, two in zip(shape, other, strict=True):
        sizes.require(sizes.equal(one, two), InvalidArgumentError, *told)


def on_axis(x: Any, axis: int, rank: Any) -> Any:
    """A vector as it broadcasts along an axis; with the axis -1 a scalar as it is."""
    if axis == -1:
        return x
    axes = counted(rank)
    return reshape(x, where(equal(axes, axis), axes * 0 - 1, axes * 0 + 1))


def limited(x: Any, ends: tuple[int, int]) -> Any:
    """No lower than the first end; then no higher than the second, whichever is above."""
    return maximum(minimum(x, x * 0 + ends[1]), x * 0 + ends[0])


def wide(x: Any) -> Any:
    return cast(x, dtypes.float64)


def quantized(x: Any, scales: Any, zeros: Any, ends: tuple[int, int]) -> Any:
    """The nearest level of each float (halves up), within ends: int64."""
    near = floor(x * (1.0 / scales) + 0.5)
    return limited(wrapped(whole(near) + zeros), ends)


SAID = Levels("input")
GIVEN, WANTED = Levels("input", "input_"), Levels("output", "output_")


class UniformQuantize(Op):
    """Floats as levels: the nearest of `input / scales`, plus `zero_points`."""

    input = In("Tin ...")
    scales = In("f32 ...")
    zero_points = In("i32 ...")
    output = Out("Tout ...")
    Tout = Attr(allowed=types("q32 q8 qu8"))
    quantization_min_val = Attr(int)
    quantization_max_val = Attr(int)
    quantization_axis = Attr(-1)
    Tin = types("f32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        SAID.demand(self, sizes, positive=False)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.Tout)

    def expand(self) -> Any:
        levels = quantized(self.input, *SAID.along(self, rank_of(self.input)), SAID.ends(self))
        return cast(cast(levels, dtypes.int32), self.Tout)


class UniformDequantize(Op):
    """The floats that levels stand for: `(input - zero_points) * scales`."""

    input = In("Tin ...")
    scales = In("f32 ...")
    zero_points = In("i32 ...")
    output = Out("Tout ...")
    Tout = Attr(allowed=types("f32"))
    quantization_min_val = Attr(int)
    quantization_max_val = Attr(int)
    quantization_axis = Attr(-1)
    Tin = types("q8 qu8 q32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        SAID.demand(self, sizes)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, dtypes.float32)

    def expand(self) -> Any:
        scales, zeros = SAID.along(self, rank_of(self.input))
        found = wrapped(by_float32(levels_of(self.input)) - zeros)
        return cast(found, dtypes.float32) * scales


def levels_of(x: Any) -> Any:
    """Levels as plain numbers: int64."""
    return cast(cast(x, dtypes.int32), dtypes.int64)


class UniformRequantize(Op):
    """Levels of one scale and zero point as those of another."""

    input = In("Tin ...")
    input_scales = In("f32 ...")
    input_zero_points = In("i32 ...")
    output_scales = In("f32 ...")
    output_zero_points = In("i32 ...")
    output = Out("Tout ...")
    Tout = Attr(allowed=types("q32 q8"))
    input_quantization_min_val = Attr(int)
    input_quantization_max_val = Attr(int)
    output_quantization_min_val = Attr(int)
    output_quantization_max_val = Attr(int)
    input_quantization_axis = Attr(-1)
    output_quantization_axis = Attr(-1)
    Tin = types("q8 q32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        if self.Tout.name != "qint8":  # the other one has no kernel
            refuse(InvalidArgumentError, NO_LEVELS, self.name, self.Tout.name)
        first, second = GIVEN.axis(self), OUT_OF_INPUT.axis(self)
        if -1 not in (first, second) and first != second:
            words = "input_quantization_axis", "output_quantization_axis"
            refuse(InvalidArgumentError, OTHER_AXES, self.name, *words, first, second)
        GIVEN.demand(self, sizes)
        OUT_OF_INPUT.demand(self, sizes)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.Tout)

    def expand(self) -> Any:
        x = by_float32(levels_of(self.input))
        rank = rank_of(x)
        given, wanted = GIVEN.along(self, rank), OUT_OF_INPUT.along(self, rank)
        levels = moved(x, given, wanted) + wanted[1]
        return cast(cast(limited(wrapped(levels), WANTED.ends(self)), dtypes.int32), self.Tout)


# The result has the input's shape, which is there to be asked.
OUT_OF_INPUT = Levels("input", "output_")


def moved(x: Any, given: Any, wanted: Any) -> Any:
    """Levels, less their zero point, in another scale: int64."""
    return scaled(wrapped(x - given[1]), wide(given[0]) / wide(wanted[0]))


class UniformQuantizedClipByValue(Op):
    """Levels between the ends that are given, for all or for each slice along the axis."""

    operand = In("T ...")
    min = In("T ...")
    max = In("T ...")
    scales = In("f32 ...")
    zero_points = In("i32 ...")
    output = Out("T ...")
    quantization_min_val = Attr(int)
    quantization_max_val = Attr(int)
    quantization_axis = Attr(-1)
    T = types("q32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        CLIPPED.demand(self, sizes)
        for word in ("min", "max"):
            shape = sizes.shape(getattr(self, word))
            demand_alike(sizes, shape, sizes.shape(self.scales), self.name, word, "scales")

    def infer(self) -> TensorSpec:
        return TensorSpec(self.operand.shape, self.operand.dtype)

    def expand(self) -> Any:
        x = cast(self.operand, dtypes.int32)
        axis, rank = CLIPPED.axis(self), rank_of(x)
        low, high = (on_axis(cast(one, dtypes.int32), axis, rank) for one in (self.min, self.max))
        return cast(minimum(maximum(x, low), high), self.operand.dtype)


CLIPPED = Levels("operand")
LEFT, RIGHT, RESULT = Levels("lhs", "lhs_"), Levels("rhs", "rhs_"), Levels("", "output_")


class UniformQuantizedAdd(Op):
    """Sums of levels that have each their own scale and zero point; shapes broadcast."""

    lhs = In("T ...")
    rhs = In("T ...")
    lhs_scales = In("f32 ...")
    lhs_zero_points = In("i32 ...")
    rhs_scales = In("f32 ...")
    rhs_zero_points = In("i32 ...")
    output_scales = In("f32 ...")
    output_zero_points = In("i32 ...")
    output = Out("T ...")
    lhs_quantization_min_val = Attr(int)
    lhs_quantization_max_val = Attr(int)
    rhs_quantization_min_val = Attr(int)
    rhs_quantization_max_val = Attr(int)
    output_quantization_min_val = Attr(int)
    output_quantization_max_val = Attr(int)
    lhs_quantization_axis = Attr(-1)
    rhs_quantization_axis = Attr(-1)
    output_quantization_axis = Attr(-1)
    T = types("q32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        for one in (LEFT, RIGHT, RESULT):
            one.demand(self, sizes)

    def infer(self) -> TensorSpec:
        return TensorSpec(broadcast_shapes(self.lhs.shape, self.rhs.shape), self.lhs.dtype)

    def expand(self) -> Any:
        ranks = rank_of(self.lhs), rank_of(self.rhs)
        wanted = RESULT.along(self, maximum(*ranks))
        total = wanted[1]
        for said, x, rank in zip((LEFT, RIGHT), (self.lhs, self.rhs), ranks, strict=True):
            levels = by_float32(levels_of(x))
            total = total + by_float32(moved(levels, said.along(self, rank), wanted))
        found = limited(wrapped(total), RESULT.ends(self))
        return cast(cast(found, dtypes.int32), self.lhs.dtype)
