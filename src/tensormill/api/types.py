"""`tf.types`: types to test values against."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=types_experimental",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
