"""A trace without what it captured, as TensorFlow 2.21 calls it (run beside these)."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

V = tf.Variable([3.0, 1.0])
X = tf.constant([1.0, 2.0])


def trace() -> Any:
    return tf.function(lambda x: {"y": x * V}).get_concrete_function(tf.TensorSpec([2]))


def test_captures_are_what_it_is_called_with() -> None:
    concrete = trace()
    call = concrete.inference_fn.call_with_captures

    assert isinstance(concrete.inference_fn, tf.types.experimental.AtomicFunction)
    assert [3.0, 2.0] == call((X,), {}, concrete.captured_inputs)["y"].numpy().tolist()
    assert [5.0, 2.0] == call((), {"x": X}, [tf.Variable([5.0, 1.0])])["y"].numpy().tolist()
    (flat,) = concrete.inference_fn.call_flat(X, V)
    assert [3.0, 2.0] == flat.numpy().tolist()


def test_functions_call_it_in_their_graphs() -> None:
    concrete = trace()

    @tf.function
    def outer(x: Any) -> Any:
        return concrete.inference_fn.call_with_captures((x,), {}, concrete.captured_inputs)["y"]

    assert [3.0, 2.0] == outer(X).numpy().tolist()


def test_a_call_needs_a_function_that_captured_nothing() -> None:
    twice = tf.function(lambda x: x + x).get_concrete_function(tf.TensorSpec([2])).inference_fn

    assert [2.0, 4.0] == twice(X).numpy().tolist()
    with pytest.raises(ValueError, match="captured 1 tensors"):
        trace().inference_fn(X)


@pytest.mark.parametrize(
    "captures", [[], [X], [3], [tf.Variable([1, 2])], [tf.Variable([1.0])], [V, V]]
)
def test_captures_must_be_like_those_of_the_trace(captures: list[Any]) -> None:
    with pytest.raises(TypeError, match=r"captures included|expected a handle of"):
        trace().inference_fn.call_with_captures((X,), {}, captures)
