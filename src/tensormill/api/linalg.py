"""`tf.linalg`: matrices."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.fill": "eye",
    "ops.linalg": "adjoint matmul matvec",
    "ops.manipulation": "matrix_transpose",
    "ops.diagonals": "diag diag_part set_diag trace",
    "ops.matrices": "band_part",
    "ops.norms": "global_norm l2_normalize norm normalize",
    "ops.products": "einsum tensordot",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
