"""Reductions of many elements run natively, along as few axes as say the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler import eager_operations
from tensormill.core.native_operations import SOME, joined_axes
from tensormill.ops.families import LONG_CHAIN, known_axes
from tests import native_calls

random = np.random.default_rng(0)
SHAPES = [
    ((SOME,), (0,)),
    ((SOME // 4, 5), (1,)),
    ((SOME // 4, 5), (0,)),
    ((SOME // 2, 3), (1,)),
    ((20, 100, 3), (1,)),
    ((SOME // 4, 1, 5), (0, 1)),
    ((20, 3, 5, 4, 7), (1, 2)),
    ((20, 3, 5, 4, 7), (0, 3, 4)),
    ((20, 3, 5, 4, 7), (-4, -2, 0)),
    ((20, 3, 5, 4, 7), (0, 1, 2, 3, 4)),
]
FUNCTIONS = {
    "reduce_sum": "float32 float64 bfloat16 int32 complex64",
    "reduce_mean": "float32 float16 int8 complex64",
    "reduce_prod": "float64 int64",
    "reduce_max": "float32 bfloat16 uint8",
    "reduce_min": "float64 int32",
    "reduce_any": "bool",
    "reduce_all": "bool",
    "reduce_euclidean_norm": "float32 int32 complex128",
}
CASES = [(name, dtype) for name, dtypes in FUNCTIONS.items() for dtype in dtypes.split()]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the operations that native code ran, in order."""
    return native_calls.noted(monkeypatch)


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "dtype"), CASES)
@pytest.mark.parametrize("keepdims", [False, True])
def test_many_elements_are_reduced_as_few_are(
    name: str, dtype: str, keepdims: bool, taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    function = getattr(tf.math, name)
    found, expected = list[Any](), list[Any]()
    for shape, axes in SHAPES:
        x = tf.cast(tf.constant(random.uniform(0.95, 2, shape)), "float64")
        x = tf.cast(x > 1.0 if dtype == "bool" else x * (1 if "prod" in name else 3), dtype)
        taken.clear()
        found.append(function(x, axes, keepdims))
        assert len(taken) == 1
        with monkeypatch.context() as patched:
            native_calls.end(patched)
            expected.append(function(x, axes, keepdims))

    tolerance = {"float32": 1e-5, "complex64": 1e-5, "float64": 1e-12, "complex128": 1e-12}
    for one, other in zip(expected, found, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        rtol = 1e-2 if one.dtype.name.endswith("float16") else tolerance.get(one.dtype.name, 0)
        np.testing.assert_allclose(other.numpy(), one.numpy(), rtol)


@pytest.mark.parametrize("dtype", "float32 float64 bfloat16 int8 bool".split())
@pytest.mark.parametrize("find", [tf.argmax, tf.argmin])
def test_extrema_among_many_elements_are_where_kernels_find_them(
    find: Any, dtype: str, taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for shape, (axis, *others) in SHAPES:
        if others:
            continue
        x = random.integers(0, 9, shape).astype("float32")
        x[random.uniform(0, 1, shape) < 0.1] = np.nan if dtype != "bool" else 0
        x = tf.cast(x, dtype)
        taken.clear()
        found = [find(x, one, output_type="int32") for one in (axis, axis - x.ndim)]
        assert len(taken) == 2
        with monkeypatch.context() as patched:
            native_calls.end(patched)
            expected = find(x, axis, output_type="int32")

        for one in found:
            assert (expected.dtype, expected.shape) == (one.dtype, one.shape)
            np.testing.assert_array_equal(expected, one)


def test_axes_that_are_not_there_are_told_of_many_elements() -> None:
    for axis in (2, -3):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Expected dimension in the range"):
            tf.argmax(tf.ones([2, SOME]), axis)


def test_code_knows_how_long_short_rows_are() -> None:
    for sizes, gone in [((5000, 3), [0]), ((20, 100, 8), [1]), ((5000, 4), [1])]:
        assert known_axes(sizes, gone) == {"input": slice(-1, None)}
    for sizes, gone in [((20, 100, 9), [1]), ((5000, 5), [1]), ((5000,), [0])]:
        assert known_axes(sizes, gone) == {}


@pytest.mark.parametrize("axes", [(0, 0), (0, -2), (2,), (-3,)])
def test_mistakes_in_axes_are_told_by_the_kernel(axes: tuple[int, ...], taken: list[str]) -> None:
    few, many = tf.ones([2, 3]), tf.ones([2, SOME])
    with pytest.raises(tf.errors.InvalidArgumentError) as told:
        tf.reduce_sum(few, axes)
    with pytest.raises(tf.errors.InvalidArgumentError) as found:
        tf.reduce_sum(many, axes)

    assert str(told.value) == str(found.value)
    assert taken == []


def test_long_rows_are_left_to_sums_of_parts(taken: list[str]) -> None:
    x = tf.ones([2, LONG_CHAIN + 1])

    tf.reduce_sum(x, 1)
    assert taken == []

    tf.reduce_max(x, 1)
    tf.reduce_sum(x[:, 1:], 1)
    tf.reduce_sum(x)
    assert taken == ["Max", "Sum", "Sum"]


def test_all_ranks_share_code(taken: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made, compiled = list[Any](), eager_operations.compiled
    monkeypatch.setattr(
        eager_operations, "compiled", lambda *its: made.append(its) or compiled(*its)
    )
    for shape, axes in (((64, 64), 0), ((64, 8, 8), 0), ((8, 8, 1, 64), (0, 1))):
        tf.reduce_sum(tf.ones(shape), axes)

    assert (3, 1) == (len(taken), len(made))


def test_neighbouring_axes_that_go_together_are_one() -> None:
    assert ([6, 20], [1]) == joined_axes((2, 3, 4, 1, 5), (2, 4))
    assert ([2, 3, 20], [0, 2]) == joined_axes((2, 3, 4, 5), (0, 2, 3))
    assert ([7], [0]) == joined_axes((1, 7, 1), (0, 1))
    assert ([7], []) == joined_axes((1, 7, 1), (0,))


@pytest.mark.parametrize("count", [1, 3, 20])
def test_kernels_hand_large_operands_to_native_code(count: int, taken: list[str]) -> None:
    """However often they were called: from some calls on they are written out."""
    few = [tf.math.erf(tf.ones([3])).numpy() for _ in range(count)]
    assert taken == []

    many = tf.math.erf(tf.ones([SOME]))

    assert taken == ["Erf"]
    np.testing.assert_allclose(many.numpy(), few[0][0], 1e-6)


@pytest.mark.sampled
@pytest.mark.parametrize("count", [1, 3, 7])
def test_means_of_complex_numbers_are_means_of_their_parts(count: int) -> None:
    real, imaginary = random.integers(-9, 9, (2, 5, count)).astype(np.float32)
    x = (real + 1j * imaginary).astype("c8")

    found = tf.reduce_mean(x, 1)

    np.testing.assert_array_equal(tf.math.real(found), tf.reduce_mean(real, 1))
    np.testing.assert_array_equal(tf.math.imag(found), tf.reduce_mean(imaginary, 1))
