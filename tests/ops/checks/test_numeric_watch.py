"""`tf.debugging.enable_check_numerics`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tensormill as tf

DETECTED = "Detected Infinity or NaN in output 0 of"


@pytest.fixture(autouse=True)
def _watched() -> Iterator[None]:
    tf.debugging.enable_check_numerics()
    yield
    tf.debugging.disable_check_numerics()


def test_the_operation_that_made_a_nan_fails_with_its_operands() -> None:
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=f'{DETECTED} eagerly-executing op "Log"'
    ) as told:
        tf.math.log(tf.constant([-2.0, 0.0]))

    for part in (
        "(# of outputs: 1)", "dtype: <dtype: 'float32'>", "shape: (2,)", "# of -Inf elements: 1\n",
        "# of +NaN elements: 1\n", "Input tensor: tf.Tensor([-2.  0.], shape=(2,), dtype=float32)",
        ": Tensor had -Inf and NaN values",
    ):  # fmt: skip
        assert part in str(told.value)


def test_operators_are_watched_and_what_moves_elements_is_not() -> None:
    x = tf.constant([1.0, float("nan")])

    assert (2, 1) == tf.reshape(x, [2, 1]).shape
    assert 3 == int(tf.constant(1) + 2)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r'(?s)op "AddV2".*# of .NaN elements: 1'
    ):
        x + 1.0


def test_functions_check_where_they_were_traced_meanwhile() -> None:
    @tf.function
    def logarithm(x: Any) -> Any:
        return tf.math.log(x)

    assert 0.0 == float(logarithm(tf.constant(1.0)))
    tf.debugging.disable_check_numerics()
    with pytest.raises(tf.errors.InvalidArgumentError, match=f'{DETECTED} graph op "Log"') as told:
        logarithm(tf.constant(-1.0))

    for part in (
        "node Log/CheckNumericsV2", "shape: ()", 'Input tensor: Tensor("x:0", shape=(), ',
        'Graph name: "logarithm"', ": Tensor had NaN values", "return tf.math.log(x)",
    ):  # fmt: skip
        assert part in str(told.value)


def test_bodies_of_loops_and_gradients_are_watched() -> None:
    @tf.function
    def thrice(x: Any) -> Any:
        for _ in tf.range(3):
            x = tf.math.log(x)
        return x

    @tf.function
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sqrt(x)
        return tape.gradient(y, x)

    with pytest.raises(tf.errors.InvalidArgumentError, match=r'op "Log"'):
        thrice(tf.constant(1.5))
    with pytest.raises(tf.errors.InvalidArgumentError, match=DETECTED):
        slope(tf.constant(0.0))


def test_after_all_that_operations_are_as_quick_as_before() -> None:
    from tensormill.core import context

    tf.debugging.disable_check_numerics()

    assert context.top().plain
