"""`tf.compat.v1.image`: those names of `tf.image` that mean the same in TensorFlow 1."""

from __future__ import annotations

from . import image
from .lazy import namespace

OTHERWISE = frozenset(
    "ResizeMethod crop_and_resize draw_bounding_boxes extract_glimpse extract_patches resize "
    "resize_with_pad sample_distorted_bounding_box".split()
)
TABLE = {
    module: " ".join(
        [word for word in words.split() if word not in OTHERWISE and not word.startswith("state")]
    )
    for module, words in image.TABLE.items()
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.image")
