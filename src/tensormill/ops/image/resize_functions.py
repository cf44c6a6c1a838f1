"""Images in other sizes: [height, width, channels], or a batch of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.values import TensorLike
from ...errors import InvalidArgumentError
from ..array.concatenation import concat, stack
from ..array.fill import zeros_like
from ..array.padding import pad
from ..array.shapes import shape_of, squeeze
from ..bind import bind
from ..composed import composed
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.elementwise import floor
from ..math.elementwise import round as rounded
from .batches import as_batch, of_sizes
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


@dispatchable
@composed("resize")
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
    batch, single = as_batch(images, may_be_empty=True)
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
    batch, single = as_batch(image, "'image'", unknown_is_one=True)
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
    padded = of_sizes(padded, batch, target_height, target_width)
    return squeeze(padded, [0]) if single else padded
