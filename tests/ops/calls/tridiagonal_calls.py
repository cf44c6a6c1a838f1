"""Calls of solvers for matrices that are zero far from the main diagonal."""

from __future__ import annotations

from typing import Any

import numpy as np

from .call import Call, gradient

COMPACT = np.array([[1.0, 2.0, 3.0, 99.0], [0.5, 5.0, 6.0, 7.0], [77.0, 1.0, 2.0, 3.0]])
RHS = np.arange(8.0).reshape(4, 2)
MATRIX = np.array([[4.0, 1.0, 0.0], [2.0, 5.0, 1.0], [0.0, 2.0, 6.0]])
BATCH = np.stack([COMPACT, COMPACT * 2.0 + 1.0])
MAIN, BESIDE = np.array([4.0, 5.0, 6.0, 7.0]), np.array([1.0, 2.0, 3.0])


def solve(tf: Any, *operands: Any, **options: Any) -> Any:
    return tf.linalg.tridiagonal_solve(*operands, **options)


def in_parts(tf: Any, above: Any, main: Any, below: Any, rhs: Any) -> Any:
    parts = [
        tf.ensure_shape(one, [size])
        for one, size in zip((above, main, below), (3, 4, 3), strict=True)
    ]
    return solve(tf, parts, rhs, diagonals_format="sequence")


def eigenvalues(tf: Any, *operands: Any, **options: Any) -> Any:
    """TensorFlow bisects: its last digits depend on the tolerance."""
    found = tf.linalg.eigh_tridiagonal(*operands, **options)
    return tf.round(found * 1e5) if options.get("eigvals_only", True) else tf.round(found[0] * 1e5)


CALLS: dict[str, Call] = {
    "tridiagonal_solve": (solve, [COMPACT, RHS]),
    "tridiagonal_solve of a vector": (solve, [COMPACT, RHS[:, 0]]),
    "tridiagonal_solve of batches": (solve, [BATCH, np.stack([RHS, -RHS])]),
    "tridiagonal_solve of vectors": (solve, [BATCH, RHS.T]),
    "tridiagonal_solve, transposed": (
        lambda tf, d, x: solve(tf, d, x, transpose_rhs=True), [COMPACT, RHS.T],
    ),
    "tridiagonal_solve, conjugated": (
        lambda tf, d, x: solve(tf, d, x, conjugate_rhs=True), [COMPACT * (1 + 1j), RHS * (1 - 2j)],
    ),
    "tridiagonal_solve of a matrix": (
        lambda tf, d, x: solve(tf, d, x, diagonals_format="matrix"), [MATRIX, RHS[:3]],
    ),
    "tridiagonal_solve of parts": (
        in_parts, [COMPACT[0, :3], COMPACT[1], COMPACT[2, 1:], RHS],
    ),
    "tridiagonal_solve without pivots": (
        lambda tf, d, x: solve(tf, d, x, partial_pivoting=False), [COMPACT, RHS],
    ),
    "tridiagonal_solve of a singular matrix": (solve, [COMPACT * 0.0, RHS]),
    "tridiagonal_solve, unknown format": (
        lambda tf, d, x: solve(tf, d, x, diagonals_format="other"), [COMPACT, RHS],
    ),
    "gradient of tridiagonal_solve": (
        gradient(lambda tf, d, x: solve(tf, d, x) ** 2), [BATCH, np.stack([RHS, -RHS])],
    ),
    "tridiagonal_matmul": (lambda tf, d, x: tf.linalg.tridiagonal_matmul(d, x), [COMPACT, RHS]),
    "tridiagonal_matmul of a matrix": (
        lambda tf, d, x: tf.linalg.tridiagonal_matmul(d, x, diagonals_format="matrix"),
        [MATRIX, RHS[:3]],
    ),
    "tridiagonal_matmul of batches": (
        lambda tf, d, x: tf.linalg.tridiagonal_matmul(d, x), [BATCH, np.stack([RHS, -RHS])],
    ),
    "tridiagonal_matmul of another size": (
        lambda tf, d, x: tf.linalg.tridiagonal_matmul(d, x), [COMPACT, RHS[:3]],
    ),
    "gradient of tridiagonal_matmul": (
        gradient(lambda tf, d, x: tf.linalg.tridiagonal_matmul(d, x) ** 2), [COMPACT, RHS],
    ),
    "banded_triangular_solve": (
        lambda tf, b, x: tf.linalg.banded_triangular_solve(b, x), [COMPACT[1:], RHS],
    ),
    "banded_triangular_solve of the upper half": (
        lambda tf, b, x: tf.linalg.banded_triangular_solve(b, x, lower=False), [COMPACT[:2], RHS],
    ),
    "banded_triangular_solve of batches": (
        lambda tf, b, x: tf.linalg.banded_triangular_solve(b, x, adjoint=True), [BATCH[:, 1:], RHS],
    ),
    "banded_triangular_solve of a singular matrix": (
        lambda tf, b, x: tf.linalg.banded_triangular_solve(b * 0.0, x), [COMPACT[1:], RHS],
    ),
    "banded_triangular_solve of no bands": (
        lambda tf, b, x: tf.linalg.banded_triangular_solve(b, x), [COMPACT[:0], RHS],
    ),
    "gradient of banded_triangular_solve": (
        gradient(lambda tf, b, x: tf.linalg.banded_triangular_solve(b, x) ** 2),
        [COMPACT[1:], RHS],
    ),
    "eigh_tridiagonal": (eigenvalues, [MAIN, BESIDE]),
    "eigh_tridiagonal of complex numbers": (eigenvalues, [MAIN + 0j, BESIDE * (1 + 1j)]),
    "eigh_tridiagonal, some": (
        lambda tf, a, b: eigenvalues(tf, a, b, select="i", select_range=(1, 2)), [MAIN, BESIDE],
    ),
    "eigh_tridiagonal, a range": (
        lambda tf, a, b: eigenvalues(tf, a, b, select="v", select_range=(3.0, 7.0)),
        [MAIN, BESIDE],
    ),
    "eigh_tridiagonal, an empty range": (
        lambda tf, a, b: eigenvalues(tf, a, b, select="i", select_range=(3, 2)), [MAIN, BESIDE],
    ),
    "eigh_tridiagonal of no numbers": (
        lambda tf, a, b: tf.linalg.eigh_tridiagonal(a * float("nan"), b, False), [MAIN, BESIDE],
    ),
    "eigh_tridiagonal and vectors": (
        lambda tf, a, b: eigenvalues(tf, a, b, eigvals_only=False), [MAIN, BESIDE],
    ),
}  # fmt: skip
