"""LAPACK's work in native code: evaluated and in machine code, both compared with NumPy's."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.evaluate import storage
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.loops.text import function_text
from tensormill.compiler.loops.verify import verify_function
from tensormill.compiler.native import lapack, library, shared
from tests.compiler.native.functions import Evaluated

DRAWN = np.random.default_rng(7)
each_dtype = pytest.mark.parametrize("short", ["f64", "c64"])
CTYPES = {"i64": ctypes.c_int64, "ptr": ctypes.c_void_p}


def drawn(short: str, *shape: int) -> Any:
    real, imaginary = DRAWN.normal(size=(2, *shape))
    return (real + 1j * imaginary if short.startswith("c") else real).astype(storage(short))


def runs(name: str) -> list[Any]:
    """The function of this name, run both ways."""
    evaluated = Evaluated(tuple(lapack.functions(name)))
    types = [CTYPES["i64"], *[CTYPES[one] for one in library.SIGNATURES[name].parameters]]
    native = ctypes.CFUNCTYPE(*types)(shared.address(name))

    def slowly(*given: Any) -> int:
        rooms = [evaluated.room(one) if isinstance(one, np.ndarray) else one for one in given]
        return evaluated(name, *rooms)

    def quickly(*given: Any) -> int:
        return native(*[one.ctypes.data if isinstance(one, np.ndarray) else one for one in given])

    return [slowly, quickly]


def test_functions_make_sense_and_are_read_back() -> None:
    for name in lapack.sources():
        function = verify_function(library.function(name), library.SIGNATURES)

        assert function_text(parse_function(function_text(function))) == function_text(function)


@pytest.mark.sampled(among="functions of LAPACK")
@each_dtype
def test_factors_are_numpys(short: str) -> None:
    x, tolerance = drawn(short, 2, 4, 3), 1e-4 if short in ("f32", "c64") else 1e-11
    for run in runs(f"tm_lapack_qr_{short}"):
        q, r = np.empty((2, 4, 4), x.dtype), np.empty((2, 4, 3), x.dtype)
        assert run(x, q, r, 2, 4, 3, 4) == 0
        np.testing.assert_allclose(q @ r, x, tolerance, tolerance)
        np.testing.assert_allclose(q, np.linalg.qr(x, "complete")[0], tolerance, tolerance)
    for run in runs(f"tm_lapack_svd_{short}"):
        values = np.empty((2, 3), x.real.dtype)
        u, v = np.empty((2, 4, 3), x.dtype), np.empty((2, 3, 3), x.dtype)
        assert run(x, values, u, v, 2, 4, 3, 3, 3, 1) == 0
        found = (u * values[:, None, :]) @ v.conj().mT
        np.testing.assert_allclose(found, x, tolerance, tolerance)
        np.testing.assert_allclose(values, np.linalg.svd(x)[1], tolerance, tolerance)


@pytest.mark.sampled(among="functions of LAPACK")
@each_dtype
def test_square_matrices_are_solved_as_by_numpy(short: str) -> None:
    x, y = drawn(short, 2, 3, 3), drawn(short, 2, 3, 2)
    tolerance = 1e-3 if short in ("f32", "c64") else 1e-10
    for run in runs(f"tm_lapack_solve_{short}"):
        found = np.empty_like(y)
        assert run(x, y, found, 2, 3, 2, 1, 1) == 0
        np.testing.assert_allclose(x.conj().mT @ found, y, tolerance, tolerance)
    for run in runs(f"tm_lapack_lu_{short}"):
        packed, order = x.copy(), np.empty((2, 3), np.int64)
        assert run(packed, order, 2, 3) == 0
        product = (np.tril(packed, -1) + np.eye(3)) @ np.triu(packed)
        permuted = np.take_along_axis(x, order[..., None], 1)
        np.testing.assert_allclose(product, permuted, tolerance, tolerance)
    for run in runs(f"tm_lapack_slogdet_{short}"):
        turns, logarithms = np.empty(2, x.dtype), np.empty(2, x.real.dtype)
        assert run(x, turns, logarithms, 2, 3) == 0
        np.testing.assert_allclose(turns * np.exp(logarithms), np.linalg.det(x), tolerance)


SQUARE = tf.TensorSpec([None, None], tf.float64)
BAD = {
    "singular": np.ones((3, 3)),
    "no number": np.full((3, 3), np.nan),
    "no number later": np.array([[1.0, np.nan], [2.0, 1.0]]),
    "infinite": np.array([[1.0, 2.0], [np.inf, 1.0]]),
    "negative": -np.eye(3),
    "of no rows": np.eye(0),
}


@pytest.mark.sampled(among="functions of LAPACK")
@pytest.mark.parametrize("name", ["cholesky", "eigh", "inv", "lu", "qr", "slogdet", "svd"])
def test_bad_matrices_of_any_size_are_treated_as_eagerly(name: str) -> None:
    function = getattr(tf.linalg, name)
    native = tf.function(function, input_signature=[SQUARE])
    for x in BAD.values():
        try:
            expected = tf.nest.flatten(function(x))
        except tf.errors.InvalidArgumentError:
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"invertible|not successful"):
                native(x)
            continue
        for found, wanted in zip(tf.nest.flatten(native(x)), expected, strict=True):
            np.testing.assert_allclose(found, wanted, 1e-9, 1e-9)
    if name not in ("qr", "svd"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be square"):
            native(np.ones((2, 3)))
    assert "in Python" not in str(native.report())


@pytest.mark.sampled(among="functions of LAPACK")
def test_large_matrices_are_factored_by_blocks() -> None:
    x = DRAWN.normal(size=(2, 150, 90))
    q, r = tf.function(tf.linalg.qr)(x)
    values, u, v = tf.function(tf.linalg.svd)(x)
    packed, order = tf.function(tf.linalg.lu)(x[:, :90])
    product = (np.tril(packed, -1) + np.eye(90)) @ np.triu(packed)

    np.testing.assert_allclose(q @ r, x, 1e-9, 1e-9)
    np.testing.assert_allclose(tf.matmul(u * values[:, None], v, adjoint_b=True), x, 1e-9, 1e-9)
    np.testing.assert_allclose(
        product, np.take_along_axis(x[:, :90], order.numpy()[..., None], 1), 1e-9, 1e-9
    )


@pytest.mark.sampled(among="functions of LAPACK")
@pytest.mark.parametrize("short", ["f32", "c64"])
def test_vectors_have_the_signs_of_eager_ones(short: str) -> None:
    x = drawn(short, 40, 20)
    square = x.conj().T @ x

    found = tf.function(lambda x, y: [*tf.linalg.svd(x), *tf.linalg.eigh(y)])(x, square)

    for one, expected in zip(found, [*tf.linalg.svd(x), *tf.linalg.eigh(square)], strict=True):
        np.testing.assert_allclose(one, expected, rtol=1e-4, atol=2e-3)


@pytest.mark.parametrize("short", ["f32", "f64"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (4, 4), (2, 7), (16, 4), (17, 3), (1, 3)])
def test_few_singular_values_are_those_of_large_matrices(short: str, shape: Any) -> None:
    x = drawn(short, 40, *shape)
    x[10:14] *= np.finfo(x.dtype).max / 16  # products of these are infinite, those of the next 0
    x[14:18] *= np.finfo(x.dtype).tiny
    x[18:20], x[20:22, 0], x[22:24] = 0, x[20:22, -1], np.eye(*shape)
    x[24:26] = np.round(x[24:26])
    values, u, v = (one.numpy() for one in tf.function(tf.linalg.svd)(tf.constant(x)))

    scale = np.maximum(np.abs(x).max((1, 2)), np.finfo(x.dtype).tiny).astype(np.float64)
    tolerance = 60 * np.finfo(x.dtype).eps
    parts = (x.astype(np.float64) / scale[:, None, None]), values / scale[:, None]
    np.testing.assert_allclose((u * parts[1][:, None, :]) @ v.mT, parts[0], 0, tolerance)
    np.testing.assert_allclose(np.linalg.svd(parts[0])[1], parts[1], 0, tolerance)
    for one in (u, v):
        right_angles = np.broadcast_to(np.eye(one.shape[-1]), (40, *[one.shape[-1]] * 2))
        np.testing.assert_allclose(one.mT @ one, right_angles, 0, tolerance)
    alone = tf.function(lambda x: tf.linalg.svd(x, compute_uv=False))(tf.constant(x))
    np.testing.assert_allclose(alone / scale[:, None], parts[1], 0, tolerance)


@pytest.mark.sampled(among="functions of LAPACK")
@each_dtype
@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (3, 3), (0, 2), (2, 0)])
def test_shortest_solutions_are_numpys(short: str, shape: tuple[int, int]) -> None:
    (m, n), tolerance = shape, 1e-4 if short in ("f32", "c64") else 1e-11
    a, b = drawn(short, 3, m, n), drawn(short, 3, m, 2)
    if m and n:
        a[1, :, -1] = a[1, :, 0]
        b[2, 0, 1] = np.nan
    expected = np.stack(
        [np.linalg.lstsq(*pair, rcond=None)[0] for pair in zip(a[:2], b[:2], strict=True)]
    )

    for run in runs(f"tm_lapack_lstsq_{short}"):
        found = np.empty((3, n, 2), a.dtype)
        assert run(a, b, found, 3, m, n, 2) == 0
        np.testing.assert_allclose(found[:2], expected, tolerance, tolerance)
        if m and n:
            np.testing.assert_array_equal([[False, True]] * n, np.isnan(found[2]))


@pytest.mark.parametrize("known", [True, False])
def test_least_squares_of_any_rank_need_no_python(known: bool) -> None:
    a, b = drawn("f64", 2, 5, 3), drawn("f64", 2, 5, 1)
    a[0, :, 2] = a[0, :, 1]
    a[1, 4, 2] = np.inf
    specs = [tf.TensorSpec(one.shape if known else [None] * 3, one.dtype) for one in (a, b)]
    solve = tf.function(lambda a, b: tf.linalg.lstsq(a, b, fast=False), input_signature=specs)

    np.testing.assert_allclose(tf.linalg.lstsq(a, b, fast=False), solve(a, b), 1e-10, 1e-12)
    assert solve.report().callbacks == ()
