"""`tf.linalg`: matrices."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.fill": "eye",
    "ops.linalg": "adjoint matmul matvec",
    "ops.manipulation": "matrix_transpose",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
