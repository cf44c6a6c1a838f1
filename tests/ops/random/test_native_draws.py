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
    "truncated doubles": lambda n: tf.random.truncated_normal([n], dtype=tf.float64, seed=1),
}


def twice(draw: Draw, count: int) -> list[Any]:
    """Two draws, of which the second goes on where the first has left the stream."""
    tf.random.set_seed(3)
    return [draw(count).numpy(), draw(5).numpy()]


@pytest.mark.parametrize("name", [*EXACT, *CLOSE])
def test_many_numbers_are_those_of_the_slow_way(name: str, monkeypatch: Any) -> None:
    draw = EXACT.get(name) or CLOSE[name]
    count = MANY + 3
    ran: list[str] = []
    run = native_operations._native()  # pyright: ignore[reportPrivateUsage]
    noted = lambda op, *its: ran.append(op.name) or run(op, *its)  # noqa: E731
    monkeypatch.setattr(native_operations, "_native", lambda: noted)
    found = twice(draw, count)
    assert len(ran) == 1

    monkeypatch.setattr(native_operations, "_native", lambda: lambda *_: None)
    for expected, one in zip(twice(draw, count), found, strict=True):
        if name in EXACT:
            assert np.array_equal(expected, one)
        else:
            np.testing.assert_allclose(one, expected, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 6, 257, shuffling.MANY + 2])
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
