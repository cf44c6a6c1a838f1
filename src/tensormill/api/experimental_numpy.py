"""`tf.experimental.numpy`: what of it Keras asks for."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.numpy_names": "finfo select",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.experimental.numpy")
