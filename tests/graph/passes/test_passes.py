"""Each pass does what its docstring shows."""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.builder import trace_graph
from tensormill.graph.parse import parse_graph
from tensormill.graph.passes.gathering import gather_loops
from tensormill.graph.passes.order import SIMPLIFY, simplify
from tensormill.graph.passes.pruning import prune
from tensormill.graph.text import print_graph
from tensormill.ops.control.functional import effects_of


@pytest.mark.parametrize("one", [*SIMPLIFY, gather_loops], ids=lambda one: one.__name__)
def test_a_pass_does_what_its_docstring_shows(one: Any) -> None:
    found = re.search(r"Before:\n(.*?)\nAfter:\n(.*)", inspect.cleandoc(one.__doc__), re.DOTALL)
    assert found is not None
    before, after = (parse_graph(textwrap.dedent(text).strip()) for text in found.groups())

    assert print_graph(one(before)) == print_graph(after)


def test_what_is_inside_of_branches_is_simplified_too() -> None:
    def function(x: Any) -> Any:
        return tf.cond(x > 0.0, lambda: tf.exp(x) + tf.exp(x), lambda: tf.sin(x) + tf.sin(x))

    traced = trace_graph(function, [tf.TensorSpec([])], "f").graph
    before, after = print_graph(traced), print_graph(simplify(traced))

    assert [2, 2] == [before.count("= Exp("), before.count("= Sin(")]
    assert [1, 1] == [after.count("= Exp("), after.count("= Sin(")]


def test_equal_operations_with_effects_all_happen(capfd: pytest.CaptureFixture[str]) -> None:
    v = tf.Variable(1.0)

    @tf.function(autograph=False)
    def function(x: Any) -> Any:
        for _ in range(2):
            tf.print("once")
            v.assign_add(x)
        return tf.random.uniform([]) - tf.random.uniform([])

    assert function(tf.constant(2.0)).numpy() != 0.0
    assert v.numpy() == 5.0
    assert capfd.readouterr().err == "once\nonce\n"


def test_variables_are_read_again_where_one_of_their_dtype_was_written() -> None:
    """Two handles may be of one variable; a function of the user's may write any."""
    step, w, other = tf.Variable(1), tf.Variable(1.0), tf.Variable(2.0)

    def read() -> Any:
        return [step.read_value(), w.read_value()]

    def function() -> Any:
        first = [read(), read()]
        other.assign(3.0)
        second = [read(), read()]
        tf.py_function(lambda: None, [], [])
        return first, second, [read(), read()]

    graph = simplify(trace_graph(function, [], "f").graph)
    steps, ws = (graph.returns[k::2] for k in range(2))

    assert [0, 0, 0, 0, 4, 4] == [steps.index(value) for value in steps]
    assert [0, 0, 2, 2, 4, 4] == [ws.index(value) for value in ws]


def test_what_nobody_reads_stays_only_where_it_acts() -> None:
    v = tf.Variable(1.0)

    def function(x: Any) -> Any:
        v.read_value()
        tf.random.uniform([])
        tf.print("seen")
        v.assign(x)
        tf.debugging.Assert(x > 0.0, [x])
        tf.py_function(lambda: None, [], [])
        return x

    graph = prune(trace_graph(function, [tf.TensorSpec([])], "f").graph)
    acting = [step.op.name for step in graph.operations if effects_of(step.op, step.attrs)]

    assert ["PrintV2", "AssignVariableOp", "Assert", "EagerPyFunc"] == acting
