"""`tf.linalg`: matrices."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "linear_operators.catalogue": (
        "LinearOperator LinearOperatorAdjoint LinearOperatorBlockDiag "
        "LinearOperatorBlockLowerTriangular LinearOperatorCirculant LinearOperatorCirculant2D "
        "LinearOperatorCirculant3D LinearOperatorComposition LinearOperatorDiag "
        "LinearOperatorFullMatrix LinearOperatorHouseholder LinearOperatorIdentity "
        "LinearOperatorInversion LinearOperatorKronecker LinearOperatorLowRankUpdate "
        "LinearOperatorLowerTriangular LinearOperatorPermutation LinearOperatorScaledIdentity "
        "LinearOperatorToeplitz LinearOperatorTridiag LinearOperatorZeros"
    ),
    "": "experimental=linalg_experimental",
    "ops.array.fill": "eye",
    "ops.linalg.matmul": "adjoint matmul matvec",
    "ops.array.rearrangement": "matrix_transpose",
    "ops.linalg.diagonals": "diag diag_part set_diag trace",
    "ops.linalg.decompositions": "cholesky lu qr",
    "ops.linalg.band_parts": "band_part tensor_diag tensor_diag_part",
    "ops.linalg.matrix_functions": (
        "cross expm logm lu_matrix_inverse lu_reconstruct lu_solve matrix_rank pinv sqrtm"
    ),
    "ops.linalg.solving": "det inv logdet lstsq slogdet solve",
    "ops.linalg.eigenvalues": "eig eigh eigvals eigvalsh svd",
    "ops.linalg.banded": "banded_triangular_solve",
    "ops.linalg.tridiagonal": "tridiagonal_matmul tridiagonal_solve",
    "ops.linalg.tridiagonal_eigenvalues": "eigh_tridiagonal",
    "ops.linalg.triangular": "cholesky_solve triangular_solve",
    "ops.math.norms": "global_norm l2_normalize norm normalize",
    "ops.linalg.contraction": "tensordot",
    "ops.linalg.einsum": "einsum",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
