"""Images cut, padded, turned and resized: [height, width, channels], or a batch of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as numpy_module

from ...core import dtypes
from ...core.values import TensorLike
from ...errors import InvalidArgumentError
from ..array.concatenation import concat, stack
from ..array.fill import zeros_like
from ..array.padding import pad
from ..array.rearrangement import reverse, tile
from ..array.rearrangement import transpose as transposed
from ..array.shapes import expand_dims, reshape, shape_of, squeeze
from ..array.slicing import slice
from ..bind import bind
from ..checks.assertions import Assert
from ..control.flow import ensure_shape
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.elementwise import floor
from ..math.elementwise import round as rounded
from ..math.reduce import reduce_sum
from ..math.signs import abs
from ..nn.convolution_functions import depthwise_conv2d
from .resize import (
    ResizeArea,
    ResizeBicubic,
    ResizeBilinear,
    ResizeNearestNeighbor,
    ScaleAndTranslate,
)

if TYPE_CHECKING:
    from ..results import Tensor


class ResizeMethod:
    """The names of the ways to resize."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


PLAIN = {
    "bilinear": (ResizeBilinear, True),
    "bicubic": (ResizeBicubic, True),
    "nearest": (ResizeNearestNeighbor, True),
    "area": (ResizeArea, False),
}
SMOOTH = {"bilinear": "triangle", "bicubic": "keyscubic"}
SAMPLED = ("lanczos3", "lanczos5", "gaussian", "mitchellcubic")


def as_batch(image: Any, name: str = "'images'") -> tuple[Any, bool]:
    """An image as a batch, and whether it was a single one.

    Raises:
        ValueError: its rank is neither 3 nor 4.
    """
    image = as_tensor(image)
    rank = image.shape.rank
    if rank is None:
        raise ValueError(f"{name} contains no shape.")
    if rank not in (3, 4):
        raise ValueError(f"{name} must have either 3 or 4 dimensions.")
    return (expand_dims(image, 0), True) if rank == 3 else (image, False)


def sizes_of(batch: Any) -> tuple[Any, Any]:
    """Height and width: ints where they are known, else tensors."""
    known, found = batch.shape.entries, shape_of(batch)
    height, width = (found[k] if known[k] is None else known[k] for k in (1, 2))
    return height, width


# ---------------------------------------------------------------- other sizes


