"""Tracing into a graph: what users see of it, captures, and the finished form."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core.specs import ResourceSpec
from tensormill.graph.builder import FuncGraph, share_operands, trace_graph
from tensormill.graph.evaluate import evaluate
from tensormill.graph.frames import DEPTH
from tensormill.graph.verify import verify

FLOAT = tf.TensorSpec([], tf.float32)
VECTOR = tf.TensorSpec([None], tf.float32)


def test_a_trace_is_the_graph_of_what_the_function_did() -> None:
    graph, captured, structure = trace_graph(lambda x, y: {"sum": x + y}, [FLOAT, FLOAT], "f")

    assert captured == ()
    assert structure["sum"].name == "add:0"
    assert [step.op.name for step in graph.operations] == ["AddV2"]
    assert evaluate(graph, [np.float32(1).reshape(()), np.float32(2).reshape(())]) == [3.0]


def test_operations_remember_the_users_lines() -> None:
    def inner(x: Any) -> Any:
        return x * x  # the line

    graph = trace_graph(lambda x: inner(x), [FLOAT]).graph
    line = graph.operations[0].line

    assert line is not None
    assert (line.file, line.function, line.text) == (__file__, "inner", "return x * x  # the line")
    assert [at.function for at in graph.operations[0].source][-2:] == ["<lambda>", "inner"]


def test_their_line_is_the_users_own_within_what_is_installed() -> None:
    library: dict[str, Any] = {}
    text = "def square(x):\n    return x * x\n"
    exec(compile(text, "/lib/site-packages/shapes/square.py", "exec"), library)

    def mine(x: Any) -> Any:
        return library["square"](x)  # mine

    called, installed = (trace_graph(one, [FLOAT]).graph for one in (mine, library["square"]))
    own, other = (str(graph.operations[0].line) for graph in (called, installed))

    assert own.startswith("test_builder.py:")
    assert called.operations[0].source[-1].function == "square"
    assert other.startswith("test_builder.py:")  # who traces it is no library


def test_a_users_line_is_found_below_libraries_however_deep_they_call() -> None:
    library: dict[str, Any] = {}
    text = "def deep(x, k):\n    return deep(x, k - 1) if k else x * x\n"
    exec(compile(text, "/lib/site-packages/shapes/deep.py", "exec"), library)

    (operation,) = trace_graph(lambda x: library["deep"](x, 20), [FLOAT]).graph.operations

    assert [at.function for at in operation.source] == ["<lambda>", *["deep"] * DEPTH]
    assert str(operation.line).startswith("test_builder.py:")


def test_operations_have_tensorflows_face() -> None:
    graph = FuncGraph("f")
    with graph.as_default():
        x, earlier = graph.placeholder(VECTOR, "x"), graph.placeholder(VECTOR, "earlier")
        with tf.control_dependencies([x, earlier]):
            y = tf.add(x, 1.0, name="sum")
    operation = y.op

    assert type(operation).__name__ == "Operation"
    assert repr(operation) == "<tf.Operation 'sum' type=AddV2>"
    assert (operation.name, operation.type, operation.graph) == ("sum", "AddV2", graph)
    assert [t.name for t in operation.inputs] == ["x:0", "sum/y:0"]
    assert operation.outputs == [y]
    assert operation.control_inputs == [earlier.op]
    assert operation.get_attr("T") == tf.float32
    assert (y.value_index, y.op, y.consumers(), x.consumers()) == (0, operation, [], [operation])
    with pytest.raises(ValueError, match="has no attr named 'zz'"):
        operation.get_attr("zz")


def test_elements_are_found_by_name() -> None:
    graph = FuncGraph("f")
    with graph.as_default():
        x = graph.placeholder(FLOAT, "x")
        parts = tf.split(tf.stack([x, x]), 2, name="split")

    assert graph.get_operation_by_name("split") is parts[0].op
    assert graph.get_tensor_by_name("split:1") is parts[1]
    assert graph.as_graph_element("x") is x.op
    assert graph.as_graph_element("x:0") is x
    assert graph.as_graph_element(x) is x


@pytest.mark.parametrize(
    ("look", "error", "message"),
    [
        (lambda g: g.get_operation_by_name("y"), KeyError, "not in the graph"),
        (lambda g: g.get_operation_by_name("multiplyy"), KeyError, "nearest: multiply"),
        (lambda g: g.get_operation_by_name("x:0"), ValueError, "refer to a Tensor, not a Operat"),
        (lambda g: g.get_tensor_by_name("x"), ValueError, "must be of the form"),
        (lambda g: g.get_tensor_by_name("y:0"), KeyError, "does not exist"),
        (lambda g: g.get_tensor_by_name("x:3"), KeyError, "only has 1 outputs"),
        (lambda g: g.as_graph_element(3), TypeError, "Can not convert a int"),
    ],
)
def test_what_is_not_there_is_said(look: Any, error: type[Exception], message: str) -> None:
    graph = FuncGraph("f")
    with graph.as_default():
        x = graph.placeholder(FLOAT, "x")
        tf.multiply(x, x, name="multiply")

    with pytest.raises(error, match=message):
        look(graph)


def test_the_graph_that_is_traced_knows_its_surroundings() -> None:
    outer, inner = FuncGraph("outer"), None
    with outer.as_default():
        inner = FuncGraph("inner", outer)

    assert inner.outer_graph is outer
    assert inner.building_function
    assert repr(inner).startswith("FuncGraph(name=inner, id=")


def test_floats_are_captured_by_reference_and_small_integers_as_constants() -> None:
    weight, axis, table = tf.constant(2.0), tf.constant(0), tf.constant(list(range(200)))
    graph, captured, _ = trace_graph(
        lambda x: tf.reduce_sum(x * weight, axis) + tf.cast(table[0], tf.float32), [VECTOR]
    )

    assert [one is other for one, other in zip(captured, (weight, table), strict=True)] == [
        True
    ] * 2
    assert len(graph.captures) == 2


def test_a_tensor_is_captured_once() -> None:
    weight = tf.constant(2.0)

    assert len(trace_graph(lambda x: x * weight + weight, [FLOAT]).captured) == 1


def test_a_variable_is_captured_by_its_handle() -> None:
    v = tf.Variable(1.0, trainable=False)
    graph, captured, _ = trace_graph(lambda x: x * v + v, [FLOAT])

    assert captured == (v.handle,)
    assert graph.captures[0].spec == ResourceSpec(tf.TensorSpec([], tf.float32), False)


def test_tensors_of_outer_graphs_are_captured_through_all_between() -> None:
    captured: list[int] = []

    def outer(x: Any) -> Any:
        def middle() -> Any:
            inner = trace_graph(lambda: x + 1.0, [], "inner")
            captured.append(len(inner.captured))
            return x

        captured.append(len(trace_graph(middle, [], "middle").captured))
        return x

    trace_graph(outer, [FLOAT])

    assert captured == [1, 1]


def test_what_is_constant_outside_is_constant_inside() -> None:
    shapes: list[Any] = []

    def outer(x: Any) -> Any:
        size = tf.shape(tf.zeros([3]))
        shapes.append(trace_graph(lambda: tf.reshape(x, size), []).structure.shape)
        return x

    trace_graph(outer, [VECTOR])

    assert shapes == [tf.TensorShape([3])]


def test_branches_can_share_their_operands() -> None:
    one, two = tf.constant(1.0), tf.constant(2.0)
    traces = [trace_graph(lambda: one * 10.0, [], "a"), trace_graph(lambda: two * one, [], "b")]
    graphs, operands = share_operands(traces)
    payloads = [t.numpy().reshape(()) for t in operands]

    assert operands == [one, two]
    assert [len(graph.parameters) for graph in graphs] == [2, 2]
    assert [evaluate(graph, payloads) for graph in graphs] == [[10.0], [2.0]]
    for graph in graphs:
        verify(graph)


def test_a_narrowed_shape_is_a_check_in_the_graph() -> None:
    def body(x: Any) -> Any:
        before = x * 2.0
        x.set_shape([3])
        return before, x * 3.0

    graph, _, (before, after) = trace_graph(body, [VECTOR])

    assert (before.shape.as_list(), after.shape.as_list()) == ([None], [3])
    assert "EnsureShape" in [step.op.name for step in graph.operations]
    verify(graph)


def test_a_graph_is_freed_when_nobody_holds_it() -> None:
    gc.disable()
    try:
        graph = FuncGraph("f")
        big = tf.ones([1000])
        with graph.as_default():
            x = graph.placeholder(FLOAT, "x")
            y = x + big
        held = weakref.ref(big)
        del graph, big
        assert held() is None
        assert "a function, branch or loop body that is gone" in str(y.out_of_scope())
    finally:
        gc.enable()


def test_devices_are_stamped_on_operations() -> None:
    def body(x: Any) -> Any:
        with tf.device("/CPU:0"):
            y = x + x
        return y * y

    graph = trace_graph(body, [FLOAT]).graph

    assert [bool(step.device) for step in graph.operations] == [True, False]


def test_none_stays_none_and_objects_are_refused() -> None:
    assert trace_graph(lambda: None, []).structure is None
    with pytest.raises((TypeError, ValueError)):
        trace_graph(lambda: object(), [])


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: tf.matmul(x, tf.ones([2, 3])), ValueError),
        (lambda x: tf.transpose(x, [0, 1, 2]), ValueError),
        (lambda x: tf.reduce_sum(x, 5), ValueError),
        (lambda x: tf.one_hot(x, 3), TypeError),
    ],
    ids=["matmul", "transpose", "reduce_sum", "one_hot"],
)
def test_what_cannot_be_inferred_is_an_error_of_pythons_too(
    function: Any, expected: type[Exception]
) -> None:
    for raised in (expected, tf.errors.InvalidArgumentError):  # while tracing; eagerly
        with pytest.raises(raised):
            tf.function(function)(tf.ones([2]))


@pytest.mark.parametrize("stop", ["", "_operations", "name", "_self", "_writes"])
def test_a_graph_that_was_interrupted_while_it_was_made_says_nothing(stop: str) -> None:
    """Warnings are errors here, those of what raises in a finalizer, too."""

    class Stopped(FuncGraph):
        def __setattr__(self, name: str, value: object) -> None:
            if stop:
                super().__setattr__(name, value)
            if name == stop or not stop:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Stopped("f")
    gc.collect()
