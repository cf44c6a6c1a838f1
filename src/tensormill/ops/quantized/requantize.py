"""Levels of one range as levels of another, and the range that levels use."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..demands import refuse
from ..op import QUANTIZED, Attr, In, Op, Out, types
from ..underivable import no_derivative
from .levels import FLOAT, Array, floats_of, levels_of, numbers, stored

WRONG_ORDER = "{}: the lower limit must not be above the upper one: {} is above {}"
NO_ZERO = "{}: requested_output_min must be 0 or less, got {}"
NO_TARGET = "{}: out_type must be one of {}, got {}"
LIMIT = TensorSpec((), dtypes.float32)


def demand_target(op: Any, *allowed: str) -> None:
    """Refuse a dtype of the result that the operation has no levels for."""
    target = as_dtype(op.out_type)
    if target.name not in allowed:
        refuse(InvalidArgumentError, NO_TARGET, op.name, ", ".join(allowed), target.name)


def used_range(levels: Array, low: Any, high: Any) -> tuple[Any, Any]:
    """The floats of the lowest and the highest level that occur, and 0 between them."""
    limits = np.iinfo(np.int32)  # of no levels the least is the highest there could be
    least = levels.min(initial=limits.max)
    ends = np.array([least, levels.max(initial=limits.min)], np.int64)
    least, most = floats_of(ends, dtypes.qint32, low, high)
    return np.minimum(FLOAT(0), least), most


class RequantizationRange(Op):
    """The range that the levels of a tensor use of the one that goes with it."""

    input = In("Tinput ...")
    input_min = In("f32")
    input_max = In("f32")
    output_min = Out("f32")
    output_max = Out("f32")
    Tinput = types("q32")
    loose = frozenset(("input_min", "input_max"))
    vjp = no_derivative

    def eager(self, np: Any) -> Any:
        return used_range(numbers(self.input), self.input_min[()], self.input_max[()])


class Requantize(Op):
    """Levels of 32 bits as the nearest ones of 8 bits, in a range that is given."""

    input = In("Tinput ...")
    input_min = In("f32")
    input_max = In("f32")
    requested_output_min = In("f32")
    requested_output_max = In("f32")
    output = Out("out_type ...")
    output_min = Out("f32")
    output_max = Out("f32")
    out_type = Attr(allowed=QUANTIZED)
    Tinput = types("q32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_target(self, "qint8", "quint8")
        low, high = sizes.values(self.requested_output_min, self.requested_output_max)
        sizes.require(low <= 0, InvalidArgumentError, NO_ZERO, self.name, low)
        sizes.require(low <= high, InvalidArgumentError, WRONG_ORDER, self.name, low, high)

    def infer(self) -> Any:
        return TensorSpec(self.input.shape, self.out_type), LIMIT, LIMIT

    def eager(self, np: Any) -> Any:
        low, high = self.requested_output_min[()], self.requested_output_max[()]
        x, target = numbers(self.input), as_dtype(self.out_type)
        levels = shifted(x, target, self.input_min[()], self.input_max[()], low, high)
        return stored(levels, target), low, high


def shifted(x: Array, target: Any, a: Any, b: Any, low: Any, high: Any) -> Array:
    """Levels of qint32 in the range from `a` to `b` as those of `target` from `low` to `high`.

    Those of quint8 are computed with 16 bits behind the point, as TensorFlow's are.
    """
    if target is not dtypes.quint8:
        return levels_of(floats_of(x, dtypes.qint32, a, b), target, low, high)
    given, wanted = FLOAT(b - a), FLOAT(high - low)
    if wanted == 0:
        return np.zeros_like(x)
    one = 1 << 16
    scale = int(np.float64(255.0 * one * given) / wanted)
    middle = int(FLOAT((a + b) / FLOAT(2)) * FLOAT(255.0 / np.float64(wanted)) * FLOAT(one))
    start = int(np.floor(one * (np.float64(low) * 255.0) / np.float64(wanted) + 0.5))
    levels = ((x * scale) >> 32) + middle - start + (one >> 1) >> 16
    return np.clip(levels, 0, 255)


class QuantizeDownAndShrinkRange(Op):
    """Levels of 32 bits as those of 8 bits, in the range that they use."""

    input = In("Tinput ...")
    input_min = In("f32")
    input_max = In("f32")
    output = Out("out_type ...")
    output_min = Out("f32")
    output_max = Out("f32")
    out_type = Attr(allowed=QUANTIZED)
    Tinput = types("q32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_target(self, "quint8")

    def infer(self) -> Any:
        return TensorSpec(self.input.shape, self.out_type), LIMIT, LIMIT

    def eager(self, np: Any) -> Any:
        a, b, x = self.input_min[()], self.input_max[()], numbers(self.input)
        low, high = used_range(x, a, b)
        target = as_dtype(self.out_type)
        return stored(shifted(x, target, a, b, low, high), target), low, high
