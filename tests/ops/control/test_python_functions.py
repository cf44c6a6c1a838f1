"""`tf.py_function` and `tf.numpy_function`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.control.python_functions import numpy_function, py_function


def double(x: Any) -> Any:
    return x * 2.0


def test_it_gives_eager_tensors_and_takes_what_becomes_tensors() -> None:
    seen: list[Any] = []

    def watch(x: Any) -> float:
        seen.append(x)
        return 3.0

    result = py_function(watch, [tf.constant(1.0)], tf.float32)

    assert result.numpy() == 3.0
    assert isinstance(seen[0], tf.Tensor)


def test_a_graph_calls_it_each_time_it_runs() -> None:
    calls: list[float] = []

    @tf.function
    def fn(x: Any) -> Any:
        return py_function(lambda a: calls.append(float(a)) or a, [x], tf.float32)

    fn(tf.constant(1.0))
    fn(tf.constant(2.0))

    assert calls == [1.0, 2.0]


def test_its_gradient_is_that_of_the_function() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = py_function(lambda a: a * a * a, [x], tf.float32)

    assert tape.gradient(y, x).numpy() == 27.0


def test_its_gradient_goes_through_a_function() -> None:
    @tf.function
    def fn(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = py_function(lambda a: a * a, [x], tf.float32)
        return tape.gradient(y, x)

    assert fn(tf.constant(3.0)).numpy() == 6.0


def test_a_numpy_function_gets_arrays_and_has_no_gradient() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = numpy_function(lambda a: np.flip(a) if type(a) is np.ndarray else None, [x], tf.float32)

    assert y.numpy().tolist() == [2.0, 1.0]
    assert tape.gradient(y, x) is None


def test_a_spec_as_tout_gives_the_result_a_shape_in_the_graph() -> None:
    shapes: list[Any] = []

    @tf.function
    def fn(x: Any) -> Any:
        y = py_function(double, [x], tf.TensorSpec([2], tf.float32))
        shapes.append(y.shape.as_list())
        return y

    assert fn(tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
    assert shapes == [[2]]


def test_several_results_come_as_a_list() -> None:
    a, b = py_function(lambda x: [x, x + 1], [tf.constant(1)], [tf.int32, tf.int32])

    assert (a.numpy(), b.numpy()) == (1, 2)


@pytest.mark.parametrize("run", [lambda fn: fn, tf.function])
def test_a_result_of_another_dtype_is_refused(run: Any) -> None:
    fn = run(lambda x: py_function(lambda a: 1.5, [x], tf.int32))

    with pytest.raises(tf.errors.InvalidArgumentError, match="int32"):
        fn(tf.constant(1.0))


@pytest.mark.parametrize("run", [lambda fn: fn, tf.function])
def test_too_few_results_are_refused(run: Any) -> None:
    fn = run(lambda x: py_function(lambda a: [a], [x], [tf.float32, tf.float32]))

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"returns 1 values.*2 values"):
        fn(tf.constant(1.0))


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (ValueError, tf.errors.InvalidArgumentError),
        (TypeError, tf.errors.InvalidArgumentError),
        (StopIteration, tf.errors.OutOfRangeError),
        (KeyError, tf.errors.UnknownError),
    ],
)
@pytest.mark.parametrize("run", [lambda fn: fn, tf.function])
def test_an_exception_keeps_its_text_and_is_the_cause(run: Any, raised: Any, expected: Any) -> None:
    def explode(x: Any) -> Any:
        raise raised("the user's words")

    fn = run(lambda x: py_function(explode, [x], tf.float32))

    with pytest.raises(expected, match="the user's words") as caught:
        fn(tf.constant(1.0))
    assert isinstance(caught.value.__cause__, raised)


def test_an_unused_stateless_function_is_left_out() -> None:
    calls: list[int] = []

    @tf.function
    def fn(x: Any) -> Any:
        numpy_function(lambda a: calls.append(1) or a, [x], tf.float32, stateful=False)
        numpy_function(lambda a: calls.append(2) or a, [x], tf.float32)
        return x

    fn(tf.constant(1.0))

    assert calls == [2]
