"""`tf.ragged`: rows of different lengths."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.ragged_tensor": "constant map_flat_values",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
