"""Images cut and padded: [height, width, channels], or a batch of these."""

from __future__ import annotations

from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.values import TensorLike
from ..array.concatenation import stack
from ..array.padding import pad
from ..array.shapes import squeeze
from ..array.slicing import slice
from ..checks.assertions import Assert
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from .batches import as_batch, of_sizes, sizes_of


@dispatchable
def resize_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Any:
    """Cut in the middle, or with zeros around it, to a height and width.

    image: [height, width, channels], or a batch of these, of any dtype; the result is [*n,
    target_height, target_width, channels]. Of an odd number one more is cut or added at the end.

    >>> image = tf.reshape([1, 2, 3, 4, 5, 6, 7, 8], [2, 4, 1])
    >>> tf.image.resize_with_crop_or_pad(image, 3, 2)[:, :, 0].numpy()
    array([[2, 3],
           [6, 7],
           [0, 0]], dtype=int32)

    Raises:
        ValueError: it is no image, or a size is not positive.
    """
    batch, single = as_batch(image, "'image'", unknown_is_one=True)
    for name, value in (("target_width", target_width), ("target_height", target_height)):
        if isinstance(value, int) and value <= 0:
            raise ValueError(f"{name} must be > 0.")
    begins, counts, margins = [], [], []
    for own, target in zip(sizes_of(batch), (target_height, target_width), strict=True):
        missing = target - own
        begins.append(_at_least_zero(-missing // 2))
        counts.append(_smaller(target, own))
        before = _at_least_zero(missing // 2)
        margins.append([before, target - before - counts[-1]])
    cut = slice(batch, stack([0, *begins, 0]), stack([-1, *counts, -1]))
    padded = pad(cut, stack([as_tensor([0, 0]), *map(stack, margins), as_tensor([0, 0])]))
    padded = of_sizes(padded, batch, target_height, target_width)
    return squeeze(padded, [0]) if single else padded


def _at_least_zero(size: Any) -> Any:
    return max(size, 0) if isinstance(size, int) else maximum(size, 0)


def _smaller(a: Any, b: Any) -> Any:
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else minimum(a, b)


def _demand(condition: Any, message: str) -> None:
    """Sizes must fit: at once where they are known, else when the function runs."""
    if isinstance(condition, (bool, numpy_module.bool_)):
        if not condition:
            raise ValueError(message)
        return
    value = static_value(condition)
    if value is None:
        Assert(condition, [message])
    elif not value:
        raise ValueError(message)


@dispatchable
def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """A part of an image: from an offset on, of a height and width.

    image: [height, width, channels], or a batch of these, of any dtype; the result is [*n,
    target_height, target_width, channels].

    >>> image = tf.reshape(tf.range(12), [3, 4, 1])
    >>> tf.image.crop_to_bounding_box(image, 1, 2, 2, 2)[:, :, 0].numpy()
    array([[ 6,  7],
           [10, 11]], dtype=int32)

    Raises:
        ValueError: it is no image, or the part is not within it.
        InvalidArgumentError: the same, of sizes that are only known when a function runs.
    """
    batch, single = as_batch(image, "'image'", unknown_is_one=True)
    height, width = sizes_of(batch)
    _demand(offset_width >= 0, "offset_width must be >= 0.")
    _demand(offset_height >= 0, "offset_height must be >= 0.")
    _demand(target_width > 0, "target_width must be > 0.")
    _demand(target_height > 0, "target_height must be > 0.")
    _demand(width >= target_width + offset_width, "width must be >= target + offset.")
    _demand(height >= target_height + offset_height, "height must be >= target + offset.")
    begin = stack([0, offset_height, offset_width, 0])
    cut = slice(batch, begin, stack([-1, target_height, target_width, -1]))
    return squeeze(cut, [0]) if single else cut


@dispatchable
def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """An image with zeros around it: at an offset, in a height and width.

    image: numbers [height, width, channels], or a batch of these; the result is [*n, target_height,
    target_width, channels].

    >>> tf.image.pad_to_bounding_box(tf.ones([1, 2, 1], tf.int32), 1, 0, 2, 4)[:, :, 0].numpy()
    array([[0, 0, 0, 0],
           [1, 1, 0, 0]], dtype=int32)

    Raises:
        ValueError: it is no image, or it does not fit.
        InvalidArgumentError: the same, of sizes that are only known when a function runs.
    """
    batch, single = as_batch(image, "'image'", unknown_is_one=True)
    height, width = sizes_of(batch)
    after_width = target_width - offset_width - width
    after_height = target_height - offset_height - height
    _demand(offset_height >= 0, "offset_height must be >= 0")
    _demand(offset_width >= 0, "offset_width must be >= 0")
    _demand(after_width >= 0, "width must be <= target - offset")
    _demand(after_height >= 0, "height must be <= target - offset")
    pairs = [[0, 0], [offset_height, after_height], [offset_width, after_width], [0, 0]]
    padded = pad(batch, stack([stack(pair) for pair in pairs]))
    padded = of_sizes(padded, batch, target_height, target_width)
    return squeeze(padded, [0]) if single else padded


@dispatchable
def central_crop(image: Any, central_fraction: Any) -> Any:
    """The middle of an image, that part of its height and width.

    image: [height, width, channels], or a batch of these, of any dtype. central_fraction: a number
    or a scalar; at either side the same number of elements goes, rounded down.

    >>> image = tf.reshape(tf.range(16), [4, 4, 1])
    >>> tf.image.central_crop(image, 0.5)[:, :, 0].numpy()
    array([[ 5,  6],
           [ 9, 10]], dtype=int32)

    Raises:
        ValueError: it is no image, or the fraction is not in (0, 1].
    """
    if not isinstance(central_fraction, TensorLike) and not 0 < central_fraction <= 1:
        raise ValueError("central_fraction must be within (0, 1]")
    image = as_tensor(image)
    if not isinstance(central_fraction, TensorLike) and central_fraction == 1:
        return image
    batch, single = as_batch(image, "`image`")
    begins = [_central_begin(own, central_fraction) for own in sizes_of(batch)]
    counts = [own - 2 * begin for own, begin in zip(sizes_of(batch), begins, strict=True)]
    cut = slice(batch, stack([0, *begins, 0]), stack([-1, *counts, -1]))
    return squeeze(cut, [0]) if single else cut


def _central_begin(own: Any, fraction: Any) -> Any:
    if isinstance(own, int):
        # A constant in float32 is multiplied in float32, where 5 * 0.6 is 3.
        known = static_value(fraction) if isinstance(fraction, TensorLike) else float(fraction)
        if known is not None:
            return int((own - own * known) / 2)
    wide = cast(own, dtypes.float64)
    return cast((wide - wide * cast(as_tensor(fraction), dtypes.float64)) / 2.0, dtypes.int32)
