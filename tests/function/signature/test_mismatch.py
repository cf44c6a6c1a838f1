"""A call that fits no signature is told both sides, and a call that would fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

FLOATS = tf.TensorSpec([None, 3], tf.float32)
COUNT = tf.TensorSpec([], tf.int32)


@tf.function(input_signature=[FLOATS, COUNT])
def scaled(x: Any, count: Any = 2) -> Any:
    return x * tf.cast(count, tf.float32)


def concrete() -> Any:
    @tf.function
    def f(x: Any, mode: Any, rate: Any = 1.0) -> Any:
        return x * rate if mode == "times" else x + rate

    return f.get_concrete_function(tf.TensorSpec([3], tf.float32), "times", rate=COUNT_OF_ONE)


COUNT_OF_ONE = tf.TensorSpec([], tf.float32)


def message(f: Any, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(TypeError) as failure:
        f(*args, **kwargs)
    return str(failure.value)


def after(text: str, start: str) -> str | None:
    lines = [line.strip() for line in text.splitlines()]
    return next((line[len(start) :].strip() for line in lines if line.startswith(start)), None)


@pytest.mark.parametrize(
    ("x", "fits"),
    [
        (tf.ones([2, 3], tf.int32), "(tf.cast(x, tf.float32), 4)"),
        (tf.ones([2, 3], tf.float64), "(tf.cast(x, tf.float32), 4)"),
        (tf.ones([3]), "(x[tf.newaxis], 4)"),
        (tf.ones([1, 2, 3]), "(x[0], 4)"),
        (tf.ones([3], tf.int64), "(tf.cast(x[tf.newaxis], tf.float32), 4)"),
    ],
)
def test_the_call_that_would_fit_can_be_pasted(x: Any, fits: str) -> None:
    text = message(scaled, x, 4)

    assert after(text, "the signature") == "(x: f32[?, 3], count: i32[])"
    assert after(text, "would fit") == fits
    assert eval(f"scaled{fits}", {"scaled": scaled, "x": x, "tf": tf}).dtype == tf.float32


@pytest.mark.parametrize(
    ("x", "count", "call"),
    [
        (tf.ones([2, 2]), 1, "(x: f32[2, 2], count: 1)"),
        (tf.constant("a"), 1, "(x: str[], count: 1)"),
        ("a", 1, "(x: 'a', count: 1)"),
        (tf.ones([2, 3]), 1.5, "(x: f32[2, 3], count: 1.5)"),
        ([[1.0, 2.0]], 1, "(x: [[1.0, 2.0]], count: 1)"),
        (tf.ones([2, 3]), None, "(x: f32[2, 3], count: None)"),
        ({"a": tf.ones([1])}, 1, "(x: {'a': f32[1]}, count: 1)"),
    ],
)
def test_what_cannot_be_put_right_is_only_shown(x: Any, count: Any, call: str) -> None:
    text = message(scaled, x, count)

    assert after(text, "this call") == call
    assert after(text, "would fit") is None


def test_a_concrete_function_says_the_same() -> None:
    f = concrete()
    x = tf.ones([3], tf.int32)
    text = message(f, x, "times", tf.constant(2.0))

    assert after(text, "would fit") == "(tf.cast(x, tf.float32), 'times', rate)"
    assert after(message(f, x, rate=tf.constant(2.0)), "this call") == (
        "(x: i32[3], mode: 'times', rate: f32[])"
    )
    assert after(message(f, tf.ones([3]), "plus", tf.constant(2.0)), "would fit") == (
        "(x, 'times', rate)"
    )


def test_tensors_of_another_dtype_are_found_when_a_concrete_function_runs() -> None:
    f = tf.function(lambda x: x + x).get_concrete_function(tf.constant("a"))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"use tf\.cast") as one:
        f(tf.constant(1))
    with pytest.raises(TypeError, match=r"use tf\.cast") as by_name:
        f(x=tf.constant(1))
    with pytest.raises(TypeError) as value:
        f(1.5)

    names = [error.type.__name__ for error in (one, by_name, value)]
    assert ["InvalidArgumentError", "InvalidArgumentError", "TypeError"] == names


def test_long_values_are_cut() -> None:
    text = message(scaled, "a" * 100, 1)

    assert len(after(text, "this call") or "") < 80


def test_tensors_in_messages_are_short_and_near_names_are_told() -> None:
    f = tf.function(lambda inputs, learning_rate=1.0: inputs)
    text = message(f, tf.ones([100, 100]), learnin_rate=2.0)

    assert "Received args: (f32[100, 100],) and kwargs: {'learnin_rate': 2.0}" in text
    assert "Did you mean 'learning_rate' by 'learnin_rate'?" in text


def test_arrays_are_made_to_fit_without_a_word() -> None:
    assert scaled(np.ones([2, 3]), 2).dtype == tf.float32


def test_only_a_handle_stands_for_a_handle() -> None:
    empty = tf.raw_ops.EmptyTensorList(
        element_shape=tf.constant([], tf.int32), max_num_elements=-1, element_dtype=tf.float32
    )
    length = tf.function(lambda handle: tf.raw_ops.TensorListLength(input_handle=handle))
    concrete = length.get_concrete_function(empty)

    assert concrete(empty).numpy() == 0
    with pytest.raises(TypeError, match="Can not cast"):
        concrete(tf.constant(1.0))
