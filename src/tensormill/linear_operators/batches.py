"""Matrices whose leading axes, the batch, broadcast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.shapes import TensorShape
from ..ops.array.broadcasting import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
    broadcast_to,
)
from ..ops.array.concatenation import concat
from ..ops.array.shapes import shape_of
from ..ops.linalg.matmul import adjoint as adjoint_of
from ..ops.linalg.solving import solve
from ..ops.linalg.triangular import cholesky_solve
from ..ops.math.cast import cast


def static_batch(shapes: Sequence[TensorShape]) -> TensorShape:
    """What is known of the batch of matrices that are combined."""
    batch = TensorShape([])
    for shape in shapes:
        batch = broadcast_static_shape(batch, shape)
    return batch


def dynamic_batch(shapes: Sequence[Any]) -> Any:
    """The batch of matrices that are combined, from their batches: int32 vectors."""
    batch = shapes[0]
    for shape in shapes[1:]:
        batch = broadcast_dynamic_shape(batch, shape)
    return batch


def with_batch(matrix: Any, batch: Any) -> Any:
    """Matrices, repeated along the axes of `batch` that they lack."""
    return broadcast_to(matrix, concat([batch, shape_of(matrix)[-2:]], 0))


def with_batch_of(matrix: Any, others: Sequence[Any]) -> Any:
    """Matrices, repeated along leading axes that they lack and others have."""
    known = static_batch([one.shape[:-2] for one in (matrix, *others)])
    if known.is_fully_defined():
        if matrix.shape[:-2] == known:
            return matrix
        return with_batch(matrix, known.as_list())
    return with_batch(matrix, dynamic_batch([shape_of(one)[:-2] for one in (matrix, *others)]))


def solved(matrix: Any, rhs: Any, adjoint: bool = False) -> Any:
    """`tf.linalg.solve`, whose leading axes broadcast."""
    return solve(with_batch_of(matrix, [rhs]), with_batch_of(rhs, [matrix]), adjoint)


def solved_by_cholesky(factor: Any, rhs: Any) -> Any:
    """`tf.linalg.cholesky_solve`, whose leading axes broadcast."""
    return cholesky_solve(with_batch_of(factor, [rhs]), with_batch_of(rhs, [factor]))


def adjoint_if(matrix: Any, wanted: bool) -> Any:
    return adjoint_of(matrix) if wanted else matrix


def as_dtype_of(numbers: Any, operator: Any) -> Any:
    """Real numbers in the dtype of an operator, which may be complex."""
    return cast(numbers, operator.dtype)
