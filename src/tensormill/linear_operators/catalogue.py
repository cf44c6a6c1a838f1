"""Every kind of operator, all imported together: products and inverses are of other kinds."""

from __future__ import annotations

from ..core.type_spec_names import register
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
from .spec import spec_class_of

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

for _name in __all__[1:]:  # files know what describes each kind by this name
    register(f"tf.linalg.{_name}Spec")(spec_class_of(globals()[_name]))
