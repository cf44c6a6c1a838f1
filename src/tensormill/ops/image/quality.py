"""How alike two images are."""

from __future__ import annotations

from itertools import zip_longest
from math import log as log_of
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.concatenation import concat, stack
from ..array.padding import pad
from ..array.rearrangement import tile
from ..array.shapes import reshape, shape_of
from ..checks.assertions import Assert
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import square, squared_difference
from ..math.cast import cast
from ..math.comparison import equal, greater_equal
from ..math.elementwise import log
from ..math.power import pow
from ..math.reduce import reduce_all, reduce_mean
from ..nn.activations import relu
from ..nn.convolution_functions import depthwise_conv2d
from ..nn.pooling_functions import avg_pool
from .colors import convert_image_dtype


def _prepared(a: Any, b: Any, max_val: Any) -> tuple[Any, Any, Any]:
    """Both in float32, and the largest value in the same range.

    Raises:
        ShapeMismatchError: (a ValueError) the shapes differ.
    """
    a, b = as_tensor(a), as_tensor(b)
    one, other = (x.shape.entries for x in (a, b))
    if one is not None and other is not None and not _are_comparable(one, other):
        raise ShapeMismatchError(f"Shapes {a.shape} and {b.shape} are incompatible")
    if None in (one or (None,))[-3:] or None in (other or (None,))[-3:]:
        alike = reduce_all(equal(shape_of(a)[-3:], shape_of(b)[-3:]))
        Assert(alike, ["Shapes of images are incompatible:", shape_of(a), shape_of(b)])
    top = convert_image_dtype(cast(as_tensor(max_val), a.dtype), dtypes.float32)
    return *(convert_image_dtype(one, dtypes.float32) for one in (a, b)), top


def _are_comparable(one: tuple[int | None, ...], other: tuple[int | None, ...]) -> bool:
    """Whether images have one shape, and the axes before them broadcast."""
    pairs = list(zip_longest(reversed(one), reversed(other), fillvalue=1))
    alike = [a == b or a is None or b is None for a, b in pairs]
    return all(alike[:3]) and all(
        same or 1 in pair for same, pair in zip(alike[3:], pairs[3:], strict=True)
    )


@dispatchable
def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Any:
    """The peak signal-to-noise ratio of images: 10 log10(max_val**2 / mean squared error) decibels.

    a, b: real numbers [..., height, width, channels], with the dtype's range of
    `convert_image_dtype`. max_val: the distance of the largest and the smallest value. The result
    is float32 [...], inf where the images are equal.

    >>> tf.image.psnr(tf.zeros([1, 2, 2, 1]), tf.fill([1, 2, 2, 1], 0.1), 1.0).numpy().round(3)
    array([20.], dtype=float32)

    Raises:
        ShapeMismatchError: (a ValueError) the shapes differ.
    """
    a, b, top = _prepared(a, b, max_val)
    error = reduce_mean(squared_difference(a, b), [-3, -2, -1])
    return log(top) * (20 / log_of(10)) - log(error) * (10 / log_of(10))


