"""`tf.compat.v1.layers`: with Keras 3 nothing is left of it, in TensorFlow 2.21 too."""

from __future__ import annotations

from .lazy import namespace

TABLE: dict[str, str] = {}
GONE = {"*": ": nothing of it is left with Keras 3; use the classes of tf.keras.layers"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.layers", gone=GONE)
