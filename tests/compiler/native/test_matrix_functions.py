"""Square roots and logarithms of matrices in native code: what SciPy says of each, and inverses."""

from __future__ import annotations

import warnings
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.ops.linalg.matrix_functions import (
    MatrixExponential,
    MatrixLogarithm,
    MatrixSquareRoot,
)
from tests.compiler.native.test_lapack import runs

KINDS = ("any", "symmetric", "triangle", "rotation", "identity nearly", "zero", "not finite")


def drawn(kind: str, dtype: str, shape: tuple[int, ...], seed: int) -> Any:
    random = np.random.default_rng(seed)
    x = random.normal(size=shape)
    if "c" in dtype:
        x = x + 1j * random.normal(size=shape)
    size = np.eye(shape[-1])
    match kind:
        case "symmetric":
            x = x @ np.conj(np.swapaxes(x, -1, -2)) + 0.1 * size
        case "triangle":
            x = np.triu(x) + 2 * size
        case "rotation":
            x = np.linalg.qr(x)[0] + 0.1 * size
        case "identity nearly":
            x = size + 1e-3 * x
        case "zero":
            x = 0 * x
        case "not finite":
            x[..., 0, -1] = np.inf
    return x.astype(dtype)


def assert_alike(found: Any, expected: Any, dtype: str) -> None:
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    size = np.nanmax(np.abs(expected), initial=1.0)
    tolerance = 2e-4 if dtype in ("f4", "c8") else 1e-9
    np.testing.assert_allclose(found, expected, tolerance, tolerance * size)


@given(
    st.sampled_from(KINDS), st.sampled_from(["f4", "f8", "c8", "c16"]), st.integers(0, 3),
    st.integers(0, 9), st.integers(0, 999),
)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_functions_of_matrices_are_scipys(
    kind: str, dtype: str, batch: int, size: int, seed: int
) -> None:
    shape = batch, size, size
    x = drawn(kind, dtype, shape, seed) if batch * size else np.zeros(shape, dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_alike(tf.linalg.sqrtm(x), MatrixSquareRoot(x).eager(np), dtype)
        if "c" in dtype:
            assert_alike(tf.linalg.logm(x), MatrixLogarithm(x).eager(np), dtype)


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-3, 1.0])
def test_logarithms_are_exact_where_eigenvalues_are_close(gap: float) -> None:
    x = np.array([[0.5 + 0.5j, 3.0], [0.0, 0.5 + 0.5j + gap]])
    with mpmath.workdps(50):
        exact = np.array(mpmath.logm(mpmath.matrix(x)).tolist(), complex) if gap else (
            np.array([[np.log(x[0, 0]), 3.0 / x[0, 0]], [0.0, np.log(x[0, 0])]])
        )  # fmt: skip

    np.testing.assert_allclose(tf.linalg.logm(x), exact, 1e-14, 1e-15)


def test_eigenvalues_on_both_sides_of_the_cut_keep_their_turns() -> None:
    x = np.array([[-1.0 + 1e-3j, 1.0], [0.0, -1.0 - 1e-3j]])

    np.testing.assert_allclose(tf.linalg.expm(tf.linalg.logm(x)), x, 1e-12, 1e-12)


@pytest.mark.parametrize("short", ["f64", "c128"])
def test_steps_and_machine_code_agree(short: str) -> None:
    dtype = {"f64": "f8", "c128": "c16"}[short]
    for name in ("expm", "sqrtm", "logm")[: 2 + (short == "c128")]:
        slowly, quickly = runs(f"tm_lapack_{name}_{short}")
        for kind in ("any", "symmetric", "zero", "not finite"):
            x = drawn(kind, dtype, (2, 3, 3), 5)
            expected, found = (np.empty_like(x) for _ in range(2))
            assert slowly(x, expected, 2, 3) == quickly(x, found, 2, 3) == 0
            assert_alike(found, expected, dtype)


def test_compiled_functions_need_no_python_for_them() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, None, None], tf.complex64)])
    def both(x: Any) -> Any:
        return tf.linalg.sqrtm(x), tf.linalg.logm(x), tf.linalg.expm(x)

    both(tf.eye(3, batch_shape=[2], dtype=tf.complex64))

    assert both.report().callbacks == ()


@given(
    st.sampled_from(KINDS), st.sampled_from(["f4", "f8", "c8", "c16"]), st.integers(0, 3),
    st.sampled_from([0, 1, 2, 3, 7, 8, 9, 33]), st.sampled_from([1e-9, 0.1, 1.0, 8.0]),
    st.integers(0, 999),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_exponentials_are_those_of_the_kernel(
    kind: str, dtype: str, batch: int, size: int, scale: float, seed: int
) -> None:
    shape = batch, size, size
    x = drawn(kind, dtype, shape, seed) if batch * size else np.zeros(shape, dtype)
    with np.errstate(invalid="ignore"):  # complex infinities
        x = (x * (scale / max(1, size))).astype(dtype)

    assert_alike(exponential(x), MatrixExponential(x).eager(np), dtype)


@tf.function(reduce_retracing=True)
def exponential(x: Any) -> Any:
    return tf.linalg.expm(x)


IN_BOTH_WAYS = pytest.mark.parametrize("expm", [exponential, tf.linalg.expm], ids=["fn", "eager"])


@IN_BOTH_WAYS
def test_exponentials_of_each_matrix_are_scaled_by_themselves(expm: Any) -> None:
    small, large = np.array([[0.0, 1e-3], [-1e-3, 0.0]]), np.diag([-700.0, 700.0])

    found = expm(np.stack([small, large])).numpy()

    turn = np.array([[np.cos(1e-3), np.sin(1e-3)], [-np.sin(1e-3), np.cos(1e-3)]])
    np.testing.assert_allclose(found[0], turn, 1e-15, 1e-18)
    np.testing.assert_allclose(found[1], np.diag(np.exp([-700.0, 700.0])), 1e-11)


@IN_BOTH_WAYS
def test_what_is_too_large_is_infinite_or_nothing(expm: Any) -> None:
    for large in (1e200, 1.7e308):
        assert np.isinf(expm(np.full((2, 2), large))).all()
    assert expm(np.diag([-1e300, -1e308])).numpy().tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_triangles_keep_eigenvalues_far_from_each_other(dtype: str) -> None:
    least, most = (1e-300, 1e300) if dtype == "c16" else (1e-37, 1e37)
    x = np.array([[least, 0.5], [0.0, most]], dtype)

    found = tf.linalg.logm(x).numpy()

    corner = 0.5 * (np.log(most) - np.log(least)) / most
    expected = [[np.log(least), corner], [0.0, np.log(most)]]
    np.testing.assert_allclose(found, expected, 1e-6 if dtype == "c8" else 1e-14)
    roots = tf.linalg.sqrtm(np.diag([least, most]).astype(dtype)).numpy()
    np.testing.assert_allclose(roots, np.diag([least, most]) ** 0.5, 1e-6)
