"""`tf.sets`: the last axis of tensors as sets."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"ops.sparse.sets": "difference intersection size union"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