@dispatchable
def ssim(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Any:
    """The structural similarity of images: 1 where they are equal (Wang et al. 2004).

    img1, img2: real numbers [..., height, width, channels]. max_val: the distance of the largest
    and the smallest value. filter_size, filter_sigma: of the Gaussian windows that are compared.
    k1, k2: what keeps quotients of even windows finite. The result is float32 [...], or with
    return_index_map [..., rows, columns], a number for each window.

    >>> image = tf.random.stateless_uniform([16, 16, 3], [1, 2])
    >>> round(float(tf.image.ssim(image, image, max_val=1.0)), 3)
    1.0

    Raises:
        ShapeMismatchError: (a ValueError) the shapes differ.
        InvalidArgumentError: the images are smaller than the filter.
    """
    a, b, top = _prepared(img1, img2, max_val)
    similar, _ = _compared(a, b, top, filter_size, filter_sigma, k1, k2)
    return reduce_mean(similar, [-1] if return_index_map else [-3, -2, -1])


@dispatchable
def ssim_multiscale(
    img1: Any,
    img2: Any,
    max_val: Any,
    power_factors: Any = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Any:
    """The structural similarity of images at several scales (Wang et al. 2003).

    power_factors: the exponent of each scale, of which every one is half as large as the one before
    it; contrast and structure count at all of them, luminance at the last. The other arguments are
    those of `ssim`. The result is float32 [...], 1 where the images are equal.

    >>> image = tf.random.stateless_uniform([64, 64, 3], [1, 2])
    >>> round(float(tf.image.ssim_multiscale(image, image, 1.0, [0.5, 0.5])), 3)
    1.0

    Raises:
        ShapeMismatchError: (a ValueError) the shapes differ.
        InvalidArgumentError: the smallest images are smaller than the filter.
    """
    a, b, top = _prepared(img1, img2, max_val)
    result: Any = 1.0
    for scale, factor in enumerate(power_factors):
        if scale:
            a, b = _halved(a), _halved(b)
        similar, structure = _compared(a, b, top, filter_size, filter_sigma, k1, k2)
        is_last = scale == len(power_factors) - 1
        compared = reduce_mean(similar if is_last else structure, [-3, -2])
        result = result * pow(relu(compared), factor)
    return reduce_mean(result, [-1])


def _halved(x: Any) -> Any:
    """The means of squares of four pixels; the last row and column count twice in odd sizes."""
    shape = shape_of(x)
    images = reshape(x, concat([[-1], shape[-3:]], 0))
    _, height, width, _ = images.shape.entries or (None,) * 4
    if height is None or width is None or height % 2 or width % 2:
        rest = shape[-3:-1] % 2
        rows, columns = (concat([[0], rest[k : k + 1]], 0) for k in (0, 1))
        images = pad(images, stack([[0, 0], rows, columns, [0, 0]]), "SYMMETRIC")
    halved = avg_pool(images, 2, 2, "VALID")
    return reshape(halved, concat([shape[:-3], shape_of(halved)[1:]], 0))


def _compared(
    a: Any, b: Any, top: Any, size: int, sigma: float, k1: float, k2: float
) -> tuple[Any, Any]:
    """How alike windows are, and how alike but for luminance, for every channel."""
    known = (a.shape.entries or (None, None, None))[-3:-1]
    if any(own is not None and own < size for own in known):
        raise InvalidArgumentError(
            f"ssim: images of {a.shape} are smaller than the filter of {size}"
        )
    if None in known:
        fits = reduce_all(greater_equal(shape_of(a)[-3:-1], size))
        Assert(fits, ["ssim: images are smaller than the filter:", shape_of(a), size])
    kernel = _gaussian(size, sigma, a)

    def smoothed(x: Any) -> Any:
        shape = shape_of(x)
        seen = depthwise_conv2d(
            reshape(x, [-1, shape[-3], shape[-2], shape[-1]]), kernel, [1, 1, 1, 1], "VALID"
        )
        return reshape(seen, concat([shape[:-3], shape_of(seen)[1:]], 0))

    low, high = square(top * k1), square(top * k2)
    mean_a, mean_b = smoothed(a), smoothed(b)
    both, squares = mean_a * mean_b * 2.0, square(mean_a) + square(mean_b)
    luminance = (both + low) / (squares + low)
    shared, own = smoothed(a * b) * 2.0, smoothed(square(a) + square(b))
    structure = (shared - both + high) / (own - squares + high)
    return luminance * structure, structure


def _gaussian(size: int, sigma: float, x: Any) -> Any:
    """Weights [size, size, channels, 1] that fall off from the middle; their sum is one."""
    place = numpy_module.arange(size, dtype=numpy_module.float32) - (size - 1) / 2
    falling = numpy_module.exp(-(place**2) / (2 * sigma**2))
    weights = numpy_module.outer(falling, falling)
    kernel = as_tensor((weights / weights.sum()).astype(numpy_module.float32))
    return tile(reshape(kernel, [size, size, 1, 1]), [1, 1, shape_of(x)[-1], 1])
