"""Levels whose channels have ranges or moments of their own."""

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
from .levels import FLOAT, Array, floats_of, levels_of, limits, numbers, stored
from .requantize import LIMIT, demand_target

NOT_PICTURES = "{}: the input must be in NHWC format, of 4 axes, got shape {}"
NOT_EACH = "{}: {} has an incorrect size: {} is wanted, got shape {}"
ABOVE_ZERO = "{}: for qint8 requested_output_min must be below 0, got {}"
WIDEST = FLOAT(2.0**-31)


def demand_pictures(op: Any, sizes: Any, x: Any) -> Any:
    """The number of channels of pictures; others are refused."""
    shape = sizes.shape(x)
    if len(shape) != 4:
        refuse(InvalidArgumentError, NOT_PICTURES, op.name, shape)
    return shape[3]


def floats_per_level(low: Array, high: Array) -> Array:
    """How far the floats of neighbouring levels of qint32 are apart, in each channel."""
    widest: Array = np.maximum(np.abs(low), np.abs(high))
    return widest * WIDEST


class RequantizationRangePerChannel(Op):
    """The range that levels of 32 bits use, each channel of which has one of its own."""

    input = In("T ...")
    input_min = In("f32 ...")
    input_max = In("f32 ...")
    output_min = Out("f32")
    output_max = Out("f32")
    clip_value_max = Attr(float)
    T = types("q32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        depth = demand_pictures(self, sizes, self.input)
        for name in ("input_min", "input_max"):
            shape = sizes.shape(getattr(self, name))
            if len(shape) > 1:
                refuse(InvalidArgumentError, NOT_EACH, self.name, name, depth, shape)
            fits = sizes.equal(shape[0] if shape else 1, depth)
            sizes.require(fits, InvalidArgumentError, NOT_EACH, self.name, name, depth, shape)

    def infer(self) -> Any:
        return LIMIT, LIMIT

    def eager(self, np: Any) -> Any:
        x = numbers(self.input)
        highest = np.abs(x).reshape(-1, x.shape[3]).max(0, initial=0).astype(FLOAT)
        used = (highest * floats_per_level(self.input_min, self.input_max)).max(initial=FLOAT(0))
        most = np.minimum(used, FLOAT(self.clip_value_max))
        return FLOAT(0) if x.min(initial=0) >= 0 else -most, most


class RequantizePerChannel(Op):
    """Levels of 32 bits, each channel of which has a range, as those of 8 bits of one range."""

    input = In("T ...")
    input_min = In("f32 ...")
    input_max = In("f32 ...")
    requested_output_min = In("f32")
    requested_output_max = In("f32")
    output = Out("out_type ...")
    output_min = Out("f32")
    output_max = Out("f32")
    out_type = Attr(dtypes.quint8, QUANTIZED)
    T = types("q32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_target(self, "qint8", "quint8")
        depth = demand_pictures(self, sizes, self.input)
        for name in ("input_min", "input_max"):
            shape = sizes.shape(getattr(self, name))
            size = shape[0] if len(shape) == 1 else 1
            if len(shape) > 1:
                refuse(InvalidArgumentError, NOT_EACH, self.name, name, depth, shape)
            fits = sizes.equal(size, depth) | sizes.equal(size, 1)
            sizes.require(fits, InvalidArgumentError, NOT_EACH, self.name, name, depth, shape)
        if as_dtype(self.out_type) is dtypes.qint8:
            (low,) = sizes.values(self.requested_output_min)
            sizes.require(low < 0, InvalidArgumentError, ABOVE_ZERO, self.name, low)

    def infer(self) -> Any:
        return TensorSpec(self.input.shape, self.out_type), LIMIT, LIMIT

    def eager(self, np: Any) -> Any:
        target = as_dtype(self.out_type)
        low, high = self.requested_output_min[()], self.requested_output_max[()]
        least, most = limits(target)
        wanted = np.maximum(np.abs(low), np.abs(high))
        each = floats_per_level(self.input_min, self.input_max)
        with np.errstate(all="ignore"):
            found = numbers(self.input).astype(FLOAT) * (each * FLOAT(most) / wanted)
        return stored(np.clip(np.rint(found), least, most), target), low, high


class QuantizedInstanceNorm(Op):
    """Levels less the mean of their channel in their picture, by its deviation; the range is that
    of the results, or one that is given.
    """

    x = In("T ...")
    x_min = In("f32")
    x_max = In("f32")
    y = Out("T ...")
    y_min = Out("f32")
    y_max = Out("f32")
    output_range_given = Attr(False)
    given_y_min = Attr(0.0)
    given_y_max = Attr(0.0)
    variance_epsilon = Attr(9.999999747378752e-06)
    min_separation = Attr(0.0010000000474974513)
    T = types("qu8")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_pictures(self, sizes, self.x)

    def infer(self) -> Any:
        return TensorSpec(self.x.shape, dtypes.quint8), LIMIT, LIMIT

    def eager(self, np: Any) -> Any:
        x = floats_of(numbers(self.x), dtypes.quint8, self.x_min[()], self.x_max[()])
        mean, variance = x.mean((1, 2), keepdims=True), x.var((1, 2), keepdims=True)
        found = (x - mean) / np.sqrt(variance + FLOAT(self.variance_epsilon))
        low, high = FLOAT(self.given_y_min), FLOAT(self.given_y_max)
        if not self.output_range_given:
            low = found.min()
            high = np.maximum(found.max(), low + FLOAT(self.min_separation))
        return stored(levels_of(found, dtypes.quint8, low, high), dtypes.quint8), low, high


class QuantizedBatchNormWithGlobalNormalization(Op):
    """Levels less a mean for each channel, by a deviation, times `gamma`, plus `beta`, all of which
    are levels, too. TensorFlow computes it with levels of 32 bits, whose 1.0 is 2048.
    """

    t = In("Tinput ...")
    t_min = In("f32")
    t_max = In("f32")
    m = In("Tinput n")
    m_min = In("f32")
    m_max = In("f32")
    v = In("Tinput n")
    v_min = In("f32")
    v_max = In("f32")
    beta = In("Tinput n")
    beta_min = In("f32")
    beta_max = In("f32")
    gamma = In("Tinput n")
    gamma_min = In("f32")
    gamma_max = In("f32")
    result = Out("out_type ...")
    result_min = Out("f32")
    result_max = Out("f32")
    out_type = Attr(allowed=QUANTIZED)
    variance_epsilon = Attr(float)
    scale_after_normalization = Attr(bool)
    Tinput = types("qu8")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_target(self, "qint32")
        depth = demand_pictures(self, sizes, self.t)
        for name in ("m", "v", "beta", "gamma"):
            shape = sizes.shape(getattr(self, name))
            fits = sizes.equal(shape[0], depth)
            sizes.require(fits, InvalidArgumentError, NOT_EACH, self.name, name, depth, shape)

    def infer(self) -> Any:
        return TensorSpec(self.t.shape, dtypes.qint32), LIMIT, LIMIT

    def _floats(self, name: str) -> Array:
        low, high = getattr(self, f"{name}_min")[()], getattr(self, f"{name}_max")[()]
        return floats_of(numbers(getattr(self, name)), dtypes.quint8, low, high)

    def eager(self, np: Any) -> Any:
        end = FLOAT(1 << 20)

        def wide(x: Any) -> Array:
            return levels_of(x, dtypes.qint32, -end, end)

        mean, variance, shift = map(self._floats, ("m", "v", "beta"))
        scale = FLOAT(1) / np.sqrt(variance + FLOAT(self.variance_epsilon))
        if self.scale_after_normalization:
            scale = scale * self._floats("gamma")
        products = wide(self._floats("t")) * wide(scale)
        found = np.trunc(products / wide(FLOAT(1))) + wide(shift - mean * scale)
        return stored(found, dtypes.qint32), -end, end
