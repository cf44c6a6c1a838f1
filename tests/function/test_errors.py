"""What goes wrong while tracing and while running, and what is said of it."""

from __future__ import annotations

import traceback
from typing import Any

import pytest

import tensormill as tf

ONE = tf.constant(1.0)


def unconverted(body: Any) -> Any:
    return tf.function(body, autograph=False)


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (int, TypeError, "as a Python `int` is not allowed"),
        (lambda x: x.numpy(), AttributeError, "'SymbolicTensor' object has no attribute 'numpy'"),
    ],
)
def test_python_cannot_have_the_value(use: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        unconverted(lambda x: use(x))(tf.constant(1))


def leaked() -> Any:
    kept: list[Any] = []

    @tf.function
    def leaks(x: Any) -> Any:
        y = x + 1.0  # made here
        kept.append(y)
        return y

    leaks(ONE)
    kept.append(leaks)  # the graph lives as long as the function
    return kept


@pytest.mark.parametrize(
    "use", [lambda t: t + 1.0, lambda t: tf.function(lambda x: x)(t), tf.convert_to_tensor]
)
def test_a_leaked_tensor_is_refused_with_the_place_where_it_was_made(use: Any) -> None:
    tensor, _ = leaked()

    with pytest.raises(TypeError, match="is out of scope and cannot be used here") as failure:
        use(tensor)

    assert "FuncGraph(name=leaks" in str(failure.value)
    assert "y = x + 1.0  # made here" in str(failure.value)


def test_a_leaked_tensor_still_describes_what_a_trace_is_for() -> None:
    tensor, _ = leaked()

    concrete = tf.function(lambda x, _: x * 2.0).get_concrete_function(tensor, [tensor])

    assert float(concrete(ONE, ONE)) == 2.0 * float(ONE)


def test_a_symbolic_tensor_can_still_be_printed() -> None:
    tensor, _ = leaked()

    assert str(tensor) == 'Tensor("add:0", shape=(), dtype=float32)'
    assert repr(tensor) == "<tf.Tensor 'add:0' shape=() dtype=float32>"


def test_tracebacks_leave_out_the_library() -> None:
    def body(x: Any) -> Any:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine") as failure:
        unconverted(body)(ONE)

    files = [frame.filename for frame in traceback.extract_tb(failure.value.__traceback__)]
    assert sum("tensormill" in file and "tests" not in file for file in files) <= 2
    assert files[-1] == __file__


def test_shapes_that_cannot_go_together_are_found_while_tracing() -> None:
    def body(x: Any) -> Any:
        return tf.matmul(x, tf.ones([3, 1]))  # the line

    with pytest.raises(ValueError, match="Dimensions must be equal") as failure:
        unconverted(body)(tf.ones([2, 2]))

    assert isinstance(failure.value, tf.errors.InvalidArgumentError)
    assert "{{node MatMul}}" in str(failure.value)
    assert "x: f32[2, 2]" in str(failure.value)
    assert "tf.matmul(x, tf.ones([3, 1]))  # the line" in str(failure.value)
