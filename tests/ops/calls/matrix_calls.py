"""Calls of linear algebra, written for TensorFlow and for us alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from .call import Call
from .gradient_calls import both_parts, gradient

A = np.array([[4.0, 1.0, -0.5], [0.5, 3.0, 1.0], [-1.0, 0.25, 5.0]])
TALL = np.array([[1.0, -2.0], [0.5, 3.0], [2.0, 0.75]])
BATCH = np.stack([A, A.T + 1.0])
COLUMNS = np.arange(12.0).reshape(2, 3, 2) / 5 - 1
SYMMETRIC = A @ A.T
Z = A + 1j * np.array([[0.5, -1.0, 0.25], [0.75, -0.5, 1.0], [0.0, 2.0, -0.25]])
HERMITIAN = Z @ Z.conj().T
U, V = np.array([[1.0, 2.0, 3.0]]), np.array([[-1.0, 0.5, 2.0]])
WEIGHTS = np.cos(np.arange(1.0, 10.0)).reshape(3, 3)


def least_squares(tf: Any, a: Any, sizes: list[int], **options: Any) -> Any:
    """Whose gradient, and whose rank, need to know sizes."""
    a = tf.ensure_shape(a, sizes)
    return tf.linalg.lstsq(a, a[:, :1] + 1.0, **options)


def powers(tf: Any, function: str, a: Any) -> Any:
    """One number that depends on all factors, but not on their signs and phases."""
    factors = getattr(tf.linalg, function)(a)
    return sum(tf.reduce_sum(tf.abs(one) ** 3) for one in factors)


def projector(tf: Any, vectors: Any) -> Any:
    """What does not depend on the signs or phases of columns."""
    rows, columns = tf.unstack(tf.shape(vectors))
    return tf.reduce_sum(tf.abs(vectors) * tf.constant(WEIGHTS)[:rows, :columns])


INF, NAN = np.inf, np.nan
# Each with a determinant and a Cholesky factor, which may be NaN.
UNBOUNDED = np.array([
    [[INF, INF], [INF, INF]], [[1, 0], [INF, 1]], [[INF, 0], [0, 1]], [[1, 0], [0, INF]],
    [[1, NAN], [0, 1]], [[4, INF], [2, 1]], [[1, 0], [NAN, 1]],
])  # fmt: skip
CORNERS = np.array([[[INF, 5], [5, 1]], [[1, 5], [5, -INF]]])

CALLS: dict[str, Call] = {
    "cholesky of infinite numbers": (
        lambda tf, a: tf.linalg.band_part(tf.linalg.cholesky(a), -1, 0), [UNBOUNDED[:5]]
    ),
    "logdet of infinite numbers": (lambda tf, a: tf.linalg.logdet(a), [UNBOUNDED[:5]]),
    "det of infinite numbers": (lambda tf, a: tf.linalg.det(a), [UNBOUNDED]),
    "slogdet of infinite numbers": (lambda tf, a: tf.linalg.slogdet(a), [UNBOUNDED]),
    "slogdet of infinite complex numbers": (
        lambda tf, a: tf.linalg.slogdet(tf.cast(a, tf.complex64)), [UNBOUNDED]
    ),
    "lu of infinite complex numbers": (
        lambda tf, a: tf.linalg.lu(tf.cast(a, tf.complex128)), [UNBOUNDED[1:4]]
    ),
    "eigh of infinite corners": (lambda tf, a: tf.linalg.eigh(a), [CORNERS]),
    "eigh of one number": (lambda tf, a: tf.linalg.eigh(a), [np.array([[[INF]], [[NAN]]])]),
    "eigh of infinite numbers": (lambda tf, a: tf.linalg.eigh(a), [UNBOUNDED[:2]]),
    "solve": (lambda tf, a, b: tf.linalg.solve(a, b), [BATCH, COLUMNS]),
    "solve, adjoint": (lambda tf, a, b: tf.linalg.solve(a, b, adjoint=True), [Z, Z[:, :1] + 1]),
    "diagonals of booleans": (
        lambda tf, x: [
            tf.linalg.diag(x), tf.linalg.diag(x, k=1), tf.linalg.diag(x, padding_value=True),
            tf.linalg.diag_part(tf.linalg.diag(x)), tf.linalg.diag_part(x, k=(0, 1)),
        ],
        [np.array([[True, False], [False, True]])],
    ),
    "inv": (lambda tf, a: tf.linalg.inv(a), [BATCH]),
    "inv, adjoint": (lambda tf, a: tf.linalg.inv(a, adjoint=True), [Z]),
    "det": (lambda tf, a: tf.linalg.det(a), [BATCH]),
    "slogdet": (lambda tf, a: tf.linalg.slogdet(a), [-BATCH]),
    "slogdet of complex numbers": (lambda tf, a: tf.linalg.slogdet(a), [Z]),
    "logdet": (lambda tf, a: tf.linalg.logdet(a), [SYMMETRIC]),
    "logdet of complex numbers": (lambda tf, a: tf.linalg.logdet(a), [HERMITIAN]),
    "cholesky": (lambda tf, a: tf.linalg.cholesky(a), [SYMMETRIC]),
    "cholesky of complex numbers": (lambda tf, a: tf.linalg.cholesky(a), [HERMITIAN]),
    "cholesky_solve": (lambda tf, a, b: tf.linalg.cholesky_solve(a, b), [A, COLUMNS[0]]),
    "triangular_solve": (lambda tf, a, b: tf.linalg.triangular_solve(a, b), [A, COLUMNS]),
    "triangular_solve, upper": (
        lambda tf, a, b: tf.linalg.triangular_solve(a, b, lower=False, adjoint=True),
        [Z, Z[:, :1]],
    ),
    "lu": (lambda tf, a: tf.linalg.lu(a), [BATCH]),
    "lu_reconstruct": (lambda tf, a: tf.linalg.lu_reconstruct(*tf.linalg.lu(a)), [BATCH]),
    "lu_solve": (lambda tf, a, b: tf.linalg.lu_solve(*tf.linalg.lu(a), b), [BATCH, COLUMNS]),
    "lu_matrix_inverse": (lambda tf, a: tf.linalg.lu_matrix_inverse(*tf.linalg.lu(a)), [BATCH]),
    "qr": (lambda tf, a: tf.linalg.qr(a), [TALL]),
    "qr of wide matrices": (lambda tf, a: tf.linalg.qr(a), [TALL.T]),
    "qr, full": (lambda tf, a: tf.linalg.qr(a, full_matrices=True), [TALL]),
    "eigh": (lambda tf, a: tf.linalg.eigh(a)[0], [SYMMETRIC]),
    "eigvalsh": (lambda tf, a: tf.linalg.eigvalsh(a), [HERMITIAN]),
    "eig": (lambda tf, a: tf.sort(tf.reshape(tf.abs(tf.linalg.eig(a)[1]), [-1])), [A]),
    "eigvals": (lambda tf, a: tf.sort(tf.abs(tf.linalg.eigvals(a))), [A.astype(np.float32)]),
    "svd": (lambda tf, a: [tf.abs(one) for one in tf.linalg.svd(a)], [TALL]),
    "svd, values": (lambda tf, a: tf.linalg.svd(a, compute_uv=False), [BATCH]),
    "svd, full": (lambda tf, a: tf.linalg.svd(a, full_matrices=True)[0], [TALL.T]),
    "svd of complex numbers": (lambda tf, a: tf.linalg.svd(a)[0], [Z]),
    "lstsq": (lambda tf, a: least_squares(tf, a, [3, 2], l2_regularizer=0.5), [TALL]),
    "lstsq of wide matrices": (lambda tf, a: least_squares(tf, a, [2, 3]), [TALL.T]),
    "lstsq, slow": (lambda tf, a: tf.linalg.lstsq(a, a[:, :1] + 1.0, fast=False), [TALL]),
    "pinv": (lambda tf, a: tf.linalg.pinv(a), [TALL]),
    "matrix_rank": (lambda tf, a: tf.linalg.matrix_rank(a), [np.stack([A, U.T @ V])]),
    "expm": (lambda tf, a: tf.linalg.expm(a), [BATCH]),
    "expm of single precision": (lambda tf, a: tf.linalg.expm(a), [A.astype(np.float32) / 4]),
    "sqrtm": (lambda tf, a: tf.linalg.sqrtm(a), [SYMMETRIC]),
    "logm": (lambda tf, a: tf.linalg.logm(a), [Z]),
    "cross": (lambda tf, a, b: tf.linalg.cross(a, b), [U, V]),
    "tensor_diag": (lambda tf, a: tf.linalg.tensor_diag(a), [U]),
    "tensor_diag_part": (lambda tf, a: tf.linalg.tensor_diag_part(a), [A]),
    "norm 2 of matrices": (lambda tf, a: tf.norm(a, 2, [0, 1]), [TALL]),
}  # fmt: skip

CALLS |= {
    "gradient of solve": (
        gradient(lambda tf, a, b: tf.linalg.solve(a, b) ** 2), [BATCH, COLUMNS],
    ),
    "gradient of solve, adjoint": (
        both_parts(lambda tf, a: tf.linalg.solve(a, a[:, :1] + 1, adjoint=True)), [Z],
    ),
    "gradient of inv": (gradient(lambda tf, a: tf.linalg.inv(a) * WEIGHTS), [A]),
    "gradient of inv, adjoint": (both_parts(lambda tf, a: tf.linalg.inv(a, adjoint=True)), [Z]),
    "gradient of det": (gradient(lambda tf, a: tf.linalg.det(a)), [BATCH]),
    "gradient of slogdet": (gradient(lambda tf, a: tf.linalg.slogdet(a)[1]), [BATCH]),
    "gradient of logdet": (gradient(lambda tf, a: tf.linalg.logdet(a)), [SYMMETRIC]),
    "gradient of cholesky": (
        gradient(lambda tf, a: tf.linalg.cholesky(a) * WEIGHTS), [SYMMETRIC],
    ),
    "gradient of cholesky of complex numbers": (
        both_parts(lambda tf, a: tf.linalg.cholesky(a)), [HERMITIAN],
    ),
    "gradient of triangular_solve": (
        gradient(lambda tf, a, b: tf.linalg.triangular_solve(a, b) ** 2), [A, COLUMNS],
    ),
    "gradient of triangular_solve, upper": (
        both_parts(lambda tf, a: tf.linalg.triangular_solve(a, a + 1, lower=False, adjoint=True)),
        [Z],
    ),
    "gradient of qr": (
        gradient(lambda tf, a: powers(tf, "qr", a)), [TALL],
    ),
    "gradient of qr of wide matrices": (
        gradient(lambda tf, a: powers(tf, "qr", a)), [TALL.T],
    ),
    "gradient of qr of complex numbers": (
        both_parts(lambda tf, a: tf.linalg.qr(a)[0] * WEIGHTS + tf.linalg.qr(a)[1]), [Z],
    ),
    "gradient of eigh": (
        gradient(lambda tf, a: powers(tf, "eigh", a)), [SYMMETRIC],
    ),
    "gradient of eigh of complex numbers": (
        gradient(lambda tf, a: projector(tf, tf.linalg.eigh(a)[1])), [HERMITIAN],
    ),
    "gradient of eigvalsh": (gradient(lambda tf, a: tf.linalg.eigvalsh(a) ** 2), [SYMMETRIC]),
    "gradient of eig": (
        gradient(lambda tf, a: powers(tf, "eig", a)), [A],
    ),
    "gradient of svd": (
        gradient(lambda tf, a: powers(tf, "svd", a)), [TALL],
    ),
    "gradient of svd of wide matrices": (
        gradient(lambda tf, a: sum(projector(tf, one) for one in tf.linalg.svd(a)[1:])), [TALL.T],
    ),
    "gradient of svd of complex numbers": (
        gradient(lambda tf, a: sum(projector(tf, one) for one in tf.linalg.svd(a)[1:])), [Z],
    ),
    "gradient of singular values": (
        gradient(lambda tf, a: tf.linalg.svd(a, compute_uv=False) ** 2), [TALL],
    ),
    "gradient of lstsq": (
        gradient(lambda tf, a: least_squares(tf, a, [3, 2], l2_regularizer=0.5)), [TALL],
    ),
    "gradient of pinv": (gradient(lambda tf, a: tf.linalg.pinv(a) ** 2), [TALL]),
    "gradient of expm": (gradient(lambda tf, a: tf.linalg.expm(a / 3.0) * WEIGHTS), [A]),
    "gradient of sqrtm": (gradient(lambda tf, a: tf.linalg.sqrtm(a) * WEIGHTS), [SYMMETRIC]),
    "gradient of cross": (gradient(lambda tf, a, b: tf.linalg.cross(a, b) ** 2), [U, V]),
    "gradient of tensor_diag": (gradient(lambda tf, a: tf.linalg.tensor_diag(a) ** 3), [U]),
}  # fmt: skip
