"""`tf.compat.v1.nn`: batch normalisation in one operation."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"ops.nn.batch_normalisation": "fused_batch_norm"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.nn")
