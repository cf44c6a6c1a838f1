"""Programs from people's notes on `tf.function`, with the outputs that they write down."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

import tensormill as tf


def test_one_function_serves_ints_floats_and_strings() -> None:
    @tf.function
    def add_double(a: Any) -> Any:
        return a + a

    ones = tf.ones([2, 2], dtype="float32")

    assert add_double(ones).numpy().tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert add_double(tf.ones([2, 2], dtype="int32")).numpy().tolist() == [[2, 2], [2, 2]]
    assert add_double("a").numpy() == b"aa"
    strings = add_double.get_concrete_function(tf.TensorSpec(shape=None, dtype=tf.string))
    assert strings(tf.constant("a")).numpy() == b"aa"
    with pytest.raises(TypeError):
        strings(tf.constant(1))


def test_python_values_have_traces_tensors_share_one() -> None:
    f = tf.function(tf.abs)

    assert f.get_concrete_function(1) is not f.get_concrete_function(2)
    one = f.get_concrete_function(tf.constant(1))
    assert one is f.get_concrete_function(tf.constant(2))


def test_six_numbers_give_the_warning(caplog: pytest.LogCaptureFixture) -> None:
    f = tf.function(lambda x: tf.abs(x))
    with caplog.at_level(logging.WARNING, "tensorflow"):
        for number in range(1, 7):
            f(number)

    assert "5 out of the last 5 calls to <function" in caplog.text


def test_variables_outside_are_read_and_changed() -> None:
    a, b = tf.Variable(1.0), tf.Variable(2.0)

    @tf.function
    def f(x: Any, y: Any) -> Any:
        a.assign(y * b)
        b.assign_add(x * a)
        return a + b

    assert f(1, 2).numpy() == 10.0
    assert (a.numpy(), b.numpy()) == (4.0, 6.0)


def test_a_tensor_array_collects_in_a_loop() -> None:
    @tf.function
    def f(x: Any) -> Any:
        ta = tf.TensorArray("int32", size=0, dynamic_size=True)
        for i in tf.range(3):
            ta = ta.write(i, x[i])
        return ta.stack()

    assert f(tf.constant([1, 2, 3])).numpy().tolist() == [1, 2, 3]


def test_a_while_loop_prints_each_time(capfd: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def fn(x: Any) -> Any:
        while tf.reduce_sum(x) > 0.7:
            x.assign(tf.tanh(x))
            tf.print(x)
        return x

    assert fn(tf.Variable(2.0)).numpy() == pytest.approx(0.632797241)
    printed = [float(text) for text in capfd.readouterr().err.split()]
    assert printed == pytest.approx([0.964027584, 0.746068, 0.632797241])


def test_python_print_happens_while_tracing(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def fn(a: Any, b: Any) -> Any:
        print(f"now {a=} {b=}")
        return a, b

    for number in (1, 1, 2, 2):
        fn(number, tf.constant(2))

    assert capsys.readouterr().out.splitlines() == [
        f"now a={number} b=<tf.Tensor 'b:0' shape=() dtype=int32>" for number in (1, 2)
    ]


def test_a_loop_over_a_python_range_is_unrolled() -> None:
    x = tf.constant([[1, 2], [3, 4]])

    def power(x: Any, y: int) -> Any:
        result = tf.eye(2, dtype=tf.dtypes.int32)
        for _ in range(y):
            result = tf.matmul(x, result)
        return result

    assert tf.function(power)(x, 3).numpy().tolist() == [[37, 54], [81, 118]]


def test_relu_as_a_condition() -> None:
    @tf.function
    def simple_relu(x: Any) -> Any:
        if tf.greater(x, 0):
            return x
        return 0

    assert [simple_relu(tf.constant(n)).numpy() for n in (1, -1)] == [1, 0]
    assert "StatelessIf" in str(
        simple_relu.get_concrete_function(tf.constant(1)).graph.as_graph_def()
    )
    assert "def tf__simple_relu" in tf.autograph.to_code(simple_relu.python_function)


def test_numpys_numbers_are_frozen_and_tensorflows_are_not() -> None:
    frozen = tf.function(lambda: tf.eye(2) + np.random.randn(2, 2))
    fresh = tf.function(lambda: tf.random.normal((3, 3)))

    assert (frozen().numpy() == frozen().numpy()).all()
    assert not (fresh().numpy() == fresh().numpy()).all()


def test_a_variable_that_is_returned_is_its_value(capfd: pytest.CaptureFixture[str]) -> None:
    x = tf.Variable(1.0, dtype=tf.float32)

    @tf.function
    def outer_var() -> Any:
        x.assign_add(1.0)
        tf.print(x)
        return x

    assert [outer_var().numpy(), outer_var().numpy()] == [2.0, 3.0]
    assert capfd.readouterr().err.split() == ["2", "3"]


def test_a_python_list_is_only_changed_while_tracing() -> None:
    tensors: list[Any] = []

    @tf.function
    def append(x: Any) -> Any:
        tensors.append(x)
        return tensors

    append(tf.constant(5.0))
    append(tf.constant(6.0))

    assert repr(tensors) == "[<tf.Tensor 'x:0' shape=() dtype=float32>]"


def test_strings_and_prints(capfd: pytest.CaptureFixture[str]) -> None:
    @tf.function(autograph=True)
    def myadd(a: Any, b: Any) -> Any:
        for i in tf.range(3):
            tf.print(i)
        c = a + b
        print("tracing")
        return c

    assert myadd(tf.constant("hello"), tf.constant("world")).numpy() == b"helloworld"
    assert myadd(tf.constant("hello"), tf.constant("world")).numpy() == b"helloworld"
    assert myadd(tf.constant(1), tf.constant(2)).numpy() == 3
    printed = capfd.readouterr()
    assert printed.out.split() == ["tracing", "tracing"]
    assert printed.err.split() == ["0", "1", "2"] * 3


def test_a_module_wraps_a_variable_and_a_function(capfd: pytest.CaptureFixture[str]) -> None:
    class DemoModule(tf.Module):
        def __init__(self, init_value: Any, name: str | None = None) -> None:
            super().__init__(name=name)
            with self.name_scope:
                self.x = tf.Variable(init_value, dtype=tf.float32, trainable=True)

        @tf.function(input_signature=[tf.TensorSpec(shape=[], dtype=tf.float32)])
        def add_print(self, a: Any) -> Any:
            with self.name_scope:
                self.x.assign_add(a)
                tf.print(self.x)
                return self.x

    demo = DemoModule(init_value=tf.constant(1.0))

    assert demo.add_print(tf.constant(5.0)).numpy() == 6.0
    assert capfd.readouterr().err.split() == ["6"]
    assert demo.variables == demo.trainable_variables == (demo.x,)
    assert demo.x.name == "demo_module/Variable:0"
    assert demo.submodules == ()
    with pytest.raises(TypeError):
        demo.add_print(tf.constant(3))


def test_scaled_elu() -> None:
    def scaled_elu(z: Any, scale: float = 1.0, alpha: float = 1.0) -> Any:
        is_positive = tf.greater_equal(z, 0.0)
        return scale * tf.where(is_positive, z, alpha * tf.nn.elu(z))

    z = tf.constant([-1.0, 0.0, 2.0])
    result = tf.function(scaled_elu)(z, scale=2.0)

    np.testing.assert_allclose(result.numpy(), scaled_elu(z, scale=2.0).numpy(), rtol=1e-6)
