"""Colours of images: the last axis is red, green, blue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.native_operations import CHANNELS, FEW
from ...core.specs import TensorSpec
from ...errors import (
    ChannelCountError,
    InvalidArgumentError,
    KnownShapeError,
    ShapeMismatchError,
)
from ..array.concatenation import concat, stack
from ..array.select import where
from ..array.shapes import expand_dims, shape_of
from ..bind import api, bind
from ..checks.assertions import require_equal
from ..control.flow import ensure_shape, identity
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum, multiply
from ..math.cast import cast, saturate_cast
from ..math.cast import cast as as_type
from ..math.comparison import equal, greater, less
from ..math.norms import clip_by_value
from ..math.reduce import reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum
from ..math.signs import abs
from ..op import FLOATS, In, Op, Out, types, usually
from .batches import demand_pixels


class ColorSpace(Op, abstract=True):
    """Three numbers per element, in floats."""

    native_from = FEW
    native_axes = CHANNELS
    least_rank: ClassVar[int] = 1

    images = In("T ...")
    output = Out("T ...")
    T = FLOATS
    usual = usually(T="f32")

    def demands(self, sizes: Any) -> None:
        shape, least = sizes.shape(self.images), self.least_rank
        if len(shape) < least:
            refuse(ShapeMismatchError, TOO_FEW_AXES, self.name, least, shape, least)
        self.demand_three(sizes, sizes.equal(shape[-1], 3), shape[-1])

    def demand_three(self, sizes: Any, are_three: Any, channels: Any) -> None:
        sizes.require(are_three, ChannelCountError, NOT_THREE, self.name, channels)

    def infer(self) -> TensorSpec:
        dims = self.images.shape.entries
        if dims is not None and dims[-1] is None:
            dims = (*dims[:-1], 3)
        return TensorSpec(dims, self.images.dtype)

    def channels(self) -> tuple[Any, Any, Any]:
        x = self.images
        return x[..., 0], x[..., 1], x[..., 2]


class AdjustedColors(ColorSpace, abstract=True):
    """Images changed by way of another space; TensorFlow's tracing leaves how many channels."""

    least_rank = 3

    def demand_three(self, sizes: Any, are_three: Any, channels: Any) -> None:
        sizes.require_late(are_three, InvalidArgumentError, NOT_THREE, self.name, channels)

    def turned(self) -> tuple[Any, Any, Any]:
        """Hue in sixths of the circle, value, and how far the least channel is below it.

        Sixths, as a hue of which two channels are equal is a whole number of them: images of
        integers, which are cut off in the end, get no number that is a little too small.
        """
        images = cast(self.images, dtypes.float32)
        red, green, blue = (images[..., k] for k in range(3))
        value = reduce_max(images, -1)
        spread = value - reduce_min(images, -1)
        unit = where(greater(spread, 0.0), spread, 1.0)
        turn = where(
            equal(red, value),
            (green - blue) / unit,
            where(equal(green, value), (blue - red) / unit + 2.0, (red - green) / unit + 4.0),
        )
        turn = where(greater(spread, 0.0), turn, 0.0)
        return where(less(turn, 0.0), turn + 6.0, turn), value, spread


def from_turns(turn: Any, value: Any, spread: Any) -> Any:
    """Colours of what `AdjustedColors.turned` gives."""
    parts = (abs(turn - 3.0) - 1.0, 2.0 - abs(turn - 2.0), 2.0 - abs(turn - 4.0))
    least = value - spread
    between = [least + spread * maximum(part, 0.0) for part in parts]
    mixed = zip(parts, between, strict=True)
    return stack([where(less(part, 1.0), color, value) for part, color in mixed], -1)


TOO_FEW_AXES = "{}: input must be at least {}-D, got shape {}; Shape must be at least rank {}"
NOT_THREE = "{}: input must have 3 channels but instead has {} channels."


