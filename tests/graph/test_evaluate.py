"""The meaning of graphs, functional operations included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.graph.builder import trace_graph
from tensormill.graph.evaluate import evaluate
from tensormill.ops.control.functional import effects_of, variable_of
from tensormill.ops.effects import Reads, Writes

INT = tf.TensorSpec([], tf.int32)


def scalar(value: int) -> np.ndarray[Any, Any]:
    return np.array(value, np.int32)


def test_branches_loops_and_cases() -> None:
    def body(n: Any) -> Any:
        doubled = tf.cond(n > 3, lambda: n * 2, lambda: -n)
        counted = tf.while_loop(lambda i: i < n, lambda i: [i + 3], [0])[0]
        chosen = tf.switch_case(n, [lambda: 10, lambda: 11, lambda: 12])
        return doubled, counted, chosen

    graph = trace_graph(body, [INT]).graph

    assert [int(x) for x in evaluate(graph, [scalar(2)])] == [-2, 3, 12]
    assert [int(x) for x in evaluate(graph, [scalar(5)])] == [10, 6, 12]


def test_state_is_changed_in_order() -> None:
    v = tf.Variable(1)
    graph = trace_graph(lambda n: (v.assign_add(n), v.assign(v * 10)), [INT]).graph

    assert [int(x) for x in evaluate(graph, [scalar(2), v.handle._array])] == [3, 30]
    assert v.numpy() == 30


def test_the_number_of_operands_must_be_right() -> None:
    with pytest.raises(ValueError, match="zip"):
        evaluate(trace_graph(lambda n: n, [INT]).graph, [])


def test_a_failure_names_the_node_and_the_line() -> None:
    def body(n: Any) -> Any:
        return 1 // n  # the line

    graph = trace_graph(body, [INT]).graph

    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero") as failure:
        evaluate(graph, [scalar(0)])

    assert "Detected at node floordiv" in str(failure.value)
    assert "return 1 // n  # the line" in str(failure.value)
    assert str(failure.value).count("Detected at node") == 1


def test_a_failure_inside_a_branch_is_located_once_and_innermost() -> None:
    graph = trace_graph(lambda n: tf.cond(n < 5, lambda: 1 // n, lambda: n), [INT]).graph

    with pytest.raises(tf.errors.InvalidArgumentError) as failure:
        evaluate(graph, [scalar(0)])

    assert str(failure.value).count("Detected at node") == 1
    assert "[[{{node cond/floordiv}}]]" in str(failure.value)


def test_effects_are_those_of_the_graphs_inside() -> None:
    v, w = tf.Variable(1), tf.Variable(1)

    def body(n: Any) -> Any:
        return tf.cond(n > 3, lambda: v.assign_add(n), lambda: w + 0)

    graph = trace_graph(body, [INT]).graph
    operation = next(step for step in graph.operations if step.op.name == "If")
    found = effects_of(operation.op, operation.attrs)
    written = {variable_of(operation, one) for one in found if isinstance(one, Writes)}

    assert [value.spec for value in written] == [graph.captures[0].spec]
    assert sum(isinstance(one, Reads) for one in found) == 2
    assert not any(effects_of(s.op, s.attrs) for s in graph.operations if s is not operation)
