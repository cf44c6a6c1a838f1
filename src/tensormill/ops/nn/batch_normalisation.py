"""Batch normalisation in one operation, as TensorFlow's graphs have it."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import ShapeMismatchError
from ..array.fill import zeros
from ..array.shapes import reshape, shape_of, size
from ..bind import bind
from ..control.flow import identity
from ..conversion import as_tensor
from ..demands import refuse
from ..math.arithmetic import maximum, square
from ..math.cast import cast
from ..math.elementwise import rsqrt
from ..math.reduce import reduce_mean, reduce_sum
from ..op import Attr, In, Op, Out, as_float32, types
from .windows import is_channels_first


class Normalization(Op, abstract=True):
    """What forward and gradient share. Numbers are computed with in float32."""

    data_format: Any
    x: Any

    native_from = MANY

    def axis(self) -> int:
        """Which axis the channels are."""
        return 1 if is_channels_first(self.data_format) else len(self.data_format) - 1

    def axes(self) -> list[int]:
        """All the other ones."""
        return [axis for axis in range(len(self.data_format)) if axis != self.axis()]

    def demands(self, sizes: Any) -> Any:
        """`x` and the vectors have as many channels."""
        rank = len(self.data_format)
        x = sizes.shape(self.x, rank)
        if len(x) != rank:
            refuse(ShapeMismatchError, NO_IMAGES, self.name, rank, x, rank)
        channels = x[self.axis()]
        for name in self.vectors():
            vector = sizes.shape(getattr(self, name), 1)
            if len(vector) != 1:
                refuse(ShapeMismatchError, NO_VECTOR, self.name, name, vector)
            fits = sizes.equal(vector[0], channels)
            sizes.require(fits, ShapeMismatchError, UNLIKE, self.name, name, vector[0], channels)

    def vectors(self) -> tuple[str, ...]:
        """The operands that have a number for each channel."""
        raise TypeError(f"{self.name} does not say which they are")

    def channels(self) -> int | None:
        """How many there are, from all that is known."""
        x, vectors = self.x.shape.entries, [getattr(self, name) for name in self.vectors()]
        sizes = [None if x is None else x[self.axis()]]
        sizes += [one.shape.entries[0] for one in vectors if one.shape.entries]
        return next((size for size in sizes if size is not None), None)

    def spread(self, vector: Any) -> Any:
        """A vector of the channels, to be combined with `x`."""
        inner = len(self.data_format) - 1 - self.axis()
        wide = cast(vector, dtypes.float32)
        return reshape(wide, [-1, *[1] * inner]) if inner else wide

    def per_channel(self, vector: Any) -> Any:
        """A float32 vector that has a number for each channel, not one for all of them."""
        wide = cast(vector, dtypes.float32)
        if None not in (self.x.shape[self.axis()], wide.shape[0]):
            return wide  # `demands` has seen it
        return reshape(wide, [shape_of(self.x)[self.axis()]])

    def count(self, x: Any) -> Any:
        """How many elements each channel has, a float32 number or scalar."""
        sizes = [x.shape[axis] for axis in self.axes()]
        if None not in sizes:
            return float(prod(sizes))
        channels = shape_of(x)[self.axis()]
        return cast(size(x), dtypes.float32) / cast(maximum(channels, 1), dtypes.float32)


NO_IMAGES = "{}: input must be {}-dimensional {} (Shape must be rank {})"
NO_VECTOR = "{}: {} must be 1-dimensional {}"
UNLIKE = (
    "{}: {} must have the same number of elements as the channels of x, got {} and {} "
    "(Dimensions must be equal)"
)


class FusedBatchNormV3(Normalization):
    """`x` with mean 0 and variance 1 in every channel, times `scale` plus `offset`.

    is_training: mean and variance are those of `x`; with an `exponential_avg_factor` below 1,
    `batch_mean` and `batch_variance` are that part of the way from the given ones to them.
    """

    x = In("T ...")
    scale = In("U c")
    offset = In("U c")
    mean = In("U m")
    variance = In("U v")
    y = Out("T ...")
    batch_mean = Out("U c")
    batch_variance = Out("U c")
    reserve_space_1 = Out("U c")
    reserve_space_2 = Out("U c")
    reserve_space_3 = Out("U zero")
    epsilon = Attr(as_float32(0.0001))
    exponential_avg_factor = Attr(1.0)
    data_format = Attr("NHWC", "NHWC NCHW NDHWC NCDHW")
    is_training = Attr(True)
    T = types("f16 bf16 f32")
    U = types("bf16 f32")
    takes_none = True

    def infer(self) -> tuple[TensorSpec, ...]:
        x, channels, dtype = self.x.shape.entries, self.channels(), self.scale.dtype
        shape = self.x.shape
        if x is not None and channels is not None:
            shape = tuple(channels if k == self.axis() else d for k, d in enumerate(x))
        vector = TensorSpec((channels,), dtype)
        return TensorSpec(shape, self.x.dtype), *[vector] * 4, TensorSpec((0,), dtype)

    def vectors(self) -> tuple[str, ...]:
        needs_moments = not self.is_training or self.exponential_avg_factor != 1
        return ("scale", "offset", *(("mean", "variance") if needs_moments else ()))

    def expand(self) -> tuple[Any, ...]:
        x, dtype = cast(self.x, dtypes.float32), self.scale.dtype
        scale, offset = self.per_channel(self.scale), self.per_channel(self.offset)
        if self.is_training:
            mean = reduce_mean(x, self.axes())
            variance = reduce_mean(square(x - self.spread(mean)), self.axes())
        else:
            mean, variance = self.per_channel(self.mean), self.per_channel(self.variance)
        factor = self.spread(rsqrt(variance + self.epsilon) * scale)
        y = (x - self.spread(mean)) * factor + self.spread(offset)
        kept_mean, kept_variance = self.kept(x, mean, variance)
        vectors = (cast(one, dtype) for one in (kept_mean, kept_variance, mean, variance))
        return cast(y, self.x.dtype), *map(identity, vectors), zeros([0], dtype)

    def kept(self, x: Any, mean: Any, variance: Any) -> tuple[Any, Any]:
        """`batch_mean` and `batch_variance`; the variance is that of a sample."""
        if not self.is_training:
            return mean, variance
        unbiased = variance * self.correction(x)
        part = self.exponential_avg_factor
        if part == 1:
            return mean, unbiased
        old = self.per_channel(self.mean), self.per_channel(self.variance)
        return old[0] * (1 - part) + mean * part, old[1] * (1 - part) + unbiased * part

    def correction(self, x: Any) -> Any:
        count = self.count(x)
        if isinstance(count, float):
            return count / max(count - 1.0, 1.0)
        return count / maximum(count - 1.0, 1.0)

    def vjp(self, *doutputs: Any) -> tuple[Any, ...]:
        dy, dmean, dvariance, dreserve_mean, dreserve_variance, _ = doutputs
        if dy is None:
            dy = self.x * 0
        dx, dscale, doffset, _, _ = bind(
            FusedBatchNormGradV3, dy, self.x, cast(self.scale, dtypes.float32),
            cast(self.reserve_space_1, dtypes.float32), cast(self.reserve_space_2, dtypes.float32),
            cast(self.reserve_space_3, dtypes.float32), epsilon=self.epsilon,
            data_format=self.data_format, is_training=self.is_training,
        )  # fmt: skip
        dtype = self.scale.dtype
        own = cast(dscale, dtype), cast(doffset, dtype)
        if not self.is_training:
            return dx, *own, None, None
        part, old = self.exponential_avg_factor, (None, None)
        means, variances = [(dreserve_mean, 1.0)], [(dreserve_variance, 1.0)]
        means.append((dmean, part))
        variances.append((dvariance, part * self.correction(self.x)))
        if part != 1:
            old = tuple(None if d is None else d * (1 - part) for d in (dmean, dvariance))
        return self.with_moments(dx, weighted(means), weighted(variances)), *own, *old

    def with_moments(self, dx: Any, dmean: Any, dvariance: Any) -> Any:
        """`dx`, and what comes through the mean and the variance."""
        count, x = self.count(self.x), cast(self.x, dtypes.float32)
        if dmean is not None:
            dx = dx + cast(x * 0 + self.spread(dmean) / count, dx.dtype)
        if dvariance is not None:
            distance = x - self.spread(self.reserve_space_1)
            dx = dx + cast(distance * self.spread(dvariance) * (2.0 / count), dx.dtype)
        return dx


def weighted(parts: list[tuple[Any, Any]]) -> Any:
    """The sum of those gradients that there are, times their weights."""
    total: Any = None
    for gradient, weight in parts:
        if gradient is not None:
            one = cast(gradient, dtypes.float32) * weight
            total = one if total is None else total + one
    return total


class FusedBatchNormGradV3(Normalization):
    """The gradient of FusedBatchNormV3; the reserve spaces are mean and variance."""

    y_backprop = In("T *s")
    x = In("T *s")
    scale = In("f32 c")
    reserve_space_1 = In("U c")
    reserve_space_2 = In("U c")
    reserve_space_3 = In("U ...")
    x_backprop = Out("T ...")
    scale_backprop = Out("U c")
    offset_backprop = Out("U c")
    reserve_space_4 = Out("U")
    reserve_space_5 = Out("U")
    epsilon = Attr(as_float32(0.0001))
    data_format = Attr("NHWC", "NHWC NCHW NDHWC NCDHW")
    is_training = Attr(True)
    T = types("f16 bf16 f32")
    U = types("f32")

    def infer(self) -> tuple[TensorSpec, ...]:
        vector = TensorSpec((self.channels(),), dtypes.float32)
        nothing = TensorSpec((), dtypes.float32)
        return TensorSpec(self.x.shape, self.x.dtype), vector, vector, nothing, nothing

    def vectors(self) -> tuple[str, ...]:
        return "scale", "reserve_space_1", "reserve_space_2"

    def expand(self) -> tuple[Any, ...]:
        dy, x = (cast(one, dtypes.float32) for one in (self.y_backprop, self.x))
        mean, variance = map(self.per_channel, (self.reserve_space_1, self.reserve_space_2))
        inverse = rsqrt(variance + self.epsilon)
        distance = x - self.spread(mean)
        doffset = reduce_sum(dy, self.axes())
        dscale = reduce_sum(dy * distance, self.axes()) * inverse
        factor = self.spread(inverse * self.scale)
        if self.is_training:
            count = self.count(x)
            shift = self.spread(doffset / count)
            slope = self.spread(inverse * dscale / count)
            dx = (dy - shift - distance * slope) * factor
        else:
            dx = dy * factor
        nothing = zeros([], dtypes.float32)
        return cast(dx, self.x.dtype), dscale, doffset, nothing, zeros([], dtypes.float32)


def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
    exponential_avg_factor: float = 1.0,
) -> tuple[Any, Any, Any]:
    """`x` normalised in every channel, and the mean and the variance to go on with.

    Args:
        x: float16, bfloat16 or float32 [n, height, width, channels] (or as `data_format` says).
        scale, offset: float32 [channels]: what the normalised elements are multiplied by, and what
            is added then.
        mean, variance: float32 [channels]; with `is_training` the averages so far.
        is_training: use the mean and variance of `x`; otherwise the given ones.
        exponential_avg_factor: the part of the new ones in the results.

    Returns:
        The shape and dtype of `x`; mean; variance (with n - 1) [channels].

    >>> x = tf.reshape([1.0, 3.0], [2, 1, 1, 1])
    >>> y, mean, variance = tf.compat.v1.nn.fused_batch_norm(x, [1.0], [0.0])
    >>> tf.squeeze(y).numpy().round(2), mean.numpy(), variance.numpy()
    (array([-1.,  1.], dtype=float32), array([2.], dtype=float32), array([2.], dtype=float32))

    Raises:
        ValueError: mean and variance are needed and not given.
        ShapeMismatchError: shapes do not go together.
    """
    x, scale, offset = as_tensor(x), as_tensor(scale), as_tensor(offset)
    known = mean is not None and variance is not None
    if (not is_training or exponential_avg_factor != 1.0) and not known:
        raise ValueError(
            "`mean` and `variance` are needed where `is_training` is False, and where "
            f"`exponential_avg_factor` is not 1.0: got {mean!r} and {variance!r}"
        )
    dtype = scale.dtype if isinstance(scale, TensorLike) else dtypes.float32
    mean = zeros([0], dtype) if mean is None else mean
    variance = zeros([0], dtype) if variance is None else variance
    # Below this TensorFlow's fastest library is not exact; it raises smaller ones for all.
    y, running_mean, running_variance, *_ = bind(
        FusedBatchNormV3, x, scale, offset, mean, variance,
        epsilon=as_float32(max(epsilon, 1.001e-5)),
        exponential_avg_factor=as_float32(exponential_avg_factor), data_format=data_format,
        is_training=is_training, name=name,
    )  # fmt: skip
    return y, running_mean, running_variance