class RGBToHSV(ColorSpace):
    """Hue, saturation and value, each in [0, 1], of red, green and blue: floats [..., 3].

    >>> tf.image.rgb_to_hsv([0.0, 0.5, 0.0]).numpy().round(3)
    array([0.333, 1.   , 0.5  ], dtype=float32)

    Raises:
        ChannelCountError: (a FailedPreconditionError, a ValueError) there are not three channels.
    """

    def expand(self) -> Any:
        red, green, blue = self.channels()
        value = reduce_max(self.images, -1)
        spread = value - reduce_min(self.images, -1)
        some = greater(spread, 0.0)
        unit = 1.0 / (where(some, spread, 1.0) * 6.0)
        saturation = where(greater(value, 0.0), spread / where(equal(value, 0.0), 1.0, value), 0.0)
        hue = where(
            equal(red, value),
            unit * (green - blue),
            where(
                equal(green, value),
                unit * (blue - red) + 2.0 / 6.0,
                unit * (red - green) + 4.0 / 6.0,
            ),
        )
        hue = where(some, hue, 0.0)
        hue = where(less(hue, 0.0), hue + 1.0, hue)
        return stack([hue, saturation, value], -1)


class HSVToRGB(ColorSpace):
    """Red, green and blue from hue, saturation and value: floats [..., 3], all in [0, 1].

    >>> tf.image.hsv_to_rgb([0.5, 1.0, 0.5]).numpy()
    array([0. , 0.5, 0.5], dtype=float32)

    Raises:
        ChannelCountError: (a FailedPreconditionError, a ValueError) there are not three channels.
    """

    def expand(self) -> Any:
        hue, saturation, value = self.channels()
        turn = hue * 6.0
        parts = (
            clip_by_value(abs(turn - 3.0) - 1.0, 0.0, 1.0),
            clip_by_value(2.0 - abs(turn - 2.0), 0.0, 1.0),
            clip_by_value(2.0 - abs(turn - 4.0), 0.0, 1.0),
        )
        rest = 1.0 - saturation
        return stack([(rest + saturation * part) * value for part in parts], -1)


rgb_to_hsv = api(RGBToHSV, "rgb_to_hsv")
hsv_to_rgb = api(HSVToRGB, "hsv_to_rgb")


class AdjustContrastv2(Op):
    """Every channel's distance from its mean over the image, times a factor."""

    native_from = FEW
    native_axes = CHANNELS

    images = In("T *batch h w c")
    contrast_factor = In("f32")
    output = Out("T *batch h w c")
    T = types("f16 f32")
    usual = usually(T="f32")

    def expand(self) -> Any:
        x = cast(self.images, dtypes.float32)
        mean = reduce_mean(x, [-3, -2], keepdims=True)
        return cast((x - mean) * self.contrast_factor + mean, self.images.dtype)


class AdjustHue(AdjustedColors):
    """Hues turned by `delta`, a part of the whole circle."""

    images = In("T ...")
    delta = In("f32")
    T = types("f16 f32")

    def expand(self) -> Any:
        turn, value, spread = self.turned()
        colors = from_turns((turn + self.delta * 6.0) % 6.0, value, spread)
        return cast(colors, self.images.dtype)


class AdjustSaturation(AdjustedColors):
    """Saturations times `scale`, at most 1."""

    images = In("T ...")
    scale = In("f32")
    T = types("f16 f32")

    def expand(self) -> Any:
        turn, value, spread = self.turned()
        saturation = where(greater(value, 0.0), spread / where(equal(value, 0.0), 1.0, value), 0.0)
        spread = clip_by_value(saturation * self.scale, 0.0, 1.0) * value
        return cast(from_turns(turn, value, spread), self.images.dtype)


# ---------------------------------------------------------------- dtypes


