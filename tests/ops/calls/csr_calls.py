"""Sparse matrices that are one value each, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call, gradient

MATRIX = np.array([[1.0, 0, 2], [0, 0, 3], [4, 0, 0]], np.float32)
BATCH = np.stack([MATRIX, MATRIX * 0, MATRIX.T])
COMPLEX = MATRIX.astype(np.complex64) * (1 - 2j)
DEFINITE = np.array([[4.0, 1, 0], [1, 5, 2], [0, 2, 6]])
B = np.arange(6, dtype=np.float32).reshape(3, 2)
C = (np.arange(6) + 1j * np.arange(6)[::-1]).reshape(3, 2).astype(np.complex64)
SEVERAL = np.arange(18, dtype=np.float32).reshape(3, 3, 2)
ORDER = np.array([2, 0, 1], np.int32)


def whole(tf: Any, matrix: Any, dtype: Any) -> Any:
    return tf.raw_ops.CSRSparseMatrixToDense(sparse_input=matrix, type=dtype)


def of(dense: Any, function: Callable[..., Any], *rest: Any) -> Call:
    """`function(tf, matrix, dtype, *rest)`; the values of the matrix are a tensor."""
    places = np.argwhere(dense)

    def call(tf: Any, values: Any, *tensors: Any) -> Any:
        matrix = tf.raw_ops.SparseTensorToCSRSparseMatrix(
            indices=tf.constant(places),
            values=values,
            dense_shape=tf.constant(dense.shape, "int64"),
        )
        return function(tf, matrix, values.dtype, *tensors)

    return call, [dense[dense != 0], *rest]


def times(**told: Any) -> Callable[..., Any]:
    return lambda tf, a, dtype, b: tf.raw_ops.SparseMatrixMatMul(a=a, b=b, **told)


def itself(**told: Any) -> Callable[..., Any]:
    def call(tf: Any, a: Any, dtype: Any) -> Any:
        found = tf.raw_ops.SparseMatrixSparseMatMul(a=a, b=a, type=dtype, **told)
        return [whole(tf, found, dtype), tf.raw_ops.SparseMatrixNNZ(sparse_matrix=found)]

    return call


def across(**told: Any) -> Callable[..., Any]:
    return lambda tf, a, dtype: whole(
        tf, tf.raw_ops.SparseMatrixTranspose(input=a, type=dtype, **told), dtype
    )


def parts(number: int) -> Callable[..., Any]:
    return lambda tf, a, dtype: list(
        tf.raw_ops.CSRSparseMatrixComponents(csr_sparse_matrix=a, index=number, type=dtype)
    )


def factor(tf: Any, a: Any, dtype: Any, order: Any) -> Any:
    found = tf.raw_ops.SparseMatrixSparseCholesky(input=a, permutation=order, type=dtype)
    return whole(tf, found, dtype)


def elements(tf: Any, a: Any, dtype: Any) -> Any:
    return list(tf.raw_ops.CSRSparseMatrixToSparseTensor(sparse_matrix=a, type=dtype))


def counts(tf: Any, a: Any, dtype: Any) -> Any:
    return tf.raw_ops.SparseMatrixNNZ(sparse_matrix=a)


def from_dense(tf: Any, x: Any) -> Any:
    places = tf.constant(np.argwhere(MATRIX))
    return whole(tf, tf.raw_ops.DenseToCSRSparseMatrix(dense_input=x, indices=places), x.dtype)


def derived(dense: Any, function: Callable[..., Any], *rest: Any) -> Call:
    """The gradients of the squares of what it gives."""
    call, arrays = of(dense, function, *rest)
    return gradient(lambda tf, *tensors: tf.abs(call(tf, *tensors)) ** 2), arrays


def wrong(indices: Any, shape: Any) -> Call:
    def call(tf: Any, indices: Any, values: Any, shape: Any) -> Any:
        return counts(tf, tf.raw_ops.SparseTensorToCSRSparseMatrix(
            indices=indices, values=values, dense_shape=shape), None)  # fmt: skip

    return call, [np.array(indices), np.ones(1, np.float32), np.array(shape)]


TRANSPOSED: dict[str, tuple[dict[str, Any], Any]] = {
    "a": ({"transpose_a": True}, C), "b": ({"transpose_b": True}, C.T),
    "adjoint a": ({"adjoint_a": True}, C), "adjoint b": ({"adjoint_b": True}, C.T),
    "both": ({"transpose_a": True, "adjoint_b": True}, C.T),
    "output": ({"transpose_output": True}, C), "conjugate": ({"conjugate_output": True}, C),
}  # fmt: skip
BY_NAME: dict[str, Call] = {
    "dense": of(MATRIX, whole), "dense batch": of(BATCH, whole),
    "dense complex": of(COMPLEX, whole),
    "dense of another dtype": of(MATRIX, lambda tf, a, dtype: whole(tf, a, tf.float64)),
    "elements": of(MATRIX, elements), "elements of a batch": of(BATCH, elements),
    "elements of doubles": of(DEFINITE, elements),
    "count": of(MATRIX, counts), "counts": of(BATCH, counts), "count complex": of(COMPLEX, counts),
    "parts": of(MATRIX, parts(0)), "parts of the last": of(BATCH, parts(2)),
    "parts of an empty one": of(BATCH, parts(1)), "no such part": of(BATCH, parts(3)),
    "from dense": (from_dense, [MATRIX]), "from complex": (from_dense, [COMPLEX + 1]),
    "from dense, derived": (gradient(lambda tf, x: from_dense(tf, x) ** 2), [MATRIX]),
    "outside": wrong([[3, 0]], [3, 3]), "of one axis": wrong([[0]], [3]),
    "product": of(MATRIX, times(), B), "products": of(BATCH, times(), SEVERAL),
    "product of other ranks": of(BATCH, times(), B),
    "product that does not fit": of(MATRIX, times(), B.T),
    **{f"product, {name}": of(COMPLEX, times(**told), b) for name, (told, b) in TRANSPOSED.items()},
    **{
        f"product, {name}, derived": derived(COMPLEX, times(**told), b)
        for name, (told, b) in TRANSPOSED.items() if name not in ("output", "conjugate")
    },
    "product, derived": derived(MATRIX, times(), B),
    "products, derived": derived(BATCH, times(), SEVERAL),
    "itself": of(MATRIX, itself()), "itself transposed": of(COMPLEX, itself(transpose_a=True)),
    "itself adjoint": of(COMPLEX, itself(adjoint_b=True)), "itself, a batch": of(BATCH, itself()),
    "transpose": of(MATRIX, across()), "transpose of a batch": of(BATCH, across()),
    "transpose, conjugate": of(COMPLEX, across(conjugate=True)),
    "transpose, derived": derived(COMPLEX, across(conjugate=True)),
    "elements, derived": derived(MATRIX, lambda tf, a, dtype: elements(tf, a, dtype)[1]),
    "factor": of(DEFINITE, factor, np.arange(3, dtype=np.int32)),
    "factor in another order": of(DEFINITE, factor, ORDER),
    "factor of complex": of(DEFINITE.astype(complex), factor, ORDER),
    "factor of none": of(MATRIX, factor, ORDER),
}  # fmt: skip
CALLS = {f"csr: {name}": call for name, call in BY_NAME.items()}
COMPILED = ["csr: product, derived", "csr: transpose, conjugate", "csr: elements"]
