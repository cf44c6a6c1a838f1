"""Floats as levels of a quantized type between two limits, and back again."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..op import QUANTIZED, Attr, In, Op, Out, types
from ..underivable import no_derivative
from .levels import FLOAT, Array, limits, numbers, rounded, steps, stored

MODES = "MIN_COMBINED MIN_FIRST SCALED"
ROUNDINGS = "HALF_AWAY_FROM_ZERO HALF_TO_EVEN"
NO_AXIS = "{}: axis must be at least -1 and less than the rank, {}, got {}"
NO_SCALARS = "{}: without an axis the limits are scalars, and not of the shapes {} and {}"
NO_VECTORS = "{}: along axis {} of size {} the limits are vectors of that size, and not {} and {}"
NOT_QUANTIZED = "QuantizeV2: T must be qint8, quint8, qint16, quint16 or qint32, got {}"
NO_ROUNDING = "Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', got mode '{}'"
WRONG_ORDER = "input_max_range must be larger than input_min_range: {} is above {}"


# Called as TensorFlow calls it.
Quantized = namedtuple("QuantizeV2", "output output_min output_max")


def _demand_limits(op: Any, sizes: Any, low: Any, high: Any) -> None:
    """A scalar each, or a number for each slice along the axis."""
    shapes = sizes.shape(low), sizes.shape(high)
    x = sizes.shape(op.input)
    if op.axis != -1 and not 0 <= op.axis < len(x):
        refuse(InvalidArgumentError, NO_AXIS, op.name, len(x), op.axis)
    if op.axis == -1:
        one = [sizes.equal(sizes.count(shape), 1) for shape in shapes]
        sizes.require(one[0] & one[1], ShapeMismatchError, NO_SCALARS, op.name, *shapes)
        return
    told = NO_VECTORS, op.name, op.axis, x[op.axis], *shapes
    if not len(shapes[0]) == len(shapes[1]) == 1:
        refuse(ShapeMismatchError, *told)
    for shape in shapes:
        sizes.require(sizes.equal(shape[0], x[op.axis]), ShapeMismatchError, *told)


def _along(limit: Array, x: Array, axis: int) -> Array:
    """A limit as it broadcasts with `x`."""
    if axis == -1:
        return limit.reshape(())
    return limit.reshape([-1 if k == axis else 1 for k in range(x.ndim)])


class QuantizeV2(Op):
    """Floats as levels of `T` between two limits, which are widened to hold 0 and to differ."""

    input = In("f32 ...")
    min_range = In("f32 ...")
    max_range = In("f32 ...")
    output = Out("T ...")
    output_min = Out("f32 ...")
    output_max = Out("f32 ...")
    T = Attr(allowed=QUANTIZED)
    mode = Attr("MIN_COMBINED", MODES)
    round_mode = Attr("HALF_AWAY_FROM_ZERO", ROUNDINGS)
    narrow_range = Attr(False)
    axis = Attr(-1)
    ensure_minimum_range = Attr(0.01)
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        if not as_dtype(self.T).is_quantized:
            refuse(InvalidArgumentError, NOT_QUANTIZED, as_dtype(self.T).name)
        if self.round_mode == "HALF_TO_EVEN" and self.mode != "SCALED":
            refuse(InvalidArgumentError, NO_ROUNDING, self.mode)
        if self.mode == "MIN_FIRST" and self.axis != -1:
            refuse(InvalidArgumentError, ONE_RANGE)
        _demand_limits(self, sizes, self.min_range, self.max_range)
        if self.axis == -1:
            low, high = sizes.values(self.min_range, self.max_range)
            sizes.require(low <= high, InvalidArgumentError, WRONG_ORDER, low, high)

    def infer(self) -> Any:
        shape = () if self.axis == -1 else self.min_range.shape
        limit = TensorSpec(shape, dtypes.float32)
        return TensorSpec(self.input.shape, self.T), limit, limit

    def eager(self, np: Any) -> Any:
        x, target = self.input, as_dtype(self.T)
        low, high = widened(self.min_range, self.max_range, self.ensure_minimum_range)
        if self.axis == -1:
            low, high = low.reshape(()), high.reshape(())
        with np.errstate(all="ignore"):
            if self.mode == "SCALED":
                return self._scaled(x, target, low, high)
            a, b = _along(low, x, self.axis), _along(high, x, self.axis)
            if self.mode == "MIN_COMBINED":
                levels = combined(x, target, a, b)
            else:
                levels = first(x, target, a, b, once=not self.narrow_range)
        return stored(levels, target), low, high

    def _scaled(self, x: Array, target: DType, low: Array, high: Array) -> Any:
        scale = scale_of(target, low, high, self.narrow_range)
        lowest, highest = limits(target)
        low = (FLOAT(lowest + self.narrow_range) / scale).astype(FLOAT)
        low = np.where(np.abs(low) < np.finfo(FLOAT).tiny, FLOAT(0), low)
        high = (FLOAT(highest) / scale).astype(FLOAT)
        a, b, by = (_along(one, x, self.axis) for one in (low, high, scale))
        levels = np.clip(x, a, b) * by
        levels = np.rint(levels) if self.round_mode == "HALF_TO_EVEN" else rounded(levels)
        return stored(levels, target), low, high


def widened(low: Array, high: Array, least: float) -> tuple[Array, Array]:
    """Limits with 0 between them, and no nearer than `least` in proportion to the larger one."""
    lower = np.minimum(FLOAT(0), low)
    room = np.maximum(FLOAT(1), np.maximum(np.abs(low), np.abs(high))) * FLOAT(least)
    upper = np.maximum(high, lower + room.astype(FLOAT))
    return lower.astype(FLOAT), np.maximum(FLOAT(0), upper).astype(FLOAT)


def combined(x: Array, target: DType, low: Array, high: Array) -> Array:
    """Levels above that of the lower limit, as many below 0 as above."""
    lowest, highest = limits(target)
    scale = (float(highest - lowest) / (high - low).astype(np.float64)).astype(FLOAT)
    half = FLOAT((highest - lowest + 1) // 2 if lowest else 0)
    return rounded((np.clip(x, low, high) - low) * scale - half)


def first(x: Array, target: DType, low: Array, high: Array, once: bool = True) -> Array:
    """Levels so that 0 is one of them."""
    lowest, highest = limits(target)
    wide = (high - low).astype(np.float64) * (steps(target) / (steps(target) - 1))
    scale = np.where(high == low, FLOAT(0), (steps(target) / wide).astype(FLOAT)).astype(FLOAT)
    # TensorFlow rounds these once, halves to even, on processors like the one of our samples; on
    # others twice, as all other types, which gives numbers half between two levels another one.
    if once and target is dtypes.quint8:
        start = (low * scale).astype(FLOAT)
        levels = np.rint(x * scale - start)
    else:
        start = rounded((low * scale).astype(FLOAT))
        levels = rounded(x * scale) - (start - FLOAT(lowest))
    # The greatest float32 that is a level, of those of 32 bits.
    top = FLOAT(highest) if highest < 2**24 else np.nextafter(FLOAT(highest), FLOAT(0))
    return np.clip(levels, FLOAT(lowest), top).astype(FLOAT)


def scale_of(target: DType, low: Array, high: Array, narrow_range: bool) -> Array:
    """The largest factor that takes both limits into the levels."""
    lowest, highest = limits(target)
    least, most, huge = FLOAT(lowest + narrow_range), FLOAT(highest), np.finfo(FLOAT).max
    by_low = np.where(least * low > 0, least / low, huge)
    by_high = np.where(most * high > 0, most / high, huge)
    return np.minimum(by_low, by_high).astype(FLOAT)


class Dequantize(Op):
    """The floats that levels stand for between two limits."""

    input = In("T ...")
    min_range = In("f32 ...")
    max_range = In("f32 ...")
    output = Out("dtype ...")
    mode = Attr("MIN_COMBINED", MODES)
    narrow_range = Attr(False)
    axis = Attr(-1)
    dtype = Attr(dtypes.float32, types("bf16 f32"))
    T = QUANTIZED
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        if self.dtype not in types("f32 bf16"):
            refuse(InvalidArgumentError, NO_FLOAT, self.dtype.name)
        if self.mode == "MIN_FIRST" and (self.axis != -1 or self.dtype is dtypes.bfloat16):
            refuse(InvalidArgumentError, ONE_RANGE)
        _demand_limits(self, sizes, self.min_range, self.max_range)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.dtype)

    def eager(self, np: Any) -> Any:
        source, x = as_dtype(self.input.dtype), numbers(self.input, FLOAT)
        low, high = (_along(one, x, self.axis) for one in (self.min_range, self.max_range))
        with np.errstate(all="ignore"):
            read = {"SCALED": self._scaled, "MIN_FIRST": from_first}.get(self.mode, from_combined)
            return read(x, source, low, high).astype(as_dtype(self.dtype).storage)

    def _scaled(self, x: Array, source: DType, low: Array, high: Array) -> Array:
        lowest, highest = limits(source)
        by_high = high / FLOAT(highest)
        if not lowest:
            return x * by_high
        return x * np.maximum(low / FLOAT(lowest + self.narrow_range), by_high)


ONE_RANGE = "MIN_FIRST has one range and float32: use MIN_COMBINED or SCALED with an axis, bfloat16"
NO_FLOAT = "Dequantize: dtype must be float32 or bfloat16, got {}"


def from_combined(x: Array, source: DType, low: Array, high: Array) -> Array:
    lowest, highest = limits(source)
    scale = ((high - low) / FLOAT(highest - lowest)).astype(FLOAT)
    half = FLOAT((highest - lowest + 1) // 2 if lowest else 0)
    return (x + half) * scale + low


def from_first(x: Array, source: DType, low: Array, high: Array) -> Array:
    width = ((high - low) / FLOAT(steps(source) - 1)).astype(FLOAT)
    start = rounded((low / width).astype(FLOAT)) * width
    found = x * width + (start - FLOAT(limits(source)[0]) * width)
    return np.where(low == high, low, found).astype(FLOAT)


@dispatchable
def quantize(
    input: Any, min_range: Any, max_range: Any, T: Any, mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO", name: str | None = None, narrow_range: bool = False,
    axis: int | None = None, ensure_minimum_range: float = 0.01,
) -> Any:  # fmt: skip
    """`input` as levels of the quantized type `T`, and the limits that these stand for.

    input: float32. min_range, max_range: scalars, or with `axis` a number for each slice along it;
    they are widened to hold 0 and, by `ensure_minimum_range`, to differ. mode: "MIN_COMBINED"
    spreads the levels between the limits, "MIN_FIRST" has 0 among them, "SCALED" multiplies, so
    that 0 is level 0; then `narrow_range` leaves out the lowest level, and the limits that are
    returned are those of the levels. round_mode: where halves go, in mode "SCALED". Returns
    `(output, output_min, output_max)`.

    >>> tf.quantization.quantize([-1.0, 0.25, 2.0], -1.0, 2.0, tf.qint8).output.numpy()
    array([-128,  -22,  127], dtype=int8)

    Raises:
        InvalidArgumentError: the limits are not in order or not of those shapes, or no such mode.
    """
    x = as_tensor(input, dtypes.float32)
    low, high = (as_tensor(one, dtypes.float32) for one in (min_range, max_range))
    found = bind(
        QuantizeV2, x, low, high, T=as_dtype(T), mode=mode, round_mode=round_mode,
        narrow_range=narrow_range, axis=_axis_of(x, axis),
        ensure_minimum_range=ensure_minimum_range, name=name,
    )  # fmt: skip
    return Quantized(*found)


def _axis_of(x: Any, axis: int | None) -> int:
    """The axis as the operations have it: -1 is none."""
    if axis is None or axis >= 0:
        return -1 if axis is None else axis
    rank = x.shape.rank
    if rank is None:
        raise ValueError("input should have known rank to use negative axis.")
    return axis + rank


@dispatchable
def dequantize(
    input: Any, min_range: Any, max_range: Any, mode: str = "MIN_COMBINED",
    name: str | None = None, axis: int | None = None, narrow_range: bool = False,
    dtype: Any = dtypes.float32,
) -> Any:  # fmt: skip
    """The floats that the levels in `input` stand for: what `tf.quantization.quantize` undoes.

    input: of a quantized type, of any shape, which the result keeps. min_range, max_range: scalars,
    or with `axis` a number for each slice along it. mode, narrow_range: as they were quantized.
    dtype: float32 or bfloat16.

    >>> levels = tf.constant([-128, -22, 127], tf.qint8)
    >>> tf.quantization.dequantize(levels, -1.0, 2.0).numpy().round(2)
    array([-1.  ,  0.25,  2.  ], dtype=float32)

    Raises:
        InvalidArgumentError: the limits are not of those shapes, or the types are others.
    """
    x = as_tensor(input)
    low, high = (as_tensor(one, dtypes.float32) for one in (min_range, max_range))
    return bind(
        Dequantize, x, low, high, mode=mode, narrow_range=narrow_range, axis=_axis_of(x, axis),
        dtype=None if dtype is None else as_dtype(dtype), name=name,
    )  # fmt: skip