@dispatchable(elements=1)
def convert_image_dtype(
    image: Any, dtype: Any, saturate: bool = False, name: str | None = None
) -> Any:
    """An image as another dtype: floats are in [0, 1], integers use all of their range.

    image: real numbers of any shape. saturate: values that do not fit become the nearest that
    does.

    >>> tf.image.convert_image_dtype(np.uint8([0, 51, 255]), tf.float32).numpy().round(3)
    array([0. , 0.2, 1. ], dtype=float32)
    >>> tf.image.convert_image_dtype([0.0, 0.5, 1.0], tf.uint8).numpy()
    array([  0, 127, 255], dtype=uint8)

    Raises:
        AttributeError: the dtype is neither floating nor an integer.
    """
    image, target = as_tensor(image), as_dtype(dtype)
    source = image.dtype
    if not (source.is_floating or source.is_integer):
        raise AttributeError("image dtype must be either floating point or integer")
    if not (target.is_floating or target.is_integer):
        raise AttributeError("dtype must be either floating point or integer")
    if source is target:
        return identity(image, name=name)
    to = saturate_cast if saturate else cast
    if source.is_integer and target.is_integer:
        return _between_integers(image, source, target, to)
    if source.is_floating and target.is_floating:
        return cast(image, target, name)
    if source.is_integer:
        return multiply(cast(image, target), 1.0 / source.max, name=name)
    scale = target.max + 0.5
    return to(image * scale, target, name)