@dispatchable
def resize(
    images: Any,
    size: Any,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """`images` in `size` [height, width]; float32, but for "nearest", which keeps the dtype.

    Args:
        images: numbers [height, width, channels], or a batch of these.
        method: one of tf.image.ResizeMethod ("bilinear", "nearest", "bicubic", "area", "lanczos3",
            "lanczos5", "gaussian", "mitchellcubic"). Elements are at the centers of pixels.
        preserve_aspect_ratio: take the largest size within `size` of the same proportions.
        antialias: smooth before making smaller ("bilinear", "bicubic"; the kernels always may).

    Returns:
        [*n, *size, channels].

    >>> image = tf.reshape([0.0, 8.0], [1, 2, 1])
    >>> tf.image.resize(image, [1, 4])[0, :, 0].numpy()
    array([0., 2., 6., 8.], dtype=float32)
    >>> tf.image.resize(image, [1, 4], method="nearest")[0, :, 0].numpy()
    array([0., 0., 8., 8.], dtype=float32)

    Raises:
        ValueError: these are no images, this is no size, or there is no such method.
    """
    batch, single = as_batch(images)
    wanted = size_of(size)
    if preserve_aspect_ratio:
        wanted = proportional(wanted, batch)
    resized = _resized(batch, wanted, method, antialias, name)
    return squeeze(resized, [0]) if single else resized


def size_of(size: Any) -> Any:
    """A height and width, int32.

    Raises:
        ValueError: it is none.
    """
    try:
        tensor = as_tensor(size, None if isinstance(size, TensorLike) else dtypes.int32)
    except (TypeError, ValueError, InvalidArgumentError):
        raise ValueError("'size' must be a 1-D int32 Tensor") from None
    if tensor.shape.entries is not None and tensor.shape.entries not in ((2,), (None,)):
        raise ValueError(f"'size' has 2 elements, the new height and width: not {tensor.shape}")
    return tensor if tensor.dtype is dtypes.int32 else cast(tensor, dtypes.int32)


def proportional(size: Any, batch: Any) -> Any:
    """The largest size within `size` of the proportions of images."""
    own = cast(shape_of(batch)[1:3], dtypes.float32)
    ratios = cast(size, dtypes.float32) / own
    smaller = minimum(ratios[0], ratios[1])
    return cast(rounded(smaller * own), dtypes.int32)


def _resized(batch: Any, size: Any, method: str, antialias: bool, name: str | None) -> Any:
    if method in SAMPLED or (antialias and method in SMOOTH):
        scale = cast(size, dtypes.float32) / cast(shape_of(batch)[1:3], dtypes.float32)
        return bind(
            ScaleAndTranslate, batch, size, scale, zeros_like(scale),
            kernel_type=SMOOTH.get(method, method), antialias=antialias, name=name,
        )  # fmt: skip
    if method not in PLAIN:
        raise ValueError(f"Resize method is not implemented: {method}")
    op, half = PLAIN[method]
    options = {"half_pixel_centers": True} if half else {}
    return bind(op, batch, size, name=name, **options)


@dispatchable
def resize_with_pad(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: str = ResizeMethod.BILINEAR,
    antialias: bool = False,
) -> Any:
    """Resized in its own proportions, with zeros around it, to a height and width.

    image: numbers [height, width, channels], or a batch of these. method, antialias: as of
    `resize`. The result is float32 (but for "nearest") [*n, target_height, target_width, channels].

    >>> tf.image.resize_with_pad(tf.ones([2, 2, 1]), 2, 4)[:, :, 0].numpy()
    array([[0., 1., 1., 0.],
           [0., 1., 1., 0.]], dtype=float32)

    Raises:
        ValueError: it is no image, or a size is not positive.
    """

    def resized(batch: Any, size: Any) -> Any:
        return _resized(batch, size, method, antialias, None)

    return padded_around(image, target_height, target_width, resized)


def padded_around(
    image: Any, target_height: Any, target_width: Any, resized: Callable[[Any, Any], Any]
) -> Any:
    """What `resized(batch, size)` gives for the largest size within, with zeros around it."""
    batch, single = as_batch(image, "'image'")
    for name, value in (("target_width", target_width), ("target_height", target_height)):
        if isinstance(value, int) and value <= 0:
            raise ValueError(f"{name} must be > 0.")
    target = as_tensor(stack([target_height, target_width]))
    wanted, own = cast(target, dtypes.float32), cast(shape_of(batch)[1:3], dtypes.float32)
    ratios = own / wanted
    fitted = own / maximum(ratios[0], ratios[1])
    margins = maximum(cast(floor((wanted - fitted) / 2.0), dtypes.int32), 0)
    inner = resized(batch, cast(floor(fitted), dtypes.int32))
    after = target - margins - shape_of(inner)[1:3]
    pairs = stack([margins, after], 1)
    padded = pad(inner, concat([[[0, 0]], pairs, [[0, 0]]], 0))
    return squeeze(padded, [0]) if single else padded


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
    batch, single = as_batch(image, "'image'")
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
    return squeeze(padded, [0]) if single else padded


def _at_least_zero(size: Any) -> Any:
    return max(size, 0) if isinstance(size, int) else maximum(size, 0)


def _smaller(a: Any, b: Any) -> Any:
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else minimum(a, b)


# ---------------------------------------------------------------- cut and padded


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
    batch, single = as_batch(image, "'image'")
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
    batch, single = as_batch(image, "'image'")
    height, width = sizes_of(batch)
    after_width = target_width - offset_width - width
    after_height = target_height - offset_height - height
    _demand(offset_height >= 0, "offset_height must be >= 0")
    _demand(offset_width >= 0, "offset_width must be >= 0")
    _demand(after_width >= 0, "width must be <= target - offset")
    _demand(after_height >= 0, "height must be <= target - offset")
    pairs = [[0, 0], [offset_height, after_height], [offset_width, after_width], [0, 0]]
    padded = pad(batch, stack([stack(pair) for pair in pairs]))
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
    if isinstance(own, int) and not isinstance(fraction, TensorLike):
        return int((own - own * float(fraction)) / 2)
    wide = cast(own, dtypes.float64)
    return cast((wide - wide * cast(as_tensor(fraction), dtypes.float64)) / 2.0, dtypes.int32)


# ---------------------------------------------------------------- turned


@dispatchable
def flip_left_right(image: Any) -> Tensor:
    """Mirrored, columns in the other order.

    image: [height, width, channels], or a batch of these, of any dtype; the result has the same.

    >>> tf.image.flip_left_right([[[1], [2], [3]]]).numpy().tolist()
    [[[3], [2], [1]]]

    Raises:
        ValueError: it is no image.
    """
    batch, single = as_batch(image, "'image'")
    flipped = reverse(batch, [2])
    return squeeze(flipped, [0]) if single else flipped


@dispatchable
def flip_up_down(image: Any) -> Any:
    """Mirrored, rows in the other order.

    image: [height, width, channels], or a batch of these, of any dtype; the result has the same.

    >>> tf.image.flip_up_down([[[1], [2]], [[3], [4]]]).numpy().tolist()
    [[[3], [4]], [[1], [2]]]

    Raises:
        ValueError: it is no image.
    """
    batch, single = as_batch(image, "'image'")
    flipped = reverse(batch, [1])
    return squeeze(flipped, [0]) if single else flipped


@dispatchable
def transpose(image: Any, name: str | None = None) -> Any:
    """Rows and columns exchanged.

    image: [height, width, channels], or a batch of these, of any dtype; the result is [*n, width,
    height, channels].

    >>> tf.image.transpose([[[1], [2], [3]]]).numpy().tolist()
    [[[1]], [[2]], [[3]]]

    Raises:
        ValueError: it is no image.
    """
    batch, single = as_batch(image, "'image'")
    turned = transposed(batch, [0, 2, 1, 3])
    return squeeze(turned, [0], name=name) if single else turned


@dispatchable
def rot90(image: Any, k: Any = 1, name: str | None = None) -> Any:
    """Turned counter-clockwise by `k` right angles.

    image: [height, width, channels], or a batch of these, of any dtype. k: an integer or a scalar.

    >>> tf.image.rot90([[[1], [2]], [[3], [4]]])[:, :, 0].numpy()
    array([[2, 4],
           [1, 3]], dtype=int32)

    Raises:
        ValueError: it is no image; k is only known when a function runs, and the image not square.
    """
    batch, single = as_batch(image, "'image'")
    if isinstance(k, TensorLike):
        turned = _turned_at_run_time(batch, k)
    else:
        turned = _turned(batch, int(k) % 4)
    return squeeze(turned, [0], name=name) if single else turned


def _turned(batch: Any, k: int) -> Any:
    if k == 0:
        return batch
    if k == 1:
        return transposed(reverse(batch, [2]), [0, 2, 1, 3])
    if k == 2:
        return reverse(batch, [1, 2])
    return reverse(transposed(batch, [0, 2, 1, 3]), [2])


def _turned_at_run_time(batch: Any, k: Any) -> Any:
    """All turns beside each other, of which one is taken.

    Raises:
        ValueError: height and width differ, or are not known.
    """
    known = static_value(k)
    if known is not None:
        return _turned(batch, int(known) % 4)
    height, width = batch.shape.entries[1:3]
    if height is None or height != width:
        raise ValueError("rot90 by a number that is not known while tracing needs square images")
    return stack([_turned(batch, turns) for turns in range(4)])[k % 4]


# ---------------------------------------------------------------- differences


@dispatchable
def sobel_edges(image: Any) -> Any:
    """How fast every channel changes from row to row and from column to column.

    image: floats [n, height, width, channels]; the result is [n, height, width, channels, 2], by
    Sobel's filters (their sums are 8 times the slope), the image reflected at its edges.

    >>> image = tf.reshape([1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0], [1, 3, 3, 1])
    >>> tf.image.sobel_edges(image)[0, 1, 1, 0].numpy()
    array([8., 0.], dtype=float32)

    Raises:
        InvalidArgumentError: the rank is not 4.
    """
    image = ensure_shape(image, [None] * 4)
    kernels = as_tensor(
        [[[[-1, -1]], [[-2, 0]], [[-1, 1]]], [[[0, -2]], [[0, 0]], [[0, 2]]],
         [[[1, -1]], [[2, 0]], [[1, 1]]]], image.dtype,
    )  # fmt: skip
    channels = shape_of(image)[3] if image.shape.entries[3] is None else image.shape.entries[3]
    filters = tile(kernels, stack([1, 1, channels, 1]))
    padded = pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
    edges = depthwise_conv2d(padded, filters, [1, 1, 1, 1], "VALID")
    return reshape(edges, concat([shape_of(image), [2]], 0))


@dispatchable
def image_gradients(image: Any) -> tuple[Any, Any]:
    """Differences to the next row and the next column; zeros in the last ones.

    image: numbers [n, height, width, channels], as both results.

    >>> down, across = tf.image.image_gradients(tf.reshape([1, 2, 4, 8], [1, 2, 2, 1]))
    >>> down[0, :, :, 0].numpy(), across[0, :, :, 0].numpy()
    (array([[3, 6],
           [0, 0]], dtype=int32), array([[1, 0],
           [4, 0]], dtype=int32))

    Raises:
        ValueError: the rank is not 4.
    """
    image = as_tensor(image)
    if image.shape.rank != 4:
        raise ValueError(
            f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {image.shape}."
        )
    down = pad(image[:, 1:] - image[:, :-1], [[0, 0], [0, 1], [0, 0], [0, 0]])
    across = pad(image[:, :, 1:] - image[:, :, :-1], [[0, 0], [0, 0], [0, 1], [0, 0]])
    return down, across


@dispatchable
def total_variation(images: Any, name: str | None = None) -> Any:
    """The sum of the absolute differences between neighbours, of every image.

    images: numbers [height, width, channels], of which the result is a scalar, or [n, height,
    width, channels]: [n].

    >>> int(tf.image.total_variation(tf.reshape([1, 2, 4, 8], [2, 2, 1])))
    14

    Raises:
        ValueError: the rank is neither 3 nor 4.
    """
    images = as_tensor(images)
    rank = images.shape.rank
    if rank not in (3, 4):
        raise ValueError("'images' must be either 3 or 4-dimensional.")
    axes = [0, 1, 2] if rank == 3 else [1, 2, 3]
    down = images[..., 1:, :, :] - images[..., :-1, :, :]
    across = images[..., 1:, :] - images[..., :-1, :]
    return reduce_sum(abs(down), axes) + reduce_sum(abs(across), axes)
