"""Operations of graphs that releases before TensorFlow 1.0 wrote.

TensorFlow runs them where a GraphDef says that it is that old; here they are as good as any.
"""

from __future__ import annotations

from typing import Any, Final

from ...core import dtypes
from ...core.shapes import as_shape
from ...core.specs import TensorSpec
from ..array.concatenation import concat
from ..array.shapes import expand_dims, shape_of
from ..audio.summaries import AudioSummaryV2
from ..bind import bind
from ..conversion import as_tensor
from ..families import Rephrased
from ..linalg.eigenvalues import SelfAdjointEigV2
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.elementwise import rsqrt
from ..math.quantized_levels import QuantizeAndDequantizeV2
from ..math.reduce import reduce_mean, reduce_sum
from ..math.sums import AddN
from ..nn.convolution import Conv3DBackpropFilterV2, Conv3DBackpropInputV2
from ..op import FLOATS, INDEX, NUMBERS, Attr, In, Out, types
from ..random.gamma_and_poisson import RandomPoissonV2
from .renaming import renamed


class BatchNormWithGlobalNormalization(Rephrased):
    """Images with means and variances of channels, which are given; `beta` is added then."""

    t = In("T n h w c")
    m = In("T c")
    v = In("T c")
    beta = In("T c")
    gamma = In("T c")
    result = Out("T n h w c")
    variance_epsilon = Attr(float)
    scale_after_normalization = Attr(bool)
    T = FLOATS

    def expand(self) -> Any:
        factor = rsqrt(self.v + self.variance_epsilon)
        factor = factor * self.gamma if self.scale_after_normalization else factor
        return (self.t - self.m) * factor + self.beta


class BatchNormWithGlobalNormalizationGrad(Rephrased):
    """The gradients of all operands of the one above."""

    t = In("T n h w c")
    m = In("T c")
    v = In("T c")
    gamma = In("T c")
    backprop = In("T n h w c")
    dx = Out("T n h w c")
    dm = Out("T c")
    dv = Out("T c")
    db = Out("T c")
    dg = Out("T c")
    variance_epsilon = Attr(float)
    scale_after_normalization = Attr(bool)
    T = FLOATS
    differentiable = False

    def expand(self) -> tuple[Any, ...]:
        root, dy = rsqrt(self.v + self.variance_epsilon), self.backprop
        scaled = self.scale_after_normalization
        factor = root * self.gamma if scaled else root
        total = reduce_sum(dy, [0, 1, 2])
        weighted = reduce_sum(dy * (self.t - self.m), [0, 1, 2])
        to_variance = weighted * factor * root * root * -0.5
        to_gamma = weighted * root if scaled else self.gamma * 0.0
        return dy * factor, -total * factor, to_variance, total, to_gamma


class SelfAdjointEig(Rephrased):
    """The eigenvalues of symmetric matrices in one row, and below them their vectors."""

    input = In("T *b n n")
    output = Out("T *b r n")
    T = types("f16 f32 f64")

    def expand(self) -> Any:
        values, vectors = bind(SelfAdjointEigV2, self.input)
        return concat([expand_dims(values, -2), vectors], -2)


BATCHES: Final = renamed(
    "BatchSelfAdjointEig", SelfAdjointEig, __name__, dtypes={"T": types("f32 f64")}
)


class Conv3DBackpropInput(Rephrased):
    """The gradient of the input of a convolution; `input` tells its sizes alone."""

    input = In("T ...")
    filter = In("T ...")
    out_backprop = In("T ...")
    output = Out("T ...")
    strides = Attr()
    padding = Attr(str, "SAME VALID")
    dilations = Attr((1, 1, 1, 1, 1))
    T = types("f16 f32 f64")

    def expand(self) -> Any:
        operands = shape_of(self.input), self.filter, self.out_backprop
        return bind(Conv3DBackpropInputV2, *operands, **self.attr_values())


class Conv3DBackpropFilter(Rephrased):
    """The gradient of the filter of a convolution; `filter` tells its sizes alone."""

    input = In("T ...")
    filter = In("T ...")
    out_backprop = In("T ...")
    output = Out("T ...")
    strides = Attr()
    padding = Attr(str, "SAME VALID")
    dilations = Attr((1, 1, 1, 1, 1))
    T = types("f16 f32 f64")

    def expand(self) -> Any:
        operands = self.input, shape_of(self.filter), self.out_backprop
        return bind(Conv3DBackpropFilterV2, *operands, **self.attr_values())


class AdjustContrast(Rephrased):
    """Images further from, or nearer to, their means, within bounds: float32."""

    images = In("T *b h w c")
    contrast_factor = In("f32")
    min_value = In("f32")
    max_value = In("f32")
    output = Out("f32 *b h w c")
    T = types("u8 i8 i16 i32 i64 f32 f64")
    differentiable = False

    def expand(self) -> Any:
        x = cast(self.images, dtypes.float32)
        mean = reduce_mean(x, [-3, -2], keepdims=True)
        found = (x - mean) * self.contrast_factor + mean
        return minimum(maximum(found, self.min_value), self.max_value)


class QuantizeAndDequantize(Rephrased):
    """Numbers of so many bits that are nearest; the range is given, or that of the input."""

    input = In("T *s")
    output = Out("T *s")
    signed_input = Attr(True)
    num_bits = Attr(8)
    range_given = Attr(False)
    input_min = Attr(0.0)
    input_max = Attr(0.0)
    T = FLOATS

    def expand(self) -> Any:
        low, high = (as_tensor(one, self.input.dtype) for one in (self.input_min, self.input_max))
        return bind(
            QuantizeAndDequantizeV2, self.input, low, high, signed_input=self.signed_input,
            num_bits=self.num_bits, range_given=self.range_given,
        )  # fmt: skip


class AccumulateNV2(Rephrased):
    """The sum of all."""

    inputs_ = In("N * T *s")  # `inputs` is what every operation calls its fields
    sum = Out("T *s")
    shape = Attr()
    T = NUMBERS

    def infer(self) -> TensorSpec:
        return TensorSpec(as_shape(self.shape), self.inputs_[0].dtype)

    def expand(self) -> Any:
        return bind(AddN, self.inputs_)


class AudioSummary(Rephrased):
    """Sound for TensorBoard; the rate is an attribute."""

    tag = In("str")
    tensor = In("f32 ...")
    summary = Out("str")
    sample_rate = Attr(float)
    max_outputs = Attr(3)
    differentiable = False

    def expand(self) -> Any:
        rate = as_tensor(self.sample_rate, dtypes.float32)
        return bind(AudioSummaryV2, self.tag, self.tensor, rate, max_outputs=self.max_outputs)


class RandomPoisson(Rephrased):
    """Poisson numbers of the dtype of `rate`."""

    shape = In("S n")
    rate = In("dtype ...")
    output = Out("dtype ...")
    seed = Attr(0)
    seed2 = Attr(0)
    S = INDEX
    dtype = types("f16 f32 f64")
    differentiable = False

    def expand(self) -> Any:
        seeds = {"seed": self.seed, "seed2": self.seed2}
        return bind(RandomPoissonV2, self.shape, self.rate, dtype=self.rate.dtype, **seeds)
