"""How alike two images are."""

from __future__ import annotations

from math import log as log_of
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...errors import InvalidArgumentError
from ..array.concatenation import concat
from ..array.rearrangement import tile
from ..array.shapes import reshape, shape_of
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import square, squared_difference
from ..math.cast import cast
from ..math.elementwise import log
from ..math.reduce import reduce_mean
from ..nn.convolution_functions import depthwise_conv2d
from .colors import convert_image_dtype


def _prepared(a: Any, b: Any, max_val: Any) -> tuple[Any, Any, Any]:
    """Both in float32, and the largest value in the same range.

    Raises:
        ValueError: the shapes differ.
    """
    a, b = as_tensor(a), as_tensor(b)
    if not a.shape.is_compatible_with(b.shape):
        raise ValueError(f"Shapes {a.shape} and {b.shape} are incompatible")
    top = convert_image_dtype(cast(as_tensor(max_val), a.dtype), dtypes.float32)
    return *(convert_image_dtype(one, dtypes.float32) for one in (a, b)), top


@dispatchable
def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Any:
    """The peak signal-to-noise ratio of images: 10 log10(max_val**2 / mean squared error) decibels.

    a, b: real numbers [..., height, width, channels], with the dtype's range of
    `convert_image_dtype`. max_val: the distance of the largest and the smallest value. The result
    is float32 [...], inf where the images are equal.

    >>> tf.image.psnr(tf.zeros([1, 2, 2, 1]), tf.fill([1, 2, 2, 1], 0.1), 1.0).numpy().round(3)
    array([20.], dtype=float32)

    Raises:
        ValueError: the shapes differ.
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
        ValueError: the shapes differ.
        InvalidArgumentError: the images are smaller than the filter.
    """
    a, b, top = _prepared(img1, img2, max_val)
    if any(size is not None and size < filter_size for size in (a.shape.dims or ())[-3:-1]):
        raise InvalidArgumentError(
            f"ssim: images of {a.shape} are smaller than the filter of {filter_size}"
        )
    kernel = _gaussian(filter_size, filter_sigma, a)

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
    similar = luminance * structure
    return reduce_mean(similar, [-1] if return_index_map else [-3, -2, -1])


def _gaussian(size: int, sigma: float, x: Any) -> Any:
    """Weights [size, size, channels, 1] that fall off from the middle; their sum is one."""
    place = numpy_module.arange(size, dtype=numpy_module.float32) - (size - 1) / 2
    falling = numpy_module.exp(-(place**2) / (2 * sigma**2))
    weights = numpy_module.outer(falling, falling)
    kernel = as_tensor((weights / weights.sum()).astype(numpy_module.float32))
    return tile(reshape(kernel, [size, size, 1, 1]), [1, 1, shape_of(x)[-1], 1])
