"""What forward graphs save for backward graphs, and no more."""

from __future__ import annotations

from collections import Counter
from typing import Any

import tensormill as tf
from tensormill.autodiff.functional import replay
from tensormill.autodiff.graphs.computations import Calling, Looping
from tensormill.autodiff.graphs.derivatives import derivative_of
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import Trace, trace_graph

NUMBER = TensorSpec(())
ROWS = TensorSpec((None, 3))
COUNT = TensorSpec((), tf.int32)


def kinds(graph: Any) -> Counter[str]:
    return Counter(operation.op.name for operation in graph.operations)


def loop_of(body: Any, *specs: Any) -> Looping:
    def condition(i: Any, *_: Any) -> Any:
        return i < 5

    def step(i: Any, *rest: Any) -> Any:
        return (i + 1, *body(*rest))

    graphs = [trace_graph(fn, [COUNT, *specs]) for fn in (condition, step)]
    return Looping(*(closed(one) for one in graphs))


def closed(trace: Trace) -> Any:
    assert not trace.captured
    return trace.graph


def test_a_call_saves_neither_what_it_was_given_nor_what_it_returns_anyway() -> None:
    graph = closed(trace_graph(lambda x, w: tf.tanh(x * w), [NUMBER, NUMBER]))
    derivative = derivative_of(Calling(graph), (0, 1), replay)
    assert len(derivative.forward.graphs[0].returns) == 1


def test_an_iteration_remembers_what_changes_and_is_needed() -> None:
    loop = loop_of(lambda x, w: (tf.tanh(x * w), w), NUMBER, NUMBER)
    derivative = derivative_of(loop, (1, 2), replay)
    # x, and the tanh of it; not w, which stays the same.
    assert kinds(derivative.forward.graphs[1])["TensorListPushBack"] == 2


def test_constants_and_linear_steps_are_not_remembered() -> None:
    loop = loop_of(lambda x: (2.5 * x + 1.0,), NUMBER)
    derivative = derivative_of(loop, (1,), replay)
    assert kinds(derivative.forward.graphs[1])["TensorListPushBack"] == 0


def test_of_shapes_only_the_sizes_are_remembered() -> None:
    loop = loop_of(lambda x: (x + tf.reduce_sum(x),), ROWS)
    derivative = derivative_of(loop, (1,), replay)
    forward = derivative.forward.graphs[1]
    pushed = [one for one in forward.operations if one.op.name == "TensorListPushBack"]
    assert all(one.operands[1].spec.dtype is tf.int32 for one in pushed)


def test_a_variable_that_stays_is_read_before_the_loop() -> None:
    weight = tf.Variable(2.0)

    @tf.function
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = tf.while_loop(lambda i, _: i < 5, lambda i, a: (i + 1, a * weight), [0, x])[1]
        return tape.gradient(y, weight)

    graph = gradient.get_concrete_function(tf.constant(1.0)).graph
    (forward,) = [op for op in graph.get_operations() if op.name == "while"]
    assert kinds(forward.attrs["body"])["ReadVariableOp"] == 0
    assert gradient(tf.constant(1.0)).numpy() == 5 * 2.0**4


def test_loops_in_loops_share_flat_stacks() -> None:
    def inner(x: Any) -> Any:
        return tf.while_loop(lambda i, _: i < 2, lambda i, a: (i + 1, tf.sin(a) * a), [0, x])[1]

    loop = loop_of(lambda x: (inner(x),), NUMBER)
    derivative = derivative_of(loop, (1,), replay)
    specs = [value.spec for value in derivative.forward.graphs[1].parameters]
    stacks = [spec for spec in specs if spec.dtype is tf.variant]
    assert len(stacks) >= 2
    assert all(spec.element.dtype is not tf.variant for spec in stacks)  # type: ignore[union-attr]


def test_zeros_go_back_without_being_computed() -> None:
    """The second derivative of `relu` is zeros, which would else be multiplied by the weights."""

    def curvature(activation: Any) -> Counter[str]:
        @tf.function
        def slopes(x: Any, w: Any) -> Any:
            with tf.GradientTape() as outer:
                outer.watch(w)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    value = activation(x @ w)
                slope = inner.gradient(value, x)
            return outer.gradient(slope, w)

        square = tf.TensorSpec([2, 2])
        return kinds(slopes.get_concrete_function(square, square).callee.graph)

    assert curvature(tf.nn.relu)["MatMul"] == curvature(tf.identity)["MatMul"] + 1  # relu's operand
    assert curvature(tf.tanh)["MatMul"] > curvature(tf.nn.relu)["MatMul"]
