"""`tf.nn`: activations, losses, layers without state."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.elementwise": "sigmoid tanh",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
