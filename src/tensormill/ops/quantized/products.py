"""Products and sums of levels: of matrices, of images with filters, of elements, of rows."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..bind import bind
from ..families import Rephrased
from ..linalg.matmul import matmul
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.signs import abs as absolute
from ..nn.convolution import Conv2D
from ..op import QUANTIZED, Attr, In, Out, ints, types
from ..underivable import no_derivative
from .readings import centred, product_limits, requantized

BYTES = types("q8 qu8")


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
        product = centred(self.x, *a) * centred(self.y, *b)
        return cast(product, self.Toutput), *product_limits(self.x.dtype, a, self.y.dtype, b)


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
