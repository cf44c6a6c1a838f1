"""What goes wrong while tracing and while running, and what is said of it."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.errors import InaccessibleTensorError, OperatorNotAllowedInGraphError

ONE = tf.constant(1.0)


def unconverted(body: Any) -> Any:
    return tf.function(body, autograph=False)


@pytest.mark.parametrize(
    "use",
    [
        lambda x: bool(x),
        lambda x: 1 if x > 0 else 2,
        lambda x: x > 0 and x < 1,
        lambda x: not x,
    ],
)
def test_a_symbolic_tensor_has_no_truth(use: Any) -> None:
    with pytest.raises(OperatorNotAllowedInGraphError, match="as a Python `bool` is not allowed"):
        unconverted(use)(ONE)


@pytest.mark.parametrize("use", [list, lambda x: [*x], lambda x: tuple(x), lambda x: 1 in x])
def test_a_symbolic_tensor_cannot_be_iterated(use: Any) -> None:
    with pytest.raises(
        OperatorNotAllowedInGraphError, match=r"symbolic `tf.Tensor` is not allowed"
    ):
        unconverted(use)(tf.ones([2]))


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (len, TypeError, "len is not well defined for a symbolic Tensor"),
        (lambda x: [1, 2][x], TypeError, "SymbolicTensor"),
        (range, TypeError, "SymbolicTensor"),
        (int, TypeError, "as a Python `int` is not allowed"),
        (float, TypeError, "SymbolicTensor"),
        (np.sin, NotImplementedError, r"Cannot convert a symbolic tf.Tensor \(x:0\) to a numpy"),
        (hash, TypeError, "Tensor is unhashable. Instead, use tensor.ref"),
        (lambda x: x.numpy(), AttributeError, "'SymbolicTensor' object has no attribute 'numpy'"),
    ],
)
def test_python_cannot_have_the_value(use: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        unconverted(lambda x: use(x))(tf.constant(1))


def test_a_symbolic_tensor_cannot_be_assigned_to() -> None:
    def body(x: Any) -> Any:
        x[0] = 1
        return x

    with pytest.raises(TypeError, match="does not support item assignment"):
        unconverted(body)(ONE)


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


def test_a_leaked_tensor_in_another_trace_is_inaccessible() -> None:
    tensor, _ = leaked()

    with pytest.raises(InaccessibleTensorError, match="out of scope") as failure:
        unconverted(lambda x: x + tensor)(ONE)

    assert isinstance(failure.value, ValueError)


def test_a_tensor_that_leaks_from_a_branch_is_inaccessible() -> None:
    kept: list[Any] = []

    def body(x: Any) -> Any:
        def branch() -> Any:
            kept.append(x * 2.0)
            return kept[0]

        y = tf.cond(x > 0.0, branch, lambda: x)
        return y + kept[0]

    with pytest.raises(InaccessibleTensorError, match="out of scope"):
        unconverted(body)(ONE)


def test_a_symbolic_tensor_can_still_be_printed() -> None:
    tensor, _ = leaked()

    assert str(tensor) == 'Tensor("add:0", shape=(), dtype=float32)'
    assert repr(tensor) == "<tf.Tensor 'add:0' shape=() dtype=float32>"


def test_exceptions_of_the_body_keep_their_class_and_show_the_users_lines() -> None:
    def inner() -> None:
        raise KeyError("missing")

    def body(x: Any) -> Any:
        inner()
        return x

    with pytest.raises(KeyError, match="in user code") as failure:
        tf.function(body)(ONE)

    assert "raise KeyError" in str(failure.value)
    assert "inner()" in str(failure.value)


def test_without_autograph_the_exception_passes_unchanged() -> None:
    error = ValueError("mine")

    def body(x: Any) -> Any:
        raise error

    with pytest.raises(ValueError, match=r"^mine$") as failure:
        unconverted(body)(ONE)

    assert failure.value is error


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


def test_dtypes_that_cannot_go_together_are_found_while_tracing() -> None:
    with pytest.raises(TypeError, match=r"does not match type int32|int32"):
        unconverted(lambda x: x + tf.constant(1.0))(tf.constant(1))


def test_a_failing_kernel_names_the_node_and_the_users_line() -> None:
    @tf.function
    def divide(x: Any, y: Any) -> Any:
        return x // y  # the line

    with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero") as failure:
        divide(tf.constant([1]), tf.constant([0]))
    error = failure.value

    assert "Detected at node" in str(error)
    assert "return x // y  # the line" in str(error)
    assert "floordiv" in str(error)
    assert (error.op, error.node_def, error.error_code) == (None, None, 3)
    assert divide(tf.constant([4]), tf.constant([2])).numpy().tolist() == [2]


def test_a_promised_shape_is_checked_when_the_function_runs() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def promise(x: Any) -> Any:
        x.set_shape([2])
        assert x.shape == [2]
        return x

    assert promise(tf.ones([2])).numpy().tolist() == [1.0, 1.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="3"):
        promise(tf.ones([3]))


def test_an_unknown_size_is_none_in_python() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def size(x: Any) -> Any:
        assert x.shape[0] is None
        return tf.shape(x)[0]

    assert size(tf.ones([7])).numpy() == 7
