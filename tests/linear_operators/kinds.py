"""An operator of every kind, and the matrix that it stands for, worked out by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg

A = np.array([[4.0, 1.0, -0.5, 0.0], [0.5, 3.0, 1.0, 0.25], [-1.0, 0.25, 5.0, 1.0],
              [0.0, 0.5, -0.25, 2.0]])  # fmt: skip
POSITIVE = A @ A.T
BATCH = np.stack([A, A.T + np.eye(4), 2 * A])[:, None]
DIAGONALS = np.array([[1.0, 2.0, 3.0, 9.0], [5.0, -6.0, 7.0, 8.0], [9.0, 1.0, -2.0, 0.5]])
NUMBERS = np.array([1.0, -2.0, 3.0, 0.5])
COMPLEX = NUMBERS + 1j * np.array([0.5, 1.0, -1.0, 2.0])
ORDERS = np.array([[2, 0, 3, 1], [0, 1, 3, 2], [3, 2, 1, 0]], np.int32)[:, None]
BLOCKS: Any = [linalg.block_diag(one[0], np.diag(NUMBERS[:2])) for one in BATCH]
U, V = A[:, :2], np.cos(A[:, 1:3])

# What makes an operator, and its matrix: each gets the module `tf`.
Kind = tuple[Callable[[Any], Any], Any]


def full(tf: Any, matrix: Any, **hints: Any) -> Any:
    return tf.linalg.LinearOperatorFullMatrix(tf.constant(matrix), **hints)


def diag(tf: Any, numbers: Any, **hints: Any) -> Any:
    return tf.linalg.LinearOperatorDiag(tf.constant(numbers), **hints)


def positive(tf: Any) -> Any:
    return full(tf, POSITIVE, is_self_adjoint=True, is_positive_definite=True)


def diagonals_of(matrix: Any, numbers: Any) -> Any:
    return np.einsum("...i,ij->...ij", numbers, np.eye(numbers.shape[-1])) + 0 * matrix


def tridiagonal(numbers: Any) -> Any:
    above, main, below = numbers
    return np.diag(main) + np.diag(above[:-1], 1) + np.diag(below[1:], -1)


def circulant(spectrum: Any) -> Any:
    """The columns: shifts of the inverse transform of a spectrum of any depth."""
    kernel = np.fft.ifftn(spectrum)
    places = list(np.ndindex(*kernel.shape))
    return np.stack([np.roll(kernel, at, range(kernel.ndim)).ravel() for at in places], -1)


def reflection(axis: Any) -> Any:
    unit = axis / np.linalg.norm(axis)
    return np.eye(len(axis)) - 2 * np.outer(unit, np.conj(unit))


def block(*rows: Any) -> Any:
    return np.block([list(row) for row in rows])


ZERO = np.zeros([2, 2])
KINDS: dict[str, Kind] = {
    "full": (lambda tf: full(tf, A), A),
    "full, batch": (lambda tf: full(tf, BATCH), BATCH),
    "full, complex": (lambda tf: full(tf, A * (1 + 0.5j)), A * (1 + 0.5j)),
    "full, positive": (positive, POSITIVE),
    "full, rows": (lambda tf: full(tf, A[:3]), A[:3]),
    "diagonal": (lambda tf: diag(tf, NUMBERS), np.diag(NUMBERS)),
    "diagonal, batch": (
        lambda tf: diag(tf, BATCH[:, :, 1]), diagonals_of(BATCH, BATCH[:, :, 1]),
    ),
    "diagonal, complex": (lambda tf: diag(tf, COMPLEX), np.diag(COMPLEX)),
    "triangle": (lambda tf: tf.linalg.LinearOperatorLowerTriangular(tf.constant(A)), np.tril(A)),
    "triangle, batch": (
        lambda tf: tf.linalg.LinearOperatorLowerTriangular(tf.constant(BATCH)), np.tril(BATCH),
    ),
    "identity": (lambda tf: tf.linalg.LinearOperatorIdentity(4, dtype=tf.float64), np.eye(4)),
    "identity, batch": (
        lambda tf: tf.linalg.LinearOperatorIdentity(4, batch_shape=[3, 1], dtype=tf.float64),
        np.eye(4) + np.zeros([3, 1, 1, 1]),
    ),
    "multiple": (
        lambda tf: tf.linalg.LinearOperatorScaledIdentity(4, tf.constant(-2.5, tf.float64)),
        -2.5 * np.eye(4),
    ),
    "multiple, batch": (
        lambda tf: tf.linalg.LinearOperatorScaledIdentity(4, tf.constant(NUMBERS[:3, None])),
        NUMBERS[:3, None, None, None] * np.eye(4),
    ),
    "multiple, complex": (
        lambda tf: tf.linalg.LinearOperatorScaledIdentity(4, tf.constant(COMPLEX[0])),
        COMPLEX[0] * np.eye(4),
    ),
    "zeros": (lambda tf: tf.linalg.LinearOperatorZeros(4, dtype=tf.float64), np.zeros([4, 4])),
    "zeros, rows": (
        lambda tf: tf.linalg.LinearOperatorZeros(
            3, 4, dtype=tf.float64, is_square=False, is_self_adjoint=False
        ),
        np.zeros([3, 4]),
    ),
    "circulant": (
        lambda tf: tf.linalg.LinearOperatorCirculant(tf.constant(COMPLEX), tf.complex128),
        circulant(COMPLEX),
    ),
    "circulant, real": (
        lambda tf: tf.linalg.LinearOperatorCirculant(
            tf.constant([5.0, 2.0, 3.0, 2.0], tf.float64), tf.float64
        ),
        circulant(np.array([5.0, 2.0, 3.0, 2.0])).real,
    ),
    "circulant, 2 deep": (
        lambda tf: tf.linalg.LinearOperatorCirculant2D(
            tf.constant(COMPLEX.reshape(2, 2)), tf.complex128
        ),
        circulant(COMPLEX.reshape(2, 2)),
    ),
    "circulant, 3 deep": (
        lambda tf: tf.linalg.LinearOperatorCirculant3D(
            tf.constant(np.concatenate([COMPLEX, COMPLEX + 1]).reshape(2, 1, 4)), tf.complex128
        ),
        circulant(np.concatenate([COMPLEX, COMPLEX + 1]).reshape(2, 1, 4)),
    ),
    "reflection": (
        lambda tf: tf.linalg.LinearOperatorHouseholder(tf.constant(NUMBERS)), reflection(NUMBERS),
    ),
    "reflection, complex": (
        lambda tf: tf.linalg.LinearOperatorHouseholder(tf.constant(COMPLEX)), reflection(COMPLEX),
    ),
    "permutation": (
        lambda tf: tf.linalg.LinearOperatorPermutation([2, 0, 3, 1], tf.float64),
        np.eye(4)[[2, 0, 3, 1]],
    ),
    "permutation, batch": (
        lambda tf: tf.linalg.LinearOperatorPermutation(ORDERS, tf.float64),
        np.eye(4)[ORDERS],
    ),
    "Toeplitz": (
        lambda tf: tf.linalg.LinearOperatorToeplitz(tf.constant(A[0]), tf.constant(NUMBERS)),
        linalg.toeplitz(A[0], NUMBERS),
    ),
    "Toeplitz, complex": (
        lambda tf: tf.linalg.LinearOperatorToeplitz(*map(tf.constant, (COMPLEX, COMPLEX[::-1]))),
        linalg.toeplitz(COMPLEX, COMPLEX[::-1]),
    ),
    "tridiagonal": (
        lambda tf: tf.linalg.LinearOperatorTridiag(tf.constant(DIAGONALS)), tridiagonal(DIAGONALS),
    ),
    "tridiagonal, complex": (
        lambda tf: tf.linalg.LinearOperatorTridiag(tf.constant(DIAGONALS * COMPLEX)),
        tridiagonal(DIAGONALS * COMPLEX),
    ),
    "tridiagonal, parts": (
        lambda tf: tf.linalg.LinearOperatorTridiag(list(map(tf.constant, DIAGONALS)), "sequence"),
        tridiagonal(DIAGONALS),
    ),
    "tridiagonal, matrix": (
        lambda tf: tf.linalg.LinearOperatorTridiag(tf.constant(tridiagonal(DIAGONALS)), "matrix"),
        tridiagonal(DIAGONALS),
    ),
    "update": (
        lambda tf: tf.linalg.LinearOperatorLowRankUpdate(positive(tf), tf.constant(U)),
        POSITIVE + U @ U.T,
    ),
    "update, diagonal": (
        lambda tf: tf.linalg.LinearOperatorLowRankUpdate(
            diag(tf, NUMBERS), tf.constant(U), tf.constant([2.0, -3.0], tf.float64), tf.constant(V)
        ),
        np.diag(NUMBERS) + U @ np.diag([2.0, -3.0]) @ V.T,
    ),
    "update, complex": (
        lambda tf: tf.linalg.LinearOperatorLowRankUpdate(
            diag(tf, COMPLEX), tf.constant(U * 1j), tf.constant(COMPLEX[:2])
        ),
        np.diag(COMPLEX) + U @ np.diag(COMPLEX[:2]) @ U.T,
    ),
    "update, batch": (
        lambda tf: tf.linalg.LinearOperatorLowRankUpdate(full(tf, BATCH), tf.constant(U)),
        BATCH + U @ U.T,
    ),
    "Kronecker": (
        lambda tf: tf.linalg.LinearOperatorKronecker(
            [full(tf, A[:2, :2]), diag(tf, NUMBERS[:3]), full(tf, A[1:3, 1:3])]
        ),
        np.kron(np.kron(A[:2, :2], np.diag(NUMBERS[:3])), A[1:3, 1:3]),
    ),
    "Kronecker, rows": (
        lambda tf: tf.linalg.LinearOperatorKronecker([full(tf, A[:2, :3]), full(tf, A[:3, :2])]),
        np.kron(A[:2, :3], A[:3, :2]),
    ),
    "Kronecker, batch": (
        lambda tf: tf.linalg.LinearOperatorKronecker([full(tf, BATCH), full(tf, A[:2, :2])]),
        np.stack([np.kron(one[0], A[:2, :2]) for one in BATCH])[:, None],
    ),
    "Kronecker, positive": (
        lambda tf: tf.linalg.LinearOperatorKronecker([positive(tf), positive(tf)]),
        np.kron(POSITIVE, POSITIVE),
    ),
    "blocks": (
        lambda tf: tf.linalg.LinearOperatorBlockDiag([full(tf, A), diag(tf, NUMBERS[:2])]),
        linalg.block_diag(A, np.diag(NUMBERS[:2])),
    ),
    "blocks, batch": (
        lambda tf: tf.linalg.LinearOperatorBlockDiag([full(tf, BATCH), diag(tf, NUMBERS[:2])]),
        np.stack(BLOCKS)[:, None],
    ),
    "blocks, positive": (
        lambda tf: tf.linalg.LinearOperatorBlockDiag([positive(tf), positive(tf)]),
        linalg.block_diag(POSITIVE, POSITIVE),
    ),
    "triangle of blocks": (
        lambda tf: tf.linalg.LinearOperatorBlockLowerTriangular(
            [
                [full(tf, A[:2, :2])],
                [full(tf, A[2:, :2]), diag(tf, NUMBERS[:2])],
                [full(tf, A[:1, :2]), full(tf, A[:1, 2:]), full(tf, A[:1, :1])],
            ]
        ),
        block(
            (A[:2, :2], ZERO, ZERO[:, :1]),
            (A[2:, :2], np.diag(NUMBERS[:2]), ZERO[:, :1]),
            (A[:1, :2], A[:1, 2:], A[:1, :1]),
        ),
    ),
    "composition": (
        lambda tf: tf.linalg.LinearOperatorComposition(
            [full(tf, A), diag(tf, NUMBERS), full(tf, A)]
        ),
        A @ np.diag(NUMBERS) @ A,
    ),
    "composition, rows": (
        lambda tf: tf.linalg.LinearOperatorComposition([full(tf, A[:2]), full(tf, BATCH)]),
        A[:2] @ BATCH,
    ),
    "adjoint": (
        lambda tf: tf.linalg.LinearOperatorAdjoint(full(tf, A * (1 + 0.5j))), A.T * (1 - 0.5j),
    ),
    "inverse": (
        lambda tf: tf.linalg.LinearOperatorInversion(full(tf, BATCH)), np.linalg.inv(BATCH),
    ),
}  # fmt: skip
