"""Random Python functions mean the same as plain Python, evaluated, and as machine code."""

from __future__ import annotations

import dataclasses
import linecache
import types
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import tensormill as tf
from tensormill import backends
from tensormill.config import settings as config

from .limits import EFFORTS, limits
from .sources import sources

LIMITS = limits(6, HealthCheck.data_too_large)


def made(source: str) -> Any:
    """The function of a text, which its traceback and AutoGraph can read.

    Its name depends on the text only: hypothesis takes errors at other places for other ones.
    """
    name = f"<random function {zlib.crc32(source.encode())}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace: dict[str, Any] = {
        "__name__": __name__,  # of code that may be converted
        "dataclasses": dataclasses,
        "tf": tf,
        "types": types,
        "clip": lambda x: tf.clip_by_value(x, -8.0, 8.0),
        "small": lambda x: tf.clip_by_value(tf.convert_to_tensor(x), -9, 9),
    }
    exec(compile(source, name, "exec", dont_inherit=True), namespace)
    return namespace["function"]


def arguments(numbers: tuple[int, ...]) -> list[Any]:
    a, b, i, j, *v = numbers
    floats = [tf.constant(one / 2, tf.float32) for one in (a, b)]
    return [*floats, tf.constant(i), tf.constant(j), tf.constant([x / 2 for x in v], tf.float32)]


def outcome(run: Any, numbers: tuple[int, ...]) -> list[Any]:
    """The results, the state after them, and the gradients of the first."""
    given, state = arguments(numbers), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        tape.watch([given[0], given[1], given[4]])
        results = run(*given, state)
    gradients = tape.gradient(
        results[0], [given[0], given[1], given[4], state], unconnected_gradients="zero"
    )
    return [np.asarray(one) for one in (*results, state, *gradients)]


CALLS = st.lists(st.tuples(*[st.integers(-4, 4)] * 7), min_size=2, max_size=2)


@pytest.mark.sampled(among="random programs")
@LIMITS
@given(sources(), CALLS, EFFORTS)
def test_a_function_of_python_means_the_same_staged(
    source: str, calls: list[tuple[int, ...]], effort: int
) -> None:
    before, config.effort = config.effort, effort
    try:
        staged_as_written(made(source), calls)
    finally:
        config.effort = before


def staged_as_written(function: Any, calls: list[tuple[int, ...]]) -> None:
    staged = tf.function(function)
    expected = [outcome(function, numbers) for numbers in calls]

    found = [outcome(staged, numbers) for numbers in calls]
    with backends.using("reference"):
        evaluated = outcome(tf.function(function), calls[0])

    for wanted, actual in zip([*expected, expected[0]], [*found, evaluated], strict=True):
        for x, y in zip(wanted, actual, strict=True):
            assert (x.dtype, x.shape) == (y.dtype, y.shape)
            np.testing.assert_array_equal(y, x)
