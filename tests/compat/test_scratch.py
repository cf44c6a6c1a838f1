"""Functions that are called in a graph which a library entered by hand."""

from __future__ import annotations

import pytest

import tensormill as tf
from tensormill.api.compat_v1 import placeholder, reset_default_graph
from tensormill.graph.func_graph import ScratchGraph


def test_a_trace_made_there_is_forgotten() -> None:
    variable = tf.Variable(2.0)
    stand_ins = [1.0]

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def scale(x: tf.Tensor) -> tf.Tensor:
        return x * (stand_ins.pop() if stand_ins else variable)

    with ScratchGraph("shapes").as_default():
        shape = scale(placeholder("float32", [None, 3])).shape
    assert [None, 3] == shape.as_list()
    assert 0 == scale.experimental_get_tracing_count()

    with tf.GradientTape() as tape:
        y = scale(tf.constant([[1.0, 2.0, 3.0]]))

    assert [[2.0, 4.0, 6.0]] == y.numpy().tolist()
    assert 6.0 == tape.gradient(y, variable).numpy()


def test_placeholders_are_parameters_of_the_graph() -> None:
    with ScratchGraph("shapes").as_default() as graph:
        x = placeholder(tf.float32, [None, 3])
        y = placeholder("int32")

    assert ["Placeholder:0", "Placeholder_1:0"] == [one.name for one in graph.inputs]
    assert [None, 3] == x.shape.as_list()
    assert y.shape.rank is None


def test_eager_code_has_no_placeholders() -> None:
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        placeholder(tf.float32)


def test_the_global_graph_can_be_reset_but_not_while_one_is_built() -> None:
    reset_default_graph()

    with ScratchGraph("shapes").as_default(), pytest.raises(AssertionError, match="shapes"):
        reset_default_graph()


def test_a_graph_made_in_another_sees_its_tensors() -> None:
    with ScratchGraph("outer").as_default() as outer:
        x = placeholder("float32", [None, 3])
        with ScratchGraph("inner").as_default() as inner:
            y = x + 1.0

    assert outer is inner.outer_graph
    assert [None, 3] == y.shape.as_list()
    ((external, internal),) = inner.captures
    assert x is external
    assert inner is internal.graph


def test_a_graph_made_in_a_function_sees_its_tensors() -> None:
    ranks = []

    @tf.function
    def f(x: tf.Tensor) -> tf.Tensor:
        with ScratchGraph("shapes").as_default():
            ranks.append(tf.expand_dims(x, 0).shape.rank)
        return x * 2.0

    assert [2.0, 4.0] == f(tf.constant([1.0, 2.0])).numpy().tolist()
    assert [2] == ranks


def test_a_function_called_in_the_inner_of_two_graphs_sees_the_tensors_of_the_outer() -> None:
    double = tf.function(lambda x: x * 2.0)

    with ScratchGraph("outer").as_default():
        x = placeholder("float32", [None, 3])
        with ScratchGraph("inner").as_default():
            y = double(x)

    assert [None, 3] == y.shape.as_list()
    assert 0 == double.experimental_get_tracing_count()
