"""Samples of linear algebra."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import Sample, Table, array, case, f32, f64, i32, i64, scalar, spread, unit

A = f64([4, 1, -0.5], [0.5, 3, 1], [-1, 0.25, 5])
BATCH = np.stack([A, A.T + 1])
SYMMETRIC = A @ A.T
Z = A + 1j * spread((3, 3), -1, 1)
HERMITIAN = Z @ Z.conj().T
TALL, RIGHT = spread((3, 2)), spread((3, 2), seed=2)
NOT_POSITIVE = f64([1, 2], [2, 1])
SMALL = f64([2, 1], [1, 3])


def exponential(x: Any) -> Any:
    """By eigenvalues, which NumPy 2.5 gives as complex numbers whatever they are."""
    values, vectors = np.linalg.eig(x)
    found = (vectors * np.exp(values)) @ np.linalg.inv(vectors)
    return found if np.iscomplexobj(x) else found.real


def values_only(x: Any) -> Sample:
    """Eigenvalues as the zeros of the characteristic polynomial."""
    values = np.sort(np.roots(np.poly(x)).real).astype(x.dtype)
    return case(x, compute_v=False, expected=(values, np.zeros((), x.dtype)), tolerance=1e-9)


def singular_values(x: Any) -> Sample:
    """The roots of the eigenvalues of the smaller of x^H x and x x^H."""
    square = x.conj().T @ x if x.shape[0] > x.shape[1] else x @ x.conj().T
    values = np.sqrt(np.sort(np.linalg.eigvalsh(square))[::-1]).astype(x.dtype)
    nothing = np.zeros((), x.dtype)
    return case(x, compute_uv=False, expected=(values, nothing, nothing), tolerance=1e-9)


# Three diagonals; where pivots are chosen, rows are exchanged.
BANDS = np.array([[1.0, -2.0, 7.0], [0.5, 3.0, 4.0], [9.0, 1.5, -1.0]])

SAMPLES: Table = {
    "Cholesky": [
        case(SYMMETRIC), case(np.stack([SYMMETRIC, SYMMETRIC + np.eye(3)])), case(HERMITIAN),
        case(np.float32(SMALL)), case(np.zeros((0, 0))),
        case(np.stack([SMALL, NOT_POSITIVE]), smooth=False, expected=np.stack(
            [np.linalg.cholesky(SMALL), np.tril(np.full((2, 2), np.nan))]
        )),
    ],
    "Lu": [case(A), case(np.stack([A, A[::-1]])), case(Z), case(np.float32(A))],
    "Qr": [
        case(A), case(TALL), case(np.stack([TALL, RIGHT])), case(TALL.T, full_matrices=False),
        case(TALL, full_matrices=True, smooth=False), case(Z), case(np.float32(TALL)),
    ],
    "SelfAdjointEigV2": [
        values_only(SYMMETRIC), values_only(HERMITIAN), case(np.diag(f64(1, 2, 4))),
    ],
    "Eig": [
        case(
            f64([2, 5], [0, 3]), compute_v=False, Tout="c128", smooth=False,
            expected=(np.array([2, 3], complex), np.zeros((), complex)),
        ),
        case(f64([0, 1], [-1, 0]), Tout="c128", smooth=False),
        case(f32([0, 1], [-1, 0]), Tout="c64"),
    ],
    "Svd": [
        singular_values(TALL), singular_values(TALL.T), singular_values(Z),
        case(np.diag(f64(4, 2, 1)), smooth=False),
        case(np.eye(3, 2) * f64(3, 2), full_matrices=True, smooth=False),
    ],
    "MatrixSolve": [
        case(A, RIGHT), case(BATCH, np.stack([RIGHT, TALL]), adjoint=True), case(Z, unit((3, 1))),
        case(np.float32(A), np.float32(RIGHT)),
    ],
    "MatrixTriangularSolve": [
        case(A, RIGHT), case(A, RIGHT, lower_=False), case(A, RIGHT, adjoint=True),
        case(BATCH, RIGHT, lower_=False, adjoint=True), case(Z, unit((3, 1)), adjoint=True),
        case(A, np.stack([RIGHT, TALL])), case(np.float32(A), np.float32(RIGHT)),
        case(spread((70, 70), 0, 0.1) + np.eye(70), spread((70, 1)), lower_=False, smooth=False),
        case(spread((70, 70), 0, 0.1) + np.eye(70), spread((70, 1)), smooth=False),
    ],
    "TridiagonalMatMul": [
        case(BANDS[:1], BANDS[1:2], BANDS[2:], RIGHT),
        case(*(np.stack([Z, Z * 2j])[:, k : k + 1] for k in range(3)), np.stack([Z, Z]) + 1),
    ],
    "TridiagonalSolve": [
        case(BANDS, RIGHT), case(np.stack([BANDS, A]), np.stack([RIGHT, -RIGHT])),
        case(BANDS + 4.0, RIGHT, partial_pivoting=False), case(Z, Z + 1),
        case(np.float32(BANDS), np.float32(RIGHT)), case(BANDS * 0, RIGHT, smooth=False),
    ],
    "BandedTriangularSolve": [
        case(BANDS[1:], RIGHT), case(BANDS[:2], RIGHT, lower_=False), case(A, RIGHT, adjoint=True),
        case(BATCH, RIGHT, lower_=False, adjoint=True), case(Z, unit((3, 1)), adjoint=True),
        case(BANDS[1:2], np.stack([RIGHT, TALL])), case(np.float32(A), np.float32(RIGHT)),
    ],
    "MatrixInverse": [case(A), case(BATCH, adjoint=True), case(Z), case(np.float32(A))],
    "MatrixDeterminant": [case(A), case(BATCH), case(Z), case(np.float32(A))],
    "LogMatrixDeterminant": [case(A), case(-BATCH), case(Z), case(np.zeros((0, 0)))],
    "MatrixSolveLs": [
        case(TALL, RIGHT, scalar(0.0, "f64"), fast=False),
        case(TALL.T, RIGHT[:2], scalar(0.0, "f64"), fast=False),
        case(TALL, RIGHT, scalar(2.0, "f64")), case(TALL.T, RIGHT[:2], scalar(0.5, "f64")),
        case(TALL, RIGHT, scalar(2.0, "f64"), fast=False),
    ],
    "MatrixExponential": [
        case(SMALL / 4, expected=exponential(SMALL / 4)), case(A, expected=exponential(A)),
        case(Z / 3, expected=exponential(Z / 3)),
    ],
    "MatrixSquareRoot": [case(SYMMETRIC), case(np.stack([SMALL, SMALL.T + 1])), case(Z)],
    "MatrixLogarithm": [case(Z)],
    "Cross": [
        case(spread((2, 3)), spread((2, 3), seed=4)), case(f32(1, 2, 3), f32(0, -1, 2)),
        case(i32(1, 2, 3), i32(4, 5, 6)),
    ],
    "Diag": [case(f64(1, 2)), case(spread((2, 3))), case(i32(3, 4))],
    "DiagPart": [case(spread((3, 3))), case(spread((2, 3, 2, 3))), case(i64([3, 4], [5, 6]))],
    "NearestNeighbors": [
        case(f32([0, 0], [3, 4]), f32([0, 1], [3, 3], [10, 10]), scalar(2, "i64")),
        case(f32([0, 0], [3, 4]), f32([0, 1], [3, 3]), scalar(9, "i64")),
    ],
    "KMC2ChainInitialization": [
        case(f32(0, 1, 4, 2, 7, 3, 1), scalar(3, "i64")), case(f32(2), scalar(0, "i64")),
        case(f32(9, 0, 1, 0, 2), scalar(-1, "i64")),
    ],
    "KmeansPlusPlusInitialization": [
        case(array("f32", spread((9, 2))), *(scalar(one, "i64") for one in (4, 7, tries)))
        for tries in (0, 2, -1)
    ],
}  # fmt: skip
