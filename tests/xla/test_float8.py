"""Tensors of float8 stay in programs of XLA, and are cast as eager ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.xla.values import FLOAT8

NAMES = [dtype.name for dtype in FLOAT8]
OTHERS = [tf.float64, tf.float32, tf.float16, tf.bfloat16, tf.int32, tf.int64, tf.bool, *FLOAT8]


def every(dtype: Any) -> Any:
    """All values of a dtype of a byte."""
    return tf.constant(np.arange(256, dtype=np.uint8).view(dtype.as_numpy_dtype))


def near(dtype: Any) -> Any:
    """The middle of each two values, and what is just beside it."""
    finite = np.asarray(every(dtype)).astype(np.float64)
    finite = np.unique(finite[np.isfinite(finite)])
    middle = (finite[1:] + finite[:-1]) / 2
    return tf.constant(np.concatenate([middle, *(np.nextafter(middle, to) for to in (-1e9, 1e9))]))


def compiled(function: Any, *given: Any) -> Any:
    with backends.using("xla"):
        return tf.function(function, jit_compile=True)(*given)


def assert_same(one: Any, other: Any) -> None:
    assert one.dtype is other.dtype
    wide, other_wide = (np.asarray(each).astype(np.float64) for each in (one, other))
    numbers = ~np.isnan(wide)
    np.testing.assert_array_equal(wide, other_wide)
    np.testing.assert_array_equal(np.signbit(wide[numbers]), np.signbit(other_wide[numbers]))


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("other", OTHERS, ids=lambda dtype: dtype.name)
def test_casts_are_those_of_eager_execution(name: str, other: Any) -> None:
    dtype = tf.as_dtype(name)
    numbers = every(dtype)
    if not other.is_floating:
        numbers = tf.gather(numbers, np.flatnonzero(np.isfinite(numbers.numpy().astype("f4"))))

    assert_same(tf.cast(numbers, other), compiled(lambda x: tf.cast(x, other), numbers))
    if other in (tf.float64, tf.float32, tf.float16, tf.bfloat16):
        given = tf.cast(near(dtype), other)
        assert_same(tf.cast(given, dtype), compiled(lambda x: tf.cast(x, dtype), given))


@pytest.mark.parametrize("name", NAMES)
def test_what_moves_elements_needs_no_cut(name: str) -> None:
    def moved(x: Any) -> Any:
        rows = tf.reshape(tf.concat([x, x[:4]], 0), [10, 26])
        return tf.gather(tf.transpose(rows), [3, 0])

    numbers = every(tf.as_dtype(name))

    assert_same(moved(numbers), compiled(moved, numbers))
