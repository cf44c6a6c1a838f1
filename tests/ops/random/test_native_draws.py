"""Many random numbers are drawn by native code: the numbers of the slow way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core import native_operations
from tensormill.core.native_operations import MANY
from tensormill.ops.random import shuffling
from tensormill.ops.random.philox import WordStream
from tests import native_calls

Draw = Callable[[int], Any]

# Each with the names of what native code runs.
EXACT: dict[str, Draw] = {
    "floats": lambda n: tf.random.uniform([n], seed=1),
    "doubles": lambda n: tf.random.uniform([2, n], dtype=tf.float64, seed=1),
    "halves": lambda n: tf.random.uniform([n], dtype=tf.bfloat16, seed=1),
    "integers": lambda n: tf.random.uniform([n], -7, 1000, tf.int32, seed=1),
    "long integers": lambda n: tf.random.uniform([n, 1], -(2**62), 2**62, tf.int64, seed=1),
    "told by seeds": lambda n: tf.random.stateless_uniform([n], [-3, 2**31 - 1]),
    "of all values": lambda n: tf.random.stateless_uniform([n], [1, 2], None, None, tf.uint64),
    "of a generator": lambda n: tf.random.Generator.from_seed(2**40).uniform([n]),
    "orders": lambda n: tf.random.shuffle(tf.range(n), seed=5),
    "orders of rows": lambda n: tf.random.shuffle(tf.reshape(tf.range(2 * n), [n, 2]), seed=5),
}
CLOSE: dict[str, Draw] = {
    "normal": lambda n: tf.random.normal([n], seed=1),
    "normal doubles": lambda n: tf.random.stateless_normal([n], [1, 2], dtype=tf.float64),
    "truncated": lambda n: tf.random.truncated_normal([n], seed=1),
    "gamma": lambda n: tf.random.gamma([n // 16], [0.4, 3.0], seed=1),
    "Poisson": lambda n: tf.random.stateless_poisson([n // 16], [1, 2], 30.0),
    "binomial": lambda n: tf.random.Generator.from_seed(5).binomial([n // 16], 9.0, 0.7),
    "truncated doubles": lambda n: tf.random.truncated_normal([n], dtype=tf.float64, seed=1),
}


def twice(draw: Draw, count: int) -> list[Any]:
    """Two draws, of which the second goes on where the first has left the stream."""
    tf.random.set_seed(3)
    return [draw(count).numpy(), draw(5).numpy()]


@pytest.mark.sampled
@pytest.mark.parametrize("name", [*EXACT, *CLOSE])
def test_many_numbers_are_those_of_the_slow_way(name: str, monkeypatch: Any) -> None:
    draw = EXACT.get(name) or CLOSE[name]
    count = MANY + 3
    ran = native_calls.noted(monkeypatch)
    found = twice(draw, count)
    drawn = [one for one in ran if one != "Range"]  # what is shuffled
    assert len(drawn) == (2 if "orders" in name else 1)  # orders of few are native, too

    native_calls.end(monkeypatch)
    for expected, one in zip(twice(draw, count), found, strict=True):
        if name in EXACT:
            assert np.array_equal(expected, one)
        else:
            np.testing.assert_allclose(one, expected, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 6, 257, 5000])
def test_native_orders_are_those_of_python(count: int) -> None:
    start = (WordStream.of_seeds(2**60 + 7, 2**40 + 1), 2**33 + count)
    operands = (np.array(count), *shuffling.words_of(*start))
    found = native_operations.run(shuffling.KeyedOrder, operands, {})

    assert found is not None
    assert np.array_equal(shuffling.order_of(start, count), found[0])


def test_orders_and_truncated_numbers_are_native_in_functions() -> None:
    @tf.function
    def draw(x: Any) -> Any:
        return tf.random.shuffle(x, seed=7), tf.random.truncated_normal([9], seed=7)

    tf.random.set_seed(1)
    rows = tf.constant(np.arange(14).reshape(7, 2))
    order, numbers = draw(rows)
    tf.random.set_seed(1)

    assert np.array_equal(tf.random.shuffle(rows, seed=7), order)
    np.testing.assert_allclose(numbers, tf.random.truncated_normal([9], seed=7), rtol=1e-5)
    assert draw.report().callbacks == ()


def test_text_is_shuffled_in_functions_too() -> None:
    draw = tf.function(lambda x: tf.random.shuffle(x, seed=7))
    tf.random.set_seed(1)
    mixed = draw(tf.constant(["a", "b", "c"])).numpy().tolist()

    assert sorted(mixed) == [b"a", b"b", b"c"]


def test_nothing_is_shuffled_natively_without_rows() -> None:
    draw = tf.function(lambda x: tf.random.shuffle(x), autograph=False)

    assert draw(tf.zeros([0, 3])).shape == (0, 3)
    assert draw(tf.constant(5)).numpy() == 5


ALPHAS = [0.0, 0.3, 1.0, 1.5, 2.0, 400.0, 1e9, float("inf"), float("nan"), -0.5]
RATES = [0.0, 0.2, 9.99, 10.0, 70.0, 1e7, float("inf"), float("nan"), -1.0]
COUNTS = [0.0, 1.0, 30.0, 10.5, 1e5, -3.0, float("inf"), float("nan")]
PROBS = [[0.0], [0.004], [0.3], [0.5], [0.8], [1.0], [float("nan")]]


def rejected(shape: Any, seed: Any) -> list[Any]:
    """Numbers of every way to draw them, of wrong parameters too, in some dtypes."""
    gammas = [tf.random.stateless_gamma([*shape, 10], seed, tf.cast(ALPHAS, one), dtype=one)
              for one in (tf.float32, tf.float64, tf.float16)]  # fmt: skip
    return [
        *gammas,
        tf.random.gamma(shape, ALPHAS, seed=7),
        tf.random.poisson(shape, RATES, tf.int32, seed=7),
        tf.random.stateless_poisson([*shape, 9], seed, tf.cast(RATES, tf.float16), tf.float64),
        tf.random.stateless_binomial([*shape, 7, 8], seed, COUNTS, PROBS, tf.float32),
        tf.random.stateless_binomial(shape, seed, 100, tf.constant(0.75, tf.float64)),
    ]


def test_what_is_drawn_by_rejection_is_drawn_so_in_functions() -> None:
    native = tf.function(rejected)
    for seed in ([1, 2], [-5, 2**31 - 1]):
        tf.random.set_seed(3)
        expected = rejected([40], tf.constant(seed))
        tf.random.set_seed(3)
        for one, other in zip(expected, native([40], tf.constant(seed)), strict=True):
            assert one.dtype == other.dtype
            left, right = (tf.cast(each, tf.float64).numpy() for each in (one, other))
            np.testing.assert_allclose(right, left, rtol=1e-6 if one.dtype.size > 2 else 1e-2)
    assert "in Python" not in str(native.report())


def test_a_shape_must_end_with_that_of_parameters_in_functions_too() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def draw(shape: Any) -> Any:
        return tf.random.stateless_gamma(shape, [1, 2], [1.0, 2.0])

    assert draw([3, 2]).shape == [3, 2]
    for shape in ([], [3], [2, 1]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must end with"):
            draw(shape)
