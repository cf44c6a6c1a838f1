"""Programs of TensorFlow 2 users' notes about tf.function, as they print them."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

import tensormill as tf


def test_a_function_reads_and_changes_a_variable() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def f(x: Any) -> Any:
        return v.assign_add(x)

    assert f(tf.constant(2.0)).numpy() == 3.0
    assert f(tf.constant(2.0)).numpy() == 5.0


def test_one_function_adds_floats_integers_and_strings() -> None:
    @tf.function
    def add_double(a: Any) -> Any:
        return a + a

    a = add_double(tf.ones([2, 2], dtype="float32"))
    b = add_double(tf.ones([2, 2], dtype="int32"))
    c = add_double("a")

    assert a.numpy().tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert b.numpy().tolist() == [[2, 2], [2, 2]]
    assert c.numpy() == b"aa"
    fn = add_double.get_concrete_function(tf.TensorSpec(shape=None, dtype="string"))
    assert type(add_double).__name__ == "Function"
    assert type(fn).__name__ == "ConcreteFunction"
    assert type(fn.graph).__name__ == "FuncGraph"
    assert fn(tf.constant("a")).numpy() == b"aa"
    with pytest.raises(tf.errors.InvalidArgumentError):
        fn(tf.constant(1))


def test_python_numbers_make_new_graphs_and_tensors_do_not() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return tf.abs(x)

    assert f.get_concrete_function(1) is not f.get_concrete_function(2)
    one, two = tf.constant(1), tf.constant(2)
    assert f.get_concrete_function(one) is f.get_concrete_function(two)


def test_many_traces_are_warned_about(caplog: pytest.LogCaptureFixture) -> None:
    @tf.function
    def f(x: Any) -> Any:
        return tf.abs(x)

    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        for number in range(1, 7):
            f(number)

    assert "5 out of the last 5 calls" in caplog.text
    assert "triggered tf.function retracing" in caplog.text


def test_an_input_signature_limits_what_a_function_takes() -> None:
    @tf.function(input_signature=[tf.TensorSpec(shape=None, dtype="string")])
    def add_double(a: Any) -> Any:
        return a + a

    assert add_double("a").numpy() == b"aa"
    with pytest.raises(TypeError, match="Can not cast"):
        add_double(tf.constant(1))


def test_a_signature_of_two_inputs() -> None:
    signature = [
        tf.TensorSpec(shape=None, dtype="int32"),
        tf.TensorSpec(shape=None, dtype="float32"),
    ]

    @tf.function(input_signature=signature)
    def add(a: Any, b: Any) -> Any:
        a = tf.cast(a, "float32")
        return a + b

    assert add(tf.constant(1), tf.constant(2.0)).numpy() == 3.0


def test_state_is_changed_in_program_order() -> None:
    a = tf.Variable(1.0)
    b = tf.Variable(2.0)

    @tf.function
    def f(x: Any, y: Any) -> Any:
        a.assign(y * b)
        b.assign_add(x * a)
        return a + b

    assert f(1, 2).numpy() == 10.0
    assert (a.numpy(), b.numpy()) == (4.0, 6.0)


def test_a_variable_made_by_every_call_is_refused() -> None:
    @tf.function
    def f(x: Any) -> Any:
        v = tf.Variable(1.0)
        v.assign_add(x)
        return v

    with pytest.raises(ValueError, match=r"singleton tf\.Variable"):
        f(2.0)


def test_a_variable_made_by_the_first_call_is_kept() -> None:
    class Holder:
        v: Any = None

    holder = Holder()

    @tf.function
    def g(x: Any) -> Any:
        if holder.v is None:
            holder.v = tf.Variable(1.0)
        return holder.v.assign_add(x)

    assert g(2.0).numpy() == 3.0
    assert g(2.0).numpy() == 5.0


def test_a_tensor_array_collects_what_a_loop_writes() -> None:
    @tf.function
    def f(x: Any) -> Any:
        ta = tf.TensorArray("int32", size=0, dynamic_size=True)
        for i in tf.range(3):
            ta = ta.write(i, x[i])
        return ta.stack()

    assert f(tf.constant([1, 2, 3])).numpy().tolist() == [1, 2, 3]


def test_a_while_loop_changes_the_variable_that_was_passed(
    capfd: pytest.CaptureFixture[str],
) -> None:
    @tf.function
    def fn(x: Any) -> Any:
        while tf.reduce_sum(x) > 0.7:
            x.assign(tf.tanh(x))
            tf.print(x)
        return x

    result = fn(tf.Variable(2.0))

    assert result.numpy() == pytest.approx(0.632797241)
    printed = [float(word) for word in capfd.readouterr().err.split()]
    assert printed == pytest.approx([0.964027584, 0.746068, 0.632797241], rel=1e-6)


def test_python_prints_happen_once_a_trace(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def fn(a: Any, b: Any) -> Any:
        print(f"now a={a} b={b}")
        return a, b

    counts: list[int] = []
    for a in (1, 1, 2, 2):
        fn(a, tf.constant(2))
        counts.append(capsys.readouterr().out.count("now a="))

    assert counts == [1, 0, 1, 0]


def test_a_graph_and_the_function_it_comes_from_agree() -> None:
    def a_regular_function(x: Any, y: Any, b: Any) -> Any:
        x = tf.matmul(x, y)
        x = x + b
        return x

    in_a_graph = tf.function(a_regular_function)
    x1 = tf.constant([[1.0, 2.0]])
    y1 = tf.constant([[2.0], [3.0]])
    b1 = tf.constant(4.0)

    assert a_regular_function(x1, y1, b1).numpy() == in_a_graph(x1, y1, b1).numpy() == [[12.0]]


def test_functions_called_by_a_function_become_part_of_its_graph() -> None:
    def inner_function(x: Any, y: Any, b: Any) -> Any:
        return tf.matmul(x, y) + b

    @tf.function
    def outer_function(x: Any) -> Any:
        y = tf.constant([[2.0], [3.0]])
        b = tf.constant(4.0)
        return inner_function(x, y, b)

    assert outer_function(tf.constant([[1.0, 2.0]])).numpy().tolist() == [[12.0]]


def simple_relu(x: Any) -> Any:
    if tf.greater(x, 0):
        return x
    else:
        return 0


def test_the_converted_code_and_the_graph_can_be_looked_at() -> None:
    tf_simple_relu = tf.function(simple_relu)

    assert tf.autograph.to_code(simple_relu).startswith("def tf__simple_relu(")
    assert tf_simple_relu(tf.constant(3)).numpy() == 3
    assert tf_simple_relu(tf.constant(-3)).numpy() == 0
    graph_def = tf_simple_relu.get_concrete_function(tf.constant(1)).graph.as_graph_def()
    assert graph_def.node[0].op == "Placeholder"
    assert any(node.op in ("If", "StatelessIf") for node in graph_def.node)


def test_functions_can_be_run_eagerly(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def get_mse(y_true: Any, y_pred: Any) -> Any:
        print("Calculating MSE!")
        sq_diff = tf.pow(y_true - y_pred, 2)
        return tf.reduce_mean(sq_diff)

    y_true = tf.random.uniform([5], maxval=10, dtype=tf.int32)
    y_pred = tf.random.uniform([5], maxval=10, dtype=tf.int32)
    for _ in range(3):
        get_mse(y_true, y_pred)
    assert capsys.readouterr().out.count("Calculating MSE!") == 1

    tf.config.run_functions_eagerly(True)
    try:
        for _ in range(3):
            get_mse(y_true, y_pred)
    finally:
        tf.config.run_functions_eagerly(False)
    assert capsys.readouterr().out.count("Calculating MSE!") == 3


def power(x: Any, y: int) -> Any:
    result = tf.eye(10, dtype=tf.dtypes.int32)
    for _ in range(y):
        result = tf.matmul(x, result)
    return result


def test_a_python_loop_is_unrolled() -> None:
    x = tf.random.uniform(shape=[10, 10], minval=-1, maxval=2, dtype=tf.dtypes.int32)

    assert (tf.function(power)(x, 100).numpy() == power(x, 100).numpy()).all()


def test_a_python_side_effect_shows_when_a_function_is_traced(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @tf.function
    def fn(x: Any) -> Any:
        print("Tracing!")
        return x * x + tf.constant(2)

    results = [fn(tf.constant(2)), fn(tf.constant(3)), fn(2), fn(3)]

    assert [result.numpy() for result in results] == [6, 11, 6, 11]
    assert capsys.readouterr().out.count("Tracing!") == 3


def test_scaled_elu_by_where() -> None:
    def scaled_elu(z: Any, scale: float = 1.0, alpha: float = 1.0) -> Any:
        is_positive = tf.greater_equal(z, 0.0)
        return scale * tf.where(is_positive, z, alpha * tf.nn.elu(z))

    z = tf.constant([-1.0, 0.0, 2.0])

    assert tf.function(scaled_elu)(z).numpy() == pytest.approx([np.expm1(-1.0), 0.0, 2.0])


def test_numpy_random_numbers_are_frozen_and_tensorflows_are_not() -> None:
    @tf.function
    def np_random() -> Any:
        return tf.constant(np.random.randn(3, 3))

    @tf.function
    def tf_random() -> Any:
        return tf.random.normal((3, 3))

    assert (np_random().numpy() == np_random().numpy()).all()
    assert (tf_random().numpy() != tf_random().numpy()).any()


def test_a_list_outside_gets_a_symbolic_tensor_once() -> None:
    tensor_list: list[Any] = []

    @tf.function
    def append_tensor(x: Any) -> Any:
        tensor_list.append(x)
        return tensor_list

    append_tensor(tf.constant(5.0))
    append_tensor(tf.constant(6.0))

    assert [str(one) for one in tensor_list] == ['Tensor("x:0", shape=(), dtype=float32)']


def test_prints_in_a_staged_loop(capfd: pytest.CaptureFixture[str]) -> None:
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
    out, err = capfd.readouterr()

    assert out.count("tracing") == 2
    assert err.split() == ["0", "1", "2"] * 3


class DemoModule(tf.Module):
    def __init__(self, init_value: Any = 0.0, name: str | None = None) -> None:
        super().__init__(name=name)
        with self.name_scope:
            self.x = tf.Variable(init_value, dtype=tf.float32, trainable=True)

    @tf.function(input_signature=[tf.TensorSpec(shape=[], dtype=tf.float32)])
    def add_print(self, a: Any) -> Any:
        with self.name_scope:
            self.x.assign_add(a)
            tf.print(self.x)
            return self.x


def test_a_module_holds_a_variable_and_a_function(capfd: pytest.CaptureFixture[str]) -> None:
    demo = DemoModule(init_value=tf.constant(1.0))

    assert demo.add_print(tf.constant(5.0)).numpy() == 6.0
    assert capfd.readouterr().err == "6\n"
    expected = "(<tf.Variable 'demo_module/Variable:0' shape=() dtype=float32, numpy=6.0>,)"
    assert str(demo.variables) == str(demo.trainable_variables) == expected
    assert demo.submodules == ()
    with pytest.raises(TypeError):
        demo.add_print(tf.constant(3))


def test_variables_can_be_used_through_the_compatibility_module() -> None:
    c = tf.Variable(0)

    @tf.function
    def f(x: Any) -> Any:
        c.assign_add(1)
        return x + tf.compat.v1.to_float(c)

    assert [f(1.0).numpy(), f(1.0).numpy()] == [2.0, 3.0]
    assert int(c) == 2


def test_an_if_on_a_tensor_negates_and_divides() -> None:
    @tf.function
    def g(x: Any) -> Any:
        if tf.reduce_sum(x) > 0:
            return x * x
        else:
            return -x // 2

    assert g(tf.constant(-3.0)).numpy() == 1.0
    assert g(tf.constant(3.0)).numpy() == 9.0
