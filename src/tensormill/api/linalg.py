"""`tf.linalg`: matrices."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.fill": "eye",
    "ops.linalg": "adjoint matmul matvec",
    "ops.manipulation": "matrix_transpose",
    "ops.matrices": "band_part diag diag_part trace",
    "ops.norms": "global_norm l2_normalize norm normalize",
    "ops.products": "einsum tensordot",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
