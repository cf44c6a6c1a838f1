"""Products and sums of levels: of matrices, of images with filters, of elements, of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import dtypes
from ...core.shapes import broadcast_shapes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..checks.assertions import assert_less
from ..families import Rephrased
from ..linalg.matmul import matmul
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.signs import abs as absolute
from ..nn.convolution import Conv2D
from ..op import QUANTIZED, Attr, In, Op, Out, ints, types
from ..underivable import no_derivative
from .levels import floats_of as floats_of_levels
from .levels import levels_of, numbers, stored
from .readings import centred, product_limits, requantized
from .requantize import LIMIT

BYTES = types("q8 qu8")
UNLIKE = "{}: the shapes {} and {} do not broadcast"


class QuantizedMatMul(Rephrased):
    """The product of two matrices of levels, in the range that goes with products."""

    a = In("T1 ...")
    b = In("T2 ...")
    min_a = In("f32")
    max_a = In("f32")
    min_b = In("f32")
    max_b = In("f32")
    out = Out("Toutput ...")
    min_out = Out("f32")
    max_out = Out("f32")
    Toutput = Attr(dtypes.qint32, QUANTIZED)
    transpose_a = Attr(False)
    transpose_b = Attr(False)
    Tactivation = Attr(dtypes.quint8, QUANTIZED)
    T1 = types("qu8")
    T2 = types("qu8")
    vjp = no_derivative

    def expand(self) -> Any:
        a, b = (self.min_a, self.max_a), (self.min_b, self.max_b)
        product = matmul(
            centred(self.a, *a), centred(self.b, *b), self.transpose_a, self.transpose_b
        )
        return cast(product, self.Toutput), *product_limits(self.a.dtype, a, self.b.dtype, b)


class QuantizedConv2D(Rephrased):
    """Images of levels convolved with filters of levels."""

    input = In("Tinput ...")
    filter = In("Tfilter ...")
    min_input = In("f32")
    max_input = In("f32")
    min_filter = In("f32")
    max_filter = In("f32")
    output = Out("out_type ...")
    min_output = Out("f32")
    max_output = Out("f32")
    strides = Attr(ints)
    padding = Attr(str)
    out_type = Attr(dtypes.qint32, QUANTIZED)
    dilations = Attr((1, 1, 1, 1))
    Tinput = types("qu8")
    Tfilter = BYTES
    vjp = no_derivative

    def expand(self) -> Any:
        a, b = (self.min_input, self.max_input), (self.min_filter, self.max_filter)
        found = bind(
            Conv2D, centred(self.input, *a), centred(self.filter, *b), strides=self.strides,
            padding=self.padding, dilations=self.dilations,
        )  # fmt: skip
        limits = product_limits(self.input.dtype, a, self.filter.dtype, b)
        return cast(found, self.out_type), *limits


class QuantizedMul(Rephrased):
    """Products of levels, element by element."""

    x = In("T1 ...")
    y = In("T2 ...")
    min_x = In("f32")
    max_x = In("f32")
    min_y = In("f32")
    max_y = In("f32")
    z = Out("Toutput ...")
    min_z = Out("f32")
    max_z = Out("f32")
    Toutput = Attr(dtypes.qint32, QUANTIZED)
    T1 = types("qu8")
    T2 = types("qu8")
    vjp = no_derivative

    def expand(self) -> Any:
        a, b = (self.min_x, self.max_x), (self.min_y, self.max_y)
        assert_less(self.min_x, self.max_x, message="QuantizedMul: max_x must exceed min_x")
        assert_less(self.min_y, self.max_y, message="QuantizedMul: max_y must exceed min_y")
        product = centred(self.x, *a) * centred(self.y, *b)
        return cast(product, self.Toutput), *product_limits(self.x.dtype, a, self.y.dtype, b)


class QuantizedAdd(Op):
    """Sums of levels, element by element, with fewer of the 32 bits than `QuantizedBiasAdd`."""

    x = In("T1 *s1")
    y = In("T2 *s2")
    min_x = In("f32")
    max_x = In("f32")
    min_y = In("f32")
    max_y = In("f32")
    z = Out("Toutput ...")
    min_z = Out("f32")
    max_z = Out("f32")
    Toutput = Attr(dtypes.qint32, QUANTIZED)
    T1 = types("qu8")
    T2 = types("qu8")
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        first, second = sizes.shape(self.x), sizes.shape(self.y)
        for one, other in zip(reversed(first), reversed(second), strict=False):
            fits = sizes.equal(one, other) | sizes.equal(one, 1) | sizes.equal(other, 1)
            sizes.require(fits, InvalidArgumentError, UNLIKE, self.name, first, second)

    def infer(self) -> Any:
        shape = broadcast_shapes(self.x.shape, self.y.shape)
        return TensorSpec(shape, self.Toutput), LIMIT, LIMIT

    def eager(self, np: Any) -> Any:
        a, b = (self.min_x[()], self.max_x[()]), (self.min_y[()], self.max_y[()])
        for letter, (low, high) in zip("xy", (a, b), strict=True):
            if not low < high:
                raise InvalidArgumentError(
                    f"QuantizedAdd: max_{letter} must exceed min_{letter}, got {high} and {low}"
                )
        end = np.abs([*a, *b]).max().astype(np.float32) * np.float32(1 << 14)
        total = wider(self.x, a, end) + wider(self.y, b, end)
        return stored(total, dtypes.qint32), -end, end


def wider(x: Any, given: Any, end: Any) -> Any:
    """Levels of 8 bits as levels of 32 bits from `-end` to `end`. Those of more than a number are
    told by the first and by the whole number of levels between neighbours, as TensorFlow's are.
    """
    low, high = given

    def exactly(levels: Any) -> Any:
        floats = floats_of_levels(levels, dtypes.quint8, low, high)
        return levels_of(floats, dtypes.qint32, -end, end)

    levels = numbers(x)
    if not levels.ndim:
        return exactly(levels)
    apart = np.floor(np.float64(high - low) / 255 / (2 * np.float64(end)) * 2.0**32 + 0.5)
    return exactly(np.zeros((), np.int64)) + levels * int(apart)


def sum_limits(a: Any, b: Any) -> tuple[Any, Any]:
    """The range of sums: 17 bits wider than that of the operands."""
    lowest, highest = minimum(a[0], b[0]), maximum(a[1], b[1])
    room = maximum(absolute(lowest), absolute(highest)) * float(1 << 17)
    return -room, room


class QuantizedBiasAdd(Rephrased):
    """Levels plus those of a vector, along the last axis."""

    input = In("T1 ...")
    bias = In("T2 n")
    min_input = In("f32")
    max_input = In("f32")
    min_bias = In("f32")
    max_bias = In("f32")
    output = Out("out_type ...")
    min_out = Out("f32")
    max_out = Out("f32")
    out_type = Attr(allowed=QUANTIZED)
    T1 = BYTES
    T2 = BYTES
    vjp = no_derivative

    def expand(self) -> Any:
        a, b = (self.min_input, self.max_input), (self.min_bias, self.max_bias)
        room = sum_limits(a, b)
        total = requantized(self.input, a, room) + requantized(self.bias, b, room)
        return cast(total, self.out_type), *room
