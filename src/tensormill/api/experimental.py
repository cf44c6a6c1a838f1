"""`tf.experimental`: what may still change."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "dlpack=experimental_dlpack",
    "data.optional": "Optional",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
