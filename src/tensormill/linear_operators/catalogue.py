"""Every kind of operator, all imported together: products and inverses are of other kinds."""

from __future__ import annotations

from . import algebra as algebra
from .kinds.adjoint import LinearOperatorAdjoint
from .kinds.block_diagonal import LinearOperatorBlockDiag
from .kinds.block_lower_triangular import LinearOperatorBlockLowerTriangular
from .kinds.circulant import (
    LinearOperatorCirculant,
    LinearOperatorCirculant2D,
    LinearOperatorCirculant3D,
)
from .kinds.composition import LinearOperatorComposition
from .kinds.diagonal import LinearOperatorDiag
from .kinds.full_matrix import LinearOperatorFullMatrix
from .kinds.householder import LinearOperatorHouseholder
from .kinds.identity import LinearOperatorIdentity, LinearOperatorScaledIdentity
from .kinds.inversion import LinearOperatorInversion
from .kinds.kronecker import LinearOperatorKronecker
from .kinds.low_rank_update import LinearOperatorLowRankUpdate
from .kinds.lower_triangular import LinearOperatorLowerTriangular
from .kinds.permutation import LinearOperatorPermutation
from .kinds.toeplitz import LinearOperatorToeplitz
from .kinds.tridiagonal import LinearOperatorTridiag
from .kinds.zeros import LinearOperatorZeros
from .operator import LinearOperator

__all__ = [
    "LinearOperator",
    "LinearOperatorAdjoint",
    "LinearOperatorBlockDiag",
    "LinearOperatorBlockLowerTriangular",
    "LinearOperatorCirculant",
    "LinearOperatorCirculant2D",
    "LinearOperatorCirculant3D",
    "LinearOperatorComposition",
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorHouseholder",
    "LinearOperatorIdentity",
    "LinearOperatorInversion",
    "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular",
    "LinearOperatorPermutation",
    "LinearOperatorScaledIdentity",
    "LinearOperatorToeplitz",
    "LinearOperatorTridiag",
    "LinearOperatorZeros",
]
