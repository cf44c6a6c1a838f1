"""`tf.autodiff`: gradients."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "autodiff.forward": "ForwardAccumulator",
    "autodiff.tape": "GradientTape",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
