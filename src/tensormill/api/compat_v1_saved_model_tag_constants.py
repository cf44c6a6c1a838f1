"""`tf.compat.v1.saved_model.tag_constants`: tags of graphs."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "saved_model.options": ("GPU SERVING TPU TRAINING"),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.saved_model.tag_constants")
