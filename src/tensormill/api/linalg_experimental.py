"""`tf.linalg.experimental`: systems of equations by products alone."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "linear_operators.conjugate_gradient": "conjugate_gradient",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
