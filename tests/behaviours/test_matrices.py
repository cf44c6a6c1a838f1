"""Matrices that hold NaN, have no factor, or sizes that only the run tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf

NAN = np.nan
GOOD = np.array([[2, 1], [1, 3]], np.float32)
FIRST = np.array([[NAN, 1], [1, 2]], np.float32)
INNER = np.array([[4, 1, 2], [1, NAN, 3], [2, 3, 7]], np.float32)
BOTH = np.stack([GOOD, FIRST])
SINGULAR = np.array([[1, 2], [2, 4]], np.float32)


def unsized(call: Callable[..., Any]) -> Callable[..., Any]:
    """A function that knows ranks only."""

    def run(*arrays: Any) -> Any:
        specs = [tf.TensorSpec([None] * np.ndim(one), one.dtype) for one in arrays]
        return tf.function(call, specs, autograph=False)(*arrays)

    return run


modes = pytest.mark.parametrize(
    "mode", [lambda f: f, tf.function, unsized], ids=["eager", "sized", "unsized"]
)
INVERTING: dict[str, Callable[[Any], Any]] = {
    "inv": tf.linalg.inv,
    "solve": lambda x: tf.linalg.solve(x, tf.ones_like(x)),
    "lu": lambda x: tf.linalg.lu(x)[0],
}


@pytest.mark.sampled
@behaviour("T1")
@modes
@pytest.mark.parametrize("name", INVERTING)
def test_elimination_cannot_begin_with_nan(mode: Any, name: str):
    for x in (FIRST, BOTH, FIRST[:1, :1]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
            mode(INVERTING[name])(x)


@behaviour("T1")
@modes
@pytest.mark.parametrize("name", ["inv", "solve"])
def test_nan_elsewhere_spreads(mode: Any, name: str):
    found = mode(INVERTING[name])(np.stack([np.eye(3, dtype=np.float32), INNER])).numpy()

    assert np.isnan(found).all((-2, -1)).tolist() == [False, True]


@behaviour("T1")
@modes
def test_nan_is_no_pivot_but_the_first(mode: Any):
    lu, order = mode(tf.linalg.lu)(np.array([[2, 1], [NAN, 3]], np.float32))

    assert order.numpy().tolist() == [0, 1]
    np.testing.assert_array_equal(lu, [[2, 1], [NAN, NAN]])


@behaviour("T1")
@modes
def test_a_determinant_of_nan_has_no_sign(mode: Any):
    sign, logarithm = mode(tf.linalg.slogdet)(BOTH)

    np.testing.assert_array_equal(sign, [1, NAN])
    np.testing.assert_allclose(logarithm, [np.log(5), NAN], 1e-6)


@behaviour("T1")
@modes
@pytest.mark.parametrize("bad", [FIRST, np.array([[1, 2], [2, 1]], np.float32), -GOOD])
def test_a_factor_that_does_not_exist_is_nan_in_its_triangle(mode: Any, bad: Any):
    found = mode(tf.linalg.cholesky)(np.stack([bad, GOOD])).numpy()

    assert np.isnan(found[0][np.tril_indices(2)]).all()  # above, TensorFlow leaves anything
    np.testing.assert_allclose(found[1] @ found[1].T, GOOD, 1e-6)


@behaviour("T1")
@modes
def test_only_the_lower_triangle_counts(mode: Any):
    x = np.array([[2, NAN], [1, 3]], np.float32)

    np.testing.assert_allclose(mode(tf.linalg.eigvalsh)(x), [1.381966, 3.618034], 1e-5)
    np.testing.assert_allclose(mode(tf.linalg.cholesky)(x)[1, 1], np.sqrt(2.5), 1e-6)


@behaviour("T1")
@modes
def test_an_infinite_matrix_has_eigenvalues_that_are_nan(mode: Any):
    x = np.array([[np.inf, 1], [1, 2]], np.float32)

    assert np.isnan(mode(tf.linalg.eigvalsh)(x)).all()


@behaviour("T1")
@modes
def test_good_matrices_keep_their_factors_beside_bad_ones(mode: Any):
    s, u, v = mode(tf.linalg.svd)(BOTH)

    np.testing.assert_allclose((u * s[:, None, :] @ tf.transpose(v, [0, 2, 1]))[0], GOOD, 1e-5)
    assert np.isnan(s[1]).all()
    np.testing.assert_allclose(mode(tf.linalg.pinv)(BOTH)[0] @ GOOD, np.eye(2), atol=1e-5)


@behaviour("T1")
@modes
def test_roots_and_logarithms_that_do_not_exist_are_nan(mode: Any):
    assert np.isnan(mode(tf.linalg.sqrtm)(np.array([[1, 2], [2, 1]], np.float32))).all()
    assert np.isnan(mode(tf.linalg.sqrtm)(INNER)).all()
    assert np.isnan(mode(tf.linalg.logm)(SINGULAR.astype(np.complex64))).all()
    assert mode(tf.linalg.logm)(np.zeros((0, 0), np.complex64)).shape == (0, 0)


@behaviour("T1")
@modes
def test_nobody_is_warned_of_the_rounding_of_logarithms(mode: Any):
    symmetric = np.array([[6.3, 0.1, 1.3], [0.1, 12.6, 3.4], [1.3, 3.4, 4.7]], np.complex64)

    found = mode(tf.linalg.logm)(symmetric)

    values, vectors = np.linalg.eigh(symmetric.astype(np.complex128))
    wanted = (vectors * np.log(values)) @ vectors.conj().T
    assert np.complex64 == found.dtype.as_numpy_dtype
    np.testing.assert_allclose(wanted, found, atol=1e-5)


@behaviour("T1")
@differs("NaN")
@pytest.mark.filterwarnings("ignore")  # SciPy warns of singular matrices
@modes
def test_zeros_have_a_root(mode: Any):
    assert mode(tf.linalg.sqrtm)(np.zeros((2, 2), np.float32)).numpy().tolist() == [[0, 0], [0, 0]]


@pytest.mark.sampled
@behaviour("T1")
@modes
@pytest.mark.parametrize(
    ("matrices", "right"), [((3,), ()), ((), (3,)), ((3, 1), (1, 4)), ((1,), (3,))]
)
def test_lu_solve_broadcasts(mode: Any, matrices: Any, right: Any):
    a = np.random.default_rng(1).random((*matrices, 2, 2)) + 2 * np.eye(2)
    b = np.random.default_rng(2).random((*right, 2, 1))
    solve = mode(lambda a, b: tf.linalg.lu_solve(*tf.linalg.lu(a), b))

    np.testing.assert_allclose(solve(a, b), np.linalg.inv(a) @ b, 1e-9)


@pytest.mark.sampled
@behaviour("T1")
@pytest.mark.parametrize("weight", [0.0, 0.5])
@pytest.mark.parametrize("shape", [(5, 2), (2, 5), (3, 3), (4, 3, 2)])
def test_least_squares_of_any_sizes(shape: Any, weight: float):
    a = np.random.default_rng(1).random(shape)
    b = np.random.default_rng(2).random((*shape[:-1], 2))

    def solved(a: Any, b: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            x = tf.linalg.lstsq(a, b, weight)
        return [x, *tape.gradient(x, [a, b])]

    wanted = solved(tf.constant(a), tf.constant(b))
    for one, found in zip(wanted, unsized(solved)(a, b), strict=True):
        np.testing.assert_allclose(found, one, 1e-6, 1e-9)
