"""`tf.config.optimizer`: wishes of TensorFlow programs about its optimizer."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "eager.devices": "get_experimental_options get_jit set_experimental_options set_jit",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.config.optimizer")
