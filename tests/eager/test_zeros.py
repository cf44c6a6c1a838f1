"""The sign of zeros is TensorFlow's, however many there are and whoever computes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

HALVES = ("float16", "bfloat16")
DTYPES = (*HALVES, "float32", "float64")
MANY = 1 << 15  # native code serves so many
PAIRS = [-0.0, -0.0, 0.0, 0.0], [-0.0, 0.0, -0.0, 0.0]
FIRST, SECOND = [1, 1, 0, 0], [1, 0, 1, 0]  # of the pairs: is there a minus?
OF_TWO = {"xlogy": tf.math.xlogy, "xlog1py": tf.math.xlog1py, "xdivy": tf.math.xdivy}
EXTREMES = {"maximum": tf.maximum, "minimum": tf.minimum}
# Of a zero with a minus and one without: is there a minus in half floats, and in wider ones?
OF_ONE = {
    "relu": (tf.nn.relu, [1, 0], [0, 0]),
    "relu6": (tf.nn.relu6, [1, 0], [0, 0]),
    "clip": (lambda x: tf.clip_by_value(x, tf.zeros([], x.dtype), 1), [1, 0], [0, 0]),
    "zero or more": (lambda x: tf.maximum(tf.zeros([], x.dtype), x), [0, 0], [1, 0]),
    "sign": (tf.sign, [0, 0], [0, 0]),
}


def minus_of(f: Any, dtype: str, *columns: list[float], count: int) -> list[int]:
    operands = [tf.cast(np.tile(np.array(one, np.float32), count), dtype) for one in columns]
    found = tf.cast(f(*operands), "float32").numpy().reshape(count, -1)

    assert not found.any()
    assert (np.signbit(found) == np.signbit(found[0])).all()
    return np.signbit(found[0]).astype(int).tolist()


@pytest.fixture(params=DTYPES)
def dtype(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=[1, MANY])
def count(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture(params=[lambda f: f, tf.function], ids=["eager", "staged"])
def run(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.mark.parametrize("name", [*EXTREMES])
def test_of_two_zeros_the_second_is_taken_and_of_half_floats_the_first(
    name: str, run: Any, count: int, dtype: str
):
    found = minus_of(run(EXTREMES[name]), dtype, *PAIRS, count=count)

    assert found == (FIRST if dtype in HALVES else SECOND)


@pytest.mark.parametrize("name", [*OF_TWO])
def test_a_factor_that_is_zero_stays_what_it_is(name: str, run: Any, count: int, dtype: str):
    assert minus_of(run(OF_TWO[name]), dtype, *PAIRS, count=count) == FIRST


@pytest.mark.parametrize("name", [*OF_ONE])
def test_zeros_have_one_sign_however_many(name: str, run: Any, count: int, dtype: str):
    f, of_halves, of_wide = OF_ONE[name]

    found = minus_of(run(f), dtype, [-0.0, 0.0], count=count)

    assert found == (of_halves if dtype in HALVES else of_wide)


def test_the_inverse_error_function_of_a_zero_has_no_sign():
    for count in (1, MANY):
        assert minus_of(tf.math.erfinv, "float32", [-0.0, 0.0], count=count) == [0, 0]