def _between_integers(image: Any, source: DType, target: DType, to: Any) -> Any:
    high, wanted = source.max, target.max
    if high > wanted:
        return to(image // ((high + 1) // (wanted + 1)), target)
    return to(image, target) * ((wanted + 1) // (high + 1))


def _as_float(image: Any) -> tuple[Any, DType]:
    """An image as floats, and the dtype that the result is to have."""
    image = as_tensor(image)
    dtype = image.dtype
    if dtype in (dtypes.float16, dtypes.float32):
        return image, dtype
    return convert_image_dtype(image, dtypes.float32), dtype


# ---------------------------------------------------------------- grey


@dispatchable
def rgb_to_grayscale(images: Any, name: str | None = None) -> Any:
    """The brightness of colours: one channel in place of three.

    images: real numbers [..., 3]; the result is [..., 1], of the same dtype: 0.2989 red + 0.587
    green + 0.114 blue.

    >>> tf.image.rgb_to_grayscale(np.uint8([[255, 0, 0], [0, 255, 0], [0, 0, 255]])).numpy()
    array([[ 76],
           [149],
           [ 29]], dtype=uint8)

    Raises:
        ShapeMismatchError: there are not three channels.
    """
    images = as_tensor(images)
    require_channels(images, 3)
    floats = convert_image_dtype(images, dtypes.float32)
    grey = reduce_sum(floats * as_tensor([0.2989, 0.5870, 0.1140]), -1)
    return convert_image_dtype(expand_dims(grey, -1), images.dtype, name=name)


@dispatchable
def grayscale_to_rgb(images: Any, name: str | None = None) -> Any:
    """One channel three times.

    images: [..., 1] of any dtype; the result is [..., 3].

    >>> tf.image.grayscale_to_rgb(tf.constant([[1], [2]])).numpy()
    array([[1, 1, 1],
           [2, 2, 2]], dtype=int32)

    Raises:
        KnownShapeError (a ValueError): there is not one channel.
    """
    images = as_tensor(images)
    require_channels(images, 1, KnownShapeError)
    colors = concat([images, images, images], -1, name=name)
    if images.shape.rank is None or images.shape.entries[-1] is not None:
        return colors
    return ensure_shape(colors, [*images.shape.entries[:-1], 3])


def require_channels(
    images: Any, count: int, error: type[ShapeMismatchError] = ShapeMismatchError
) -> None:
    """Check the last axis: at once, or when the program gets here, where its size is not known.

    Raises:
        error: it has another size, or is not there.
    """
    message = f"images of {count} channel{'s' * (count > 1)} have the shape [..., {count}]"
    dims = images.shape.entries
    if dims is None or (dims and dims[-1] is None):
        require_equal(shape_of(images)[-1], count, f"{message}: ")
    elif not dims or dims[-1] != count:
        raise error(f"{message}, not {images.shape}")


# ---------------------------------------------------------------- luminance and chrominance

# Of red, green and blue in this order: the primaries of NTSC, and of BT.601.
TO_YIQ = (
    (0.299, 0.59590059, 0.2115),
    (0.587, -0.27455667, -0.52273617),
    (0.114, -0.32134392, 0.31119955),
)
FROM_YIQ = (
    (1.0, 1.0, 1.0),
    (0.95598634, -0.27201283, -1.10674021),
    (0.6208248, -0.64720424, 1.70423049),
)
TO_YUV = (
    (0.299, -0.14714119, 0.61497538),
    (0.587, -0.28886916, -0.51496512),
    (0.114, 0.43601035, -0.10001026),
)
FROM_YUV = (
    (1.0, 1.0, 1.0),
    (0.0, -0.394642334, 2.03206185),
    (1.13988303, -0.58062185, 0.0),
)


@dispatchable
def rgb_to_yiq(images: Any) -> Any:
    """Luminance (Y) and chrominance (I, Q), as NTSC has them, of red, green and blue.

    images: floats [..., 3] in [0, 1]; the result has this shape and dtype.

    >>> tf.image.rgb_to_yiq([1.0, 0.0, 0.0]).numpy().round(3)
    array([0.299, 0.596, 0.212], dtype=float32)

    Raises:
        TypeError: they are no floats.
        InvalidArgumentError: there are not three channels.
    """
    return _in_other_primaries(images, TO_YIQ)


@dispatchable
def yiq_to_rgb(images: Any) -> Any:
    """Red, green and blue of luminance (Y) and chrominance (I, Q), as NTSC has them.

    images: floats [..., 3], Y in [0, 1], I in [-0.596, 0.596], Q in [-0.523, 0.523]; the result has
    this shape and dtype.

    >>> tf.image.yiq_to_rgb([1.0, 0.0, 0.0]).numpy()
    array([1., 1., 1.], dtype=float32)

    Raises:
        TypeError: they are no floats.
        InvalidArgumentError: there are not three channels.
    """
    return _in_other_primaries(images, FROM_YIQ)


@dispatchable
def rgb_to_yuv(images: Any) -> Any:
    """Luminance (Y) and chrominance (U, V), as PAL has them, of red, green and blue.

    images: floats [..., 3] in [0, 1]; the result has this shape and dtype.

    >>> tf.image.rgb_to_yuv([1.0, 0.0, 0.0]).numpy().round(3)
    array([ 0.299, -0.147,  0.615], dtype=float32)

    Raises:
        TypeError: they are no floats.
        InvalidArgumentError: there are not three channels.
    """
    return _in_other_primaries(images, TO_YUV)


@dispatchable
def yuv_to_rgb(images: Any) -> Any:
    """Red, green and blue of luminance (Y) and chrominance (U, V), as PAL has them.

    images: floats [..., 3], Y in [0, 1], U and V in [-0.5, 0.5]; the result has this shape and
    dtype.

    >>> tf.image.yuv_to_rgb([1.0, 0.0, 0.0]).numpy()
    array([1., 1., 1.], dtype=float32)

    Raises:
        TypeError: they are no floats.
        InvalidArgumentError: there are not three channels.
    """
    return _in_other_primaries(images, FROM_YUV)


def _in_other_primaries(images: Any, primaries: Sequence[Sequence[float]]) -> Any:
    from ..linalg.contraction import tensordot

    images = as_tensor(images)
    axes = [[(images.shape.rank or 0) - 1], [0]]
    return tensordot(images, as_tensor(primaries, images.dtype), axes)


# ---------------------------------------------------------------- adjustments


@dispatchable(elements=1)
def adjust_brightness(image: Any, delta: Any) -> Any:
    """`delta` added, of a range of [0, 1]: integers by that part of their range, and no further.

    image: real numbers of any shape; the result has this shape and dtype. delta: a scalar.

    >>> tf.image.adjust_brightness(np.uint8([0, 100, 250]), 0.5).numpy()
    array([127, 227, 255], dtype=uint8)

    Raises:
        AttributeError: `image` are neither integers nor floats.
        ShapeMismatchError: the shapes do not broadcast.
    """
    image = as_tensor(image)
    floats, dtype = _as_float(image)
    moved = floats + cast(as_tensor(delta), floats.dtype)
    return convert_image_dtype(moved, dtype, saturate=True)


@dispatchable
def adjust_contrast(images: Any, contrast_factor: Any) -> Any:
    """Every channel's distance from its mean over the image, times a factor.

    images: real numbers [..., height, width, channels]; the result has this shape and dtype.

    >>> tf.image.adjust_contrast([[[1.0], [2.0], [3.0]]], 2.0)[0, :, 0].numpy()
    array([0., 2., 4.], dtype=float32)

    Raises:
        ShapeMismatchError: the rank is below 3.
    """
    floats, dtype = _as_float(images)
    factor = as_tensor(contrast_factor, dtypes.float32)
    return convert_image_dtype(bind(AdjustContrastv2, floats, factor), dtype, saturate=True)


@dispatchable
def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Any:
    """Hues turned by `delta`, in [-1, 1]: a part of the whole circle.

    image: real numbers [..., 3]; the result has this shape and dtype.

    >>> tf.image.adjust_hue([[[1.0, 0.0, 0.0]]], 0.5).numpy().round(3)
    array([[[0., 1., 1.]]], dtype=float32)

    Raises:
        ValueError: delta is out of range.
        InvalidArgumentError: there are not three channels.
    """
    if isinstance(delta, (int, float)) and not -1 <= delta <= 1:
        raise ValueError(f"delta must be in the interval [-1, 1], not {delta}")
    floats, dtype = _as_float(image)
    turned = bind(AdjustHue, floats, as_tensor(delta, dtypes.float32), name=name)
    return convert_image_dtype(turned, dtype)


@dispatchable
def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Any:
    """Saturations times a factor, at most 1; 0 leaves grey of the same value.

    image: real numbers [..., 3]; the result has this shape and dtype.

    >>> tf.image.adjust_saturation([[[1.0, 0.5, 0.0]]], 0.5).numpy().round(3)
    array([[[1.  , 0.75, 0.5 ]]], dtype=float32)

    Raises:
        InvalidArgumentError: there are not three channels.
    """
    floats, dtype = _as_float(image)
    factor = as_tensor(saturation_factor, dtypes.float32)
    return convert_image_dtype(bind(AdjustSaturation, floats, factor, name=name), dtype)


@dispatchable(elements=1)
def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Any:
    """gain * image ** gamma, of an image as floats in [0, 1].

    image: real numbers of any shape; the result has this shape and dtype.

    >>> tf.image.adjust_gamma([0.25, 1.0], gamma=0.5, gain=0.5).numpy().round(3)
    array([0.25, 0.5 ], dtype=float32)

    Raises:
        ValueError: gamma is negative.
    """
    if isinstance(gamma, (int, float)) and gamma < 0:
        raise ValueError("Gamma should be a non-negative real number.")
    floats, dtype = _as_float(image)
    return convert_image_dtype(floats**gamma * gain, dtype, saturate=True)


@dispatchable
def per_image_standardization(image: Any) -> Any:
    """Every image with mean 0 and variance 1.

    image: real numbers [..., height, width, channels]; the result is float32 of this shape. The
    deviation that is divided by is at least 1 / sqrt(number of elements): even images stay finite.

    >>> tf.image.per_image_standardization([[[1], [3]]]).numpy()
    array([[[-1.],
            [ 1.]]], dtype=float32)

    Raises:
        ValueError: `image` has fewer than three axes, or no pixels.
    """
    from ..math.elementwise import rsqrt, sqrt
    from ..math.moments import reduce_variance

    image = as_tensor(image)
    if image.shape.rank is not None and image.shape.rank < 3:
        raise KnownShapeError(f"images [..., height, width, channels] wanted, got {image.shape}")
    if image.shape.rank is not None:
        demand_pixels(image)
    floats = as_type(image, dtypes.float32)  # bytes stay 0 to 255: the least deviation is of those
    axes = [-1, -2, -3]
    count = as_type(reduce_prod(shape_of(floats)[-3:]), dtypes.float32)
    mean = reduce_mean(floats, axes, keepdims=True)
    deviation = sqrt(reduce_variance(floats, axes, keepdims=True))
    return (floats - mean) / maximum(deviation, rsqrt(count))
