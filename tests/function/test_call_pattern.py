"""The shortest path of a call gives what the long one gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.function.call_pattern import pattern_of

X, Y = tf.constant(3.0), tf.constant(4.0)


@tf.function
def combined(x: Any, y: Any = 2.0, mode: Any = "sub") -> Any:
    return x - y if mode == "sub" else x + y


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((X,), {}),
    ((X, 2.0), {}),
    ((X, 5.0), {}),
    ((X, Y), {}),
    ((X, Y, "add"), {}),
    ((X, Y, "sub"), {}),
    ((X,), {"mode": "add"}),
    ((tf.constant([1.0, 2.0]), Y), {}),
    ((tf.constant(1, tf.int32), 1), {}),
    ((tf.constant(1, tf.int32), 2), {}),
    ((np.float32(1.0), Y), {}),
    ((X, 0.0), {}),
    ((X, -0.0), {}),
    ((tf.Variable(1.0), Y), {}),
]


@pytest.mark.parametrize("before", range(0, len(CALLS), 3))
@pytest.mark.parametrize("call", range(len(CALLS)))
def test_a_call_does_not_depend_on_the_call_before(before: int, call: int) -> None:
    args, kwargs = CALLS[call]
    wanted = combined.python_function(*args, **kwargs)
    combined(*CALLS[before][0], **CALLS[before][1])
    for _ in range(2):
        result = combined(*args, **kwargs)

        assert result.dtype == wanted.dtype
        assert result.numpy().tolist() == wanted.numpy().tolist()


def test_a_pattern_compares_values_by_type_too() -> None:
    pattern = pattern_of((X, 1, "a", None))
    assert pattern is not None

    assert pattern.tensors((Y, 1, "a", None)) == (Y,)
    assert pattern.tensors((Y, True, "a", None)) is None
    assert pattern.tensors((Y, 1, "b", None)) is None
    assert pattern.tensors((Y, 1)) is None


def test_tensors_between_values_are_picked() -> None:
    pattern = pattern_of((1, X, 2, Y))
    assert pattern is not None

    assert [t is w for t, w in zip(pattern.tensors((1, Y, 2, X)), (Y, X), strict=True)] == [
        True
    ] * 2


@pytest.mark.parametrize("arg", [[1], 0.0, float("nan"), object(), np.ones(1)])
def test_other_arguments_have_no_pattern(arg: Any) -> None:
    with pytest.raises(LookupError):
        pattern_of((X, arg))


def test_quick_calls_are_taken() -> None:
    doubled = tf.function(lambda x: x * 2.0)
    doubled(X)
    doubled(X)
    doubled(Y)

    assert doubled.traces.detector.quick_calls == 2


def test_running_eagerly_switches_the_quick_path_off() -> None:
    calls = []

    @tf.function
    def f(x: Any) -> Any:
        calls.append(None)
        return x * 2.0

    f(X)
    f(X)
    tf.config.run_functions_eagerly(True)
    try:
        f(X)
    finally:
        tf.config.run_functions_eagerly(False)

    assert len(calls) == 2


def test_failures_on_the_quick_path_are_told_like_others() -> None:
    divide = tf.function(lambda x, y: x // y)
    messages = []
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero") as failure:
            divide(tf.constant(1), tf.constant(0))
        messages.append(str(failure.value))
        divide(tf.constant(1), tf.constant(1))
        divide(tf.constant(1), tf.constant(1))

    assert divide.traces.detector.quick_calls > 0
    assert messages[0] == messages[1]
