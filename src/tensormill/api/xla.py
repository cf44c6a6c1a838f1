"""`tf.xla`: what TensorFlow has for its compiler."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=xla_experimental",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
