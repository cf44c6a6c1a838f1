"""Numbers of which TensorFlow makes others, on purpose or not."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import differs, tf
from tests.behaviours.modes import both

TINY = np.float32(1e-40)
OF_TINY: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "*": (lambda x: x * 0.5, TINY * np.float32(0.5)),
    ">": (lambda x: x > 0.0, True),
    "==": (lambda x: tf.equal(x, 0.0), False),
    "cast": (lambda x: tf.cast(x, tf.float64), np.float64(TINY)),
    "maximum": (lambda x: tf.maximum(x, 0.0), TINY),
    "sqrt": (tf.sqrt, np.sqrt(TINY)),
    "sum": (lambda x: tf.reduce_sum(x, 0, keepdims=True), TINY + TINY),
}


@pytest.mark.sampled
@differs
@both
@pytest.mark.parametrize("name", OF_TINY)
def test_subnormal_numbers_are_kept(mode: Any, name: str) -> None:
    call, expected = OF_TINY[name]

    assert expected == mode(call)(tf.constant([TINY, TINY])).numpy()[0]


@both
def test_subnormal_numbers_are_moved_as_they_are(mode: Any) -> None:
    moved = mode(lambda x: tf.concat([-x, tf.abs(x)], 0))(tf.constant([TINY]))

    assert moved.numpy().tolist() == [-TINY, TINY]


@both
def test_the_largest_are_the_same_sorted_or_not(mode: Any) -> None:
    x = tf.constant([2.0, 8.0, 4.0, 9.0, 9.0, 6.0, 7.0, 3.0, 0.0, 5.0])
    for k in range(11):
        values, places = mode(lambda x, k=k: tf.math.top_k(x, k, sorted=False))(x)
        expected = tf.math.top_k(x, k)

        assert sorted(values.numpy(), reverse=True) == expected.values.numpy().tolist()
        assert sorted(places.numpy()) == sorted(expected.indices.numpy())


@differs
@both
def test_the_largest_are_sorted_even_if_they_need_not_be(mode: Any) -> None:
    x = tf.constant([2.0, 8.0, 4.0, 9.0, 1.0, 6.0, 7.0, 3.0, 0.0, 5.0])
    values, _ = mode(lambda x: tf.math.top_k(x, 4, sorted=False))(x)

    assert values.numpy().tolist() == [9.0, 8.0, 7.0, 6.0]


@differs
@both
@pytest.mark.parametrize("dtype", [tf.uint8, tf.uint16, tf.uint32, tf.uint64])
def test_lines_between_unsigned_numbers_may_fall(mode: Any, dtype: Any) -> None:
    line = mode(lambda a, b: tf.linspace(a, b, 5))(tf.constant(10, dtype), tf.constant(0, dtype))

    assert line.numpy().tolist() == [10.0, 7.5, 5.0, 2.5, 0.0]


CASTS: dict[str, tuple[Callable[[Any], Any], Any, int]] = {
    "cast": (lambda x: tf.cast(x, tf.float32), 1 + 2j, 1),
    "saturate_cast": (lambda x: tf.saturate_cast(x, tf.int32), 1 + 2j, 1),
    "to integers": (lambda x: tf.cast(x, tf.int32), 1 + 2j, 0),
    "gradient": (lambda x: tf.gradients(tf.abs(tf.cast(x, tf.complex64)), x)[0], 1.0, 1),
}


@pytest.mark.parametrize("name", CASTS)
def test_casts_that_lose_imaginary_parts_are_logged(name: str, caplog: Any) -> None:
    call, value, expected = CASTS[name]

    with caplog.at_level(logging.WARNING, "tensorflow"):
        tf.function(call)(tf.constant(value))

    assert expected == len([one for one in caplog.messages if "cast" in one.lower()])
