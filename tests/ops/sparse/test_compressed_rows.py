"""Products of sparse matrices, against dense ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.sparse import compressed_rows as matrices


def some(shape: list[int], seed: int) -> Any:
    """Small whole numbers, most of them 0: sums are exact in any order."""
    return np.random.default_rng(seed).integers(-2, 3, shape).clip(-1, 1).astype(np.float32)


def compressed(dense: Any) -> matrices.CompressedRows:
    sparse = tf.sparse.from_dense(dense)
    return matrices.sparse_tensor_to_csr_sparse_matrix(*sparse._component_tensors())


def product(a: Any, b: Any, **turns: Any) -> Any:
    made = matrices.sparse_matrix_sparse_mat_mul(compressed(a), compressed(b), **turns)
    parts = matrices.csr_sparse_matrix_to_sparse_tensor(made)
    return tf.sparse.to_dense(tf.SparseTensor(*parts)).numpy()


@pytest.mark.parametrize("batch", [[], [1], [3]])
def test_products_equal_dense_ones(batch: list[int]) -> None:
    a, b = some([*batch, 4, 5], 1), some([*batch, 5, 2], 2)

    np.testing.assert_array_equal(a @ b, product(a, b))


@pytest.mark.parametrize("batch", [[], [3]])
def test_matrices_are_turned_first(batch: list[int]) -> None:
    a, b = some([*batch, 5, 4], 1), some([*batch, 2, 5], 2)

    turned = product(a, b, transpose_a=True, adjoint_b=True)
    np.testing.assert_array_equal(a.swapaxes(-1, -2) @ b.swapaxes(-1, -2), turned)


@pytest.mark.parametrize(
    ("left", "right"), [([4, 5], [4, 2]), ([3, 4, 5], [3, 4, 2]), ([3, 4, 5], [2, 5, 2])]
)
def test_sizes_that_do_not_fit_are_errors(left: list[int], right: list[int]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot multiply"):
        product(some(left, 1), some(right, 2))


def test_a_sparse_tensor_may_hold_nothing() -> None:
    empty = tf.SparseTensor(np.zeros([0, 2]), [], [2, 3])

    assert [[0.0] * 3] * 2 == tf.sparse.to_dense(empty).numpy().tolist()
