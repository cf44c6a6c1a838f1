"""`tensorflow.python.ops.linalg.linear_operator_addition`: sums of operators, as operators."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any

from ...linear_operators.kinds.diagonal import LinearOperatorDiag
from ...linear_operators.kinds.full_matrix import LinearOperatorFullMatrix
from ...linear_operators.kinds.identity import LinearOperatorIdentity, LinearOperatorScaledIdentity

DIAGONAL = (LinearOperatorDiag, LinearOperatorIdentity, LinearOperatorScaledIdentity)


def add_operators(
    operators: Sequence[Any], operator_name: str | None = None, addition_tiers: Any = None
) -> list[Any]:
    """One operator that is the sum of several: diagonal where all are, else a whole matrix."""
    if len(operators) == 1:
        return list(operators)
    hints = {
        hint: True
        for hint in ("is_self_adjoint", "is_positive_definite")
        if all(getattr(one, hint) for one in operators)
    }
    if all(isinstance(one, DIAGONAL) for one in operators):
        whole = reduce(add, [one.diag_part() for one in operators])
        return [LinearOperatorDiag(whole, name=operator_name or "sum", **hints)]
    whole = reduce(add, [one.to_dense() for one in operators])
    return [LinearOperatorFullMatrix(whole, name=operator_name or "sum", **hints)]
