"""Gradient functions registered by users."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.autodiff import registry
from tensormill.autodiff.registry import RegisterGradient, no_gradient
from tensormill.ops.linalg.matmul import MatMul
from tensormill.ops.math.arithmetic import Mul


@pytest.fixture(autouse=True)
def fresh(monkeypatch: Any) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(Mul, "vjp", None)
    monkeypatch.setattr(MatMul, "vjp", None)


def gradients(x: Any, y: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = x * y
    return tape.gradient(z, [x, y])


@pytest.mark.parametrize("call", [gradients, tf.function(gradients)])
def test_a_registered_function_serves_operations_without_a_gradient(call: Any) -> None:
    @RegisterGradient("Mul")
    def of_product(op: Any, upstream: Any) -> Any:
        assert (op.type, len(op.outputs)) == ("Mul", 1)
        return 10.0 * upstream, op.inputs[0]

    assert [10.0, 3.0] == [one.numpy() for one in call(tf.constant(3.0), tf.constant(4.0))]


def test_a_type_can_be_registered_once() -> None:
    RegisterGradient("Mul")(lambda op, upstream: None)
    with pytest.raises(KeyError, match="Registering two gradient with name 'Mul'"):
        no_gradient("Mul")


def test_a_type_can_be_said_to_have_no_gradient() -> None:
    no_gradient("Mul")
    assert [None, None] == gradients(tf.constant(3.0), tf.constant(4.0))


@pytest.mark.parametrize("register", [RegisterGradient, no_gradient])
def test_a_type_is_a_string(register: Any) -> None:
    with pytest.raises(TypeError, match="op_type must be a string"):
        register(3)


def test_there_is_one_gradient_for_each_input() -> None:
    RegisterGradient("Mul")(lambda op, upstream: upstream)
    with pytest.raises(ValueError, match="Num gradients 1 generated for op Mul do not match"):
        gradients(tf.constant(3.0), tf.constant(4.0))


def test_attributes_are_those_of_the_operation() -> None:
    found: list[Any] = []

    @RegisterGradient("MatMul")
    def of_product(op: Any, upstream: Any) -> Any:
        found.append(op.get_attr("transpose_b"))
        with pytest.raises(ValueError, match="'MatMul' has no attr named 'nothing'"):
            op.get_attr("nothing")
        return upstream, upstream

    x = tf.ones([2, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.matmul(x, x, transpose_b=True)
    tape.gradient(y, x)

    assert found == [True]
