"""`tf.nn.experimental`: dropout by a seed alone."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.nn.bias_and_dropout": "general_dropout stateless_dropout",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
