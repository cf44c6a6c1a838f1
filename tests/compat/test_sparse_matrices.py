"""`tensorflow.python.ops.linalg.sparse.sparse`, and modules of generated functions."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import tensormill as tf
from tensormill.compat.private_modules import generated
from tensormill.compat.private_modules.sparse_matrices import CSRSparseMatrix, matmul

DRAWN = np.random.default_rng(0)
A = DRAWN.normal(size=(2, 3, 4)) * (DRAWN.uniform(size=(2, 3, 4)) < 0.5)
B = DRAWN.normal(size=(2, 4, 5)) * (DRAWN.uniform(size=(2, 4, 5)) < 0.5)


@pytest.mark.parametrize("part", [slice(None), 0])
def test_products_are_those_of_the_dense_matrices(part: slice | int) -> None:
    a, b = A[part], B[part]
    first, second = CSRSparseMatrix(tf.sparse.from_dense(a)), CSRSparseMatrix(b)
    wanted = a @ b
    np.testing.assert_allclose(matmul(first, second).to_dense(), wanted)
    np.testing.assert_allclose(matmul(first, b), wanted)
    np.testing.assert_allclose(matmul(a, second), wanted)
    np.testing.assert_allclose(matmul(a, b), wanted)
    turned = first.transpose()
    np.testing.assert_allclose(matmul(turned, b, transpose_a=True), wanted)
    np.testing.assert_allclose(matmul(turned, second.transpose(), adjoint_a=True,
                                      transpose_b=True).to_dense(), wanted)  # fmt: skip
    assert np.array_equal(first.nnz(), np.count_nonzero(a, (-1, -2)))


def test_a_matrix_of_chosen_elements_has_these_alone() -> None:
    chosen = CSRSparseMatrix(A[0], indices=[[1, 2], [0, 3]])
    assert np.count_nonzero(chosen.to_dense()) == np.count_nonzero([A[0, 1, 2], A[0, 0, 3]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="rank 2, or 3"):
        CSRSparseMatrix(A[0, 0])


def test_generated_functions_take_arguments_by_position() -> None:
    reorder = generated.function("sparse_reorder")
    assert reorder is not None
    assert np.array_equal(reorder([[1, 0], [0, 1]], [1.0, 2.0], (2, 2))[1], [2.0, 1.0])
    assert list(inspect.signature(reorder).parameters)[:2] == ["input_indices", "input_values"]
    assert generated.function("no_such_operation") is None
