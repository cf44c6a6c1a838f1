"""Functions of `tf.compat.v1.image` that take other arguments, or sample otherwise, than today's.

Elements are at the corners of pixels, unless `half_pixel_centers` puts them at the centers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ...core.values import TensorLike
from ...ops.array.shapes import squeeze
from ...ops.bind import bind
from ...ops.composed import composed
from ...ops.image import crop_and_resize as crops
from ...ops.image import distorted_boxes, drawing, glimpses, patches, resize_functions
from ...ops.image import resize as kernels
from ...ops.image.batches import as_batch

KINDS: Final[dict[Any, type[Any]]] = {
    0: kernels.ResizeBilinear,
    1: kernels.ResizeNearestNeighbor,
    2: kernels.ResizeBicubic,
    3: kernels.ResizeArea,
    "bilinear": kernels.ResizeBilinear,
    "nearest": kernels.ResizeNearestNeighbor,
    "bicubic": kernels.ResizeBicubic,
    "area": kernels.ResizeArea,
}


class ResizeMethodV1:
    """The numbers of the ways to resize."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


def _kind(method: Any) -> type[Any]:
    if isinstance(method, TensorLike) or method not in KINDS:
        raise ValueError(f"Resize method is not implemented: {method}")
    return KINDS[method]


@composed("resize")
def resize_images(
    images: Any,
    size: Any,
    method: Any = ResizeMethodV1.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Any:
    """Images in `size` [height, width]: float32, but for the nearest elements, and where they have
    that size already, which give the dtype of the images.

    images: numbers [height, width, channels], or a batch of these. method: of
    `tf.compat.v1.image.ResizeMethod`. align_corners: whether the elements at the corners stay.

    >>> image = tf.reshape([0.0, 8.0], [1, 2, 1])
    >>> tf.compat.v1.image.resize_images(image, [1, 4])[0, :, 0].numpy()
    array([0., 4., 8., 8.], dtype=float32)

    Raises:
        ValueError: these are no images, this is no size, or there is no such method.
    """
    batch, single = as_batch(images, may_be_empty=True)
    kind, wanted = _kind(method), resize_functions.size_of(size)
    if preserve_aspect_ratio:
        wanted = resize_functions.proportional(wanted, batch)
    known = wanted._known.value if wanted.symbolic else wanted.numpy()
    own = batch.shape.entries[1:3]
    if known is not None and tuple(known.tolist()) == own:
        return squeeze(batch, [0]) if single else batch
    resized = bind(kind, batch, wanted, align_corners=align_corners, name=name)
    return squeeze(resized, [0]) if single else resized


def resize_image_with_pad(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: Any = ResizeMethodV1.BILINEAR,
    align_corners: bool = False,
) -> Any:
    """Resized in its own proportions, with zeros around it, to a height and width.

    image: numbers [height, width, channels], or a batch of these; the rest as of `resize_images`.

    >>> tf.compat.v1.image.resize_image_with_pad(tf.ones([2, 2, 1]), 2, 4)[:, :, 0].numpy()
    array([[0., 1., 1., 0.],
           [0., 1., 1., 0.]], dtype=float32)

    Raises:
        ValueError: it is no image, or a size is not positive.
    """

    def resized(batch: Any, size: Any) -> Any:
        return resize_images(batch, size, method, align_corners)

    return resize_functions.padded_around(image, target_height, target_width, resized)


def _plain(kind: type[Any]) -> Callable[..., Any]:
    def resized(
        images: Any, size: Any, align_corners: bool = False, name: str | None = None,
        half_pixel_centers: bool = False,
    ) -> Any:  # fmt: skip
        return bind(
            kind, images, size, align_corners=align_corners,
            half_pixel_centers=half_pixel_centers, name=name,
        )  # fmt: skip

    return resized


def resize_bilinear(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> Any:  # fmt: skip
    """Images [n, height, width, channels] in `size`, float32: means of the four nearest elements.

    >>> image = tf.reshape([0.0, 8.0], [1, 1, 2, 1])
    >>> tf.compat.v1.image.resize_bilinear(image, [1, 3], align_corners=True)[0, 0, :, 0].numpy()
    array([0., 4., 8.], dtype=float32)

    Raises:
        InvalidArgumentError: these are no images, or this is no size.
    """
    return _plain(kernels.ResizeBilinear)(images, size, align_corners, name, half_pixel_centers)


def resize_nearest_neighbor(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> Any:  # fmt: skip
    """Images [n, height, width, channels] in `size`: the nearest elements, of the images' dtype.

    >>> image = tf.reshape([0, 8], [1, 1, 2, 1])
    >>> tf.compat.v1.image.resize_nearest_neighbor(image, [1, 4])[0, 0, :, 0].numpy()
    array([0, 0, 8, 8], dtype=int32)

    Raises:
        InvalidArgumentError: these are no images, or this is no size.
    """
    nearest = kernels.ResizeNearestNeighbor
    return _plain(nearest)(images, size, align_corners, name, half_pixel_centers)


def resize_bicubic(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None,
    half_pixel_centers: bool = False,
) -> Any:  # fmt: skip
    """Images [n, height, width, channels] in `size`, float32: a cubic polynomial through the
    sixteen nearest elements.

    >>> image = tf.reshape([0.0, 8.0], [1, 1, 2, 1])
    >>> tf.compat.v1.image.resize_bicubic(image, [1, 3], align_corners=True)[0, 0, :, 0].numpy()
    array([0., 4., 8.], dtype=float32)

    Raises:
        InvalidArgumentError: these are no images, or this is no size.
    """
    return _plain(kernels.ResizeBicubic)(images, size, align_corners, name, half_pixel_centers)


def resize_area(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None
) -> Any:
    """Images [n, height, width, channels] in `size`, float32: means of what was in each place.

    >>> image = tf.reshape([0.0, 8.0], [1, 1, 2, 1])
    >>> tf.compat.v1.image.resize_area(image, [1, 1]).numpy().item()
    4.0

    Raises:
        InvalidArgumentError: these are no images, or this is no size.
    """
    return bind(kernels.ResizeArea, images, size, align_corners=align_corners, name=name)


def crop_and_resize(
    image: Any,
    boxes: Any,
    box_ind: Any = None,
    crop_size: Any = None,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    name: str | None = None,
    box_indices: Any = None,
) -> Any:
    """`tf.image.crop_and_resize`; `box_ind` is another word for `box_indices`.

    >>> image = tf.reshape(tf.range(4.0), [1, 2, 2, 1])
    >>> box = [[0.0, 0.0, 1.0, 1.0]]
    >>> tf.compat.v1.image.crop_and_resize(image, box, [0], [1, 1]).numpy().item()
    1.5

    Raises:
        ValueError: both words are given.
        InvalidArgumentError: shapes do not fit.
    """
    if box_ind is not None and box_indices is not None:
        raise ValueError("Cannot specify both 'box_ind' and 'box_indices'.")
    indices = box_ind if box_indices is None else box_indices
    return crops.crop_and_resize(
        image, boxes, indices, crop_size, method, extrapolation_value, name
    )


def draw_bounding_boxes(
    images: Any, boxes: Any, name: str | None = None, colors: Any = None
) -> Any:
    """`tf.image.draw_bounding_boxes`, in ten usual colors unless `colors` are given.

    >>> boxes = [[[0.0, 0.0, 1.0, 1.0]]]
    >>> tf.compat.v1.image.draw_bounding_boxes(tf.zeros([1, 2, 2, 3]), boxes).shape
    TensorShape([1, 2, 2, 3])

    Raises:
        InvalidArgumentError: shapes do not fit.
    """
    return drawing.draw_bounding_boxes(images, boxes, colors, name)


def extract_glimpse(
    input: Any,
    size: Any,
    offsets: Any,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    name: str | None = None,
) -> Any:
    """Windows of images, one of each, as of `tf.image.extract_glimpse`.

    uniform_noise: what lies beyond the image: uniform numbers, or else ones of a normal
    distribution.

    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> tf.compat.v1.image.extract_glimpse(image, [2, 2], [[0.0, 0.0]])[0, :, :, 0].numpy()
    array([[ 5.,  6.],
           [ 9., 10.]], dtype=float32)

    Raises:
        InvalidArgumentError: shapes do not fit, or a size is negative.
    """
    return bind(
        glimpses.ExtractGlimpse, input, size, offsets, centered=centered, normalized=normalized,
        uniform_noise=uniform_noise, name=name,
    )  # fmt: skip


def extract_image_patches(
    images: Any,
    ksizes: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    sizes: Any = None,
) -> Any:
    """`tf.image.extract_patches`; `ksizes` is another word for `sizes`.

    >>> image = tf.reshape(tf.range(4), [1, 2, 2, 1])
    >>> ones = [1, 1, 1, 1]
    >>> patches = tf.compat.v1.extract_image_patches(image, [1, 2, 2, 1], ones, ones, "VALID")
    >>> patches.numpy().tolist()
    [[[[0, 1, 2, 3]]]]

    Raises:
        ValueError: both words are given, or something is missing.
        InvalidArgumentError: shapes do not fit.
    """
    if ksizes is not None and sizes is not None:
        raise ValueError("Cannot specify both 'ksizes' and 'sizes'.")
    wanted = ksizes if sizes is None else sizes
    return patches.extract_patches(images, wanted, strides, rates, padding, name)


def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: int | None = None,
    seed2: int | None = None,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Sequence[float] | None = None,
    area_range: Sequence[float] | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> Any:
    """`tf.image.sample_distorted_bounding_box` with the two seeds of the operation itself.

    >>> boxes = [[[0.1, 0.2, 0.6, 0.7]]]
    >>> begin, size, box = tf.compat.v1.image.sample_distorted_bounding_box([50, 60, 3], boxes)
    >>> box.shape
    TensorShape([1, 1, 4])

    Raises:
        InvalidArgumentError: shapes do not fit, a box is not in [0, 1], a range is none, or there
            is no box.
    """
    return distorted_boxes.of_seeds(
        image_size, bounding_boxes, seed or 0, seed2 or 0, min_object_covered,
        aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes, name,
    )  # fmt: skip
