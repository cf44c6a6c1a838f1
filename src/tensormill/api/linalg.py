"""`tf.linalg`: matrices."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.fill": "eye",
    "ops.linalg": "adjoint matmul matvec",
    "ops.manipulation": "matrix_transpose",
    "ops.diagonals": "diag diag_part set_diag trace",
    "ops.decompositions": "cholesky lu qr",
    "ops.matrices": "band_part tensor_diag tensor_diag_part",
    "ops.matrix_functions": (
        "cross expm logm lu_matrix_inverse lu_reconstruct lu_solve matrix_rank pinv sqrtm"
    ),
    "ops.solving": "det inv logdet lstsq slogdet solve",
    "ops.spectra": "eig eigh eigvals eigvalsh svd",
    "ops.triangular": "cholesky_solve triangular_solve",
    "ops.norms": "global_norm l2_normalize norm normalize",
    "ops.products": "einsum tensordot",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
