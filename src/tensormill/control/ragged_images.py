"""What functions of images mean for images of several sizes, one after another."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.specs import TensorSpec
from ..errors import ShapeMismatchError
from ..ops.dispatch.meanings import means_for
from ..ops.image.resize_functions import resize as resize_tensor
from ..ops.ragged.products import rectangle
from ..ops.ragged.ragged_tensor import RaggedTensor
from .map import map_fn


@means_for(resize_tensor, RaggedTensor)
def resize(
    images: Any, size: Any, method: str, preserve_aspect_ratio: bool, antialias: bool, *_: Any
) -> Any:
    """Images of any sizes, all in one: a tensor [n, *size, channels].

    Raises:
        ShapeMismatchError: (a ValueError) these are not images [n, (height), (width), channels], or
            keep their proportions and so become several sizes.
        InvalidArgumentError: the rows of an image differ in length.
    """
    if not isinstance(images, RaggedTensor):
        return NotImplemented
    if images.shape.rank != 4:
        raise ShapeMismatchError(
            f"tf.image.resize: ragged images have the rank 4, not the shape {images.shape}"
        )

    def resized(image: Any) -> Any:
        return resize_tensor(rectangle(image), size, method, preserve_aspect_ratio, antialias)

    nearest = method == "nearest"
    one = TensorSpec(None, images.dtype if nearest else dtypes.float32)
    return map_fn(resized, images, fn_output_signature=one)
