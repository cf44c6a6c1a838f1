# Written by `make stubs` from the table beside it.

"""`tf.linalg`: matrices."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..linear_operators.catalogue import LinearOperator as LinearOperator
from ..linear_operators.catalogue import LinearOperatorAdjoint as LinearOperatorAdjoint
from ..linear_operators.catalogue import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from ..linear_operators.catalogue import LinearOperatorBlockLowerTriangular as LinearOperatorBlockLowerTriangular
from ..linear_operators.catalogue import LinearOperatorCirculant as LinearOperatorCirculant
from ..linear_operators.catalogue import LinearOperatorCirculant2D as LinearOperatorCirculant2D
from ..linear_operators.catalogue import LinearOperatorCirculant3D as LinearOperatorCirculant3D
from ..linear_operators.catalogue import LinearOperatorComposition as LinearOperatorComposition
from ..linear_operators.catalogue import LinearOperatorDiag as LinearOperatorDiag
from ..linear_operators.catalogue import LinearOperatorFullMatrix as LinearOperatorFullMatrix
from ..linear_operators.catalogue import LinearOperatorHouseholder as LinearOperatorHouseholder
from ..linear_operators.catalogue import LinearOperatorIdentity as LinearOperatorIdentity
from ..linear_operators.catalogue import LinearOperatorInversion as LinearOperatorInversion
from ..linear_operators.catalogue import LinearOperatorKronecker as LinearOperatorKronecker
from ..linear_operators.catalogue import LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate
from ..linear_operators.catalogue import LinearOperatorLowerTriangular as LinearOperatorLowerTriangular
from ..linear_operators.catalogue import LinearOperatorPermutation as LinearOperatorPermutation
from ..linear_operators.catalogue import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
from ..linear_operators.catalogue import LinearOperatorToeplitz as LinearOperatorToeplitz
from ..linear_operators.catalogue import LinearOperatorTridiag as LinearOperatorTridiag
from ..linear_operators.catalogue import LinearOperatorZeros as LinearOperatorZeros
from ..ops.linalg.matmul import adjoint as adjoint
from ..ops.linalg.band_parts import band_part as band_part
from ..ops.linalg.banded import banded_triangular_solve as banded_triangular_solve
from ..ops.linalg.triangular import cholesky_solve as cholesky_solve
from ..ops.linalg.solving import det as det
from ..ops.linalg.diagonals import diag as diag
from ..ops.linalg.diagonals import diag_part as diag_part
from ..ops.linalg.eigenvalues import eig as eig
from ..ops.linalg.eigenvalues import eigh as eigh
from ..ops.linalg.tridiagonal_eigenvalues import eigh_tridiagonal as eigh_tridiagonal
from ..ops.linalg.eigenvalues import eigvals as eigvals
from ..ops.linalg.eigenvalues import eigvalsh as eigvalsh
from ..ops.linalg.einsum import einsum as einsum
from . import linalg_experimental as experimental
from ..ops.linalg.matrix_functions import expm as expm
from ..ops.array.fill import eye as eye
from ..ops.math.norms import global_norm as global_norm
from ..ops.linalg.solving import inv as inv
from ..ops.math.norms import l2_normalize as l2_normalize
from ..ops.linalg.solving import logdet as logdet
from ..ops.linalg.matrix_functions import logm as logm
from ..ops.linalg.solving import lstsq as lstsq
from ..ops.linalg.decompositions import lu as lu
from ..ops.linalg.matrix_functions import lu_matrix_inverse as lu_matrix_inverse
from ..ops.linalg.matrix_functions import lu_reconstruct as lu_reconstruct
from ..ops.linalg.matrix_functions import lu_solve as lu_solve
from ..ops.linalg.matmul import matmul as matmul
from ..ops.linalg.matrix_functions import matrix_rank as matrix_rank
from ..ops.array.rearrangement import matrix_transpose as matrix_transpose
from ..ops.linalg.matmul import matvec as matvec
from ..ops.math.norms import norm as norm
from ..ops.math.norms import normalize as normalize
from ..ops.linalg.matrix_functions import pinv as pinv
from ..ops.linalg.decompositions import qr as qr
from ..ops.linalg.diagonals import set_diag as set_diag
from ..ops.linalg.solving import slogdet as slogdet
from ..ops.linalg.solving import solve as solve
from ..ops.linalg.matrix_functions import sqrtm as sqrtm
from ..ops.linalg.eigenvalues import svd as svd
from ..ops.linalg.band_parts import tensor_diag as tensor_diag
from ..ops.linalg.band_parts import tensor_diag_part as tensor_diag_part
from ..ops.linalg.contraction import tensordot as tensordot
from ..ops.linalg.diagonals import trace as trace
from ..ops.linalg.triangular import triangular_solve as triangular_solve
from ..ops.linalg.tridiagonal import tridiagonal_matmul as tridiagonal_matmul
from ..ops.linalg.tridiagonal import tridiagonal_solve as tridiagonal_solve

__all__ = ['LinearOperator', 'LinearOperatorAdjoint', 'LinearOperatorBlockDiag', 'LinearOperatorBlockLowerTriangular', 'LinearOperatorCirculant', 'LinearOperatorCirculant2D', 'LinearOperatorCirculant3D', 'LinearOperatorComposition', 'LinearOperatorDiag', 'LinearOperatorFullMatrix', 'LinearOperatorHouseholder', 'LinearOperatorIdentity', 'LinearOperatorInversion', 'LinearOperatorKronecker', 'LinearOperatorLowRankUpdate', 'LinearOperatorLowerTriangular', 'LinearOperatorPermutation', 'LinearOperatorScaledIdentity', 'LinearOperatorToeplitz', 'LinearOperatorTridiag', 'LinearOperatorZeros', 'adjoint', 'band_part', 'banded_triangular_solve', 'cholesky', 'cholesky_solve', 'cross', 'det', 'diag', 'diag_part', 'eig', 'eigh', 'eigh_tridiagonal', 'eigvals', 'eigvalsh', 'einsum', 'experimental', 'expm', 'eye', 'global_norm', 'inv', 'l2_normalize', 'logdet', 'logm', 'lstsq', 'lu', 'lu_matrix_inverse', 'lu_reconstruct', 'lu_solve', 'matmul', 'matrix_rank', 'matrix_transpose', 'matvec', 'norm', 'normalize', 'pinv', 'qr', 'set_diag', 'slogdet', 'solve', 'sqrtm', 'svd', 'tensor_diag', 'tensor_diag_part', 'tensordot', 'trace', 'triangular_solve', 'tridiagonal_matmul', 'tridiagonal_solve']

def cholesky(input: _Any, name: _Any = None) -> _Tensor:
    """The lower triangular L with L L^H = input, [..., n, n], of which only the lower triangle is
    read: float32, float64 or complex. The triangle of a matrix that is not positive definite is
    NaN.

    >>> tf.linalg.cholesky([[4., 2.], [2., 5.]]).numpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)

    Raises:
        InvalidArgumentError: the matrices are not square."""

def cross(a: _Any, b: _Any, name: _Any = None) -> _Tensor:
    """Cross products of vectors of three elements, along the last axis: a, b and the result are
    [..., 3], real numbers of one dtype and shape.

    >>> tf.linalg.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1], dtype=int32)

    Raises:
        InvalidArgumentError: the shapes differ, or are those of scalars.
        FailedPreconditionError: the vectors have not three elements."""
