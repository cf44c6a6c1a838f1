"""`tf.profiler`: what ran, when, and on which line."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=profiler_experimental",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
