"""What is printed can be read back."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import tensormill as tf
from tensormill.graph.builder import trace_graph
from tensormill.graph.parse import GraphSyntaxError, _GraphReader, parse_graph, parse_spec
from tensormill.graph.text import (
    LARGEST_LITERAL,
    Printer,
    array_text,
    print_graph,
    spec_text,
)
from tensormill.graph.verify import verify

from .strategies import graphs

FLOAT = tf.TensorSpec([], tf.float32)


def without_comments(text: str) -> str:
    return re.sub(r" +# .*", "", text)


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_the_text_of_a_graph_reads_back(graph: Any) -> None:
    text = print_graph(graph)
    again = parse_graph(text)

    assert print_graph(again) == without_comments(text)
    verify(again)


def test_where_it_runs_and_what_overrides_its_gradient_read_back() -> None:
    def body(x: Any) -> Any:
        graph = tf.compat.v1.get_default_graph()
        with tf.device("CPU:0"), graph.gradient_override_map({"Exp": "Told"}):
            return tf.exp(x)

    text = without_comments(print_graph(trace_graph(body, [FLOAT]).graph))
    assert ' on "/device:CPU:0" differentiated as "Told"' in text
    assert text == print_graph(parse_graph(text))


def test_a_graph_prints_as_the_grammar_says() -> None:
    v = tf.Variable([1.0, 2.0])

    def body(x: Any, flag: Any) -> Any:
        y = tf.matmul(x, tf.ones([4, 2]), transpose_b=False) * v
        return tf.cond(flag, lambda: y, lambda: -y)

    text = str(trace_graph(body, [tf.TensorSpec([None, 4]), tf.TensorSpec([], tf.bool)], "f").graph)
    lines = without_comments(text).splitlines()

    assert lines[0] == (
        "graph f(Placeholder: f32[?, 4], Placeholder_1: bool[])"
        "[ReadVariableOp/resource: resource<f32[2]>] -> f32[?, 2]:"
    )
    assert "  ReadVariableOp: f32[2] = ReadVariableOp(ReadVariableOp/resource, dtype=f32)" in lines
    assert "# test_text.py:" in text
    assert any("then_branch=@cond_true, else_branch=@cond_false" in line for line in lines)
    assert sum(line.startswith("graph ") for line in lines) == 3


@pytest.mark.parametrize(
    "value",
    [1.5, -3, True, b"bytes \"'", [1.0, float("inf")], [[1], [2]], [], 1 + 2j, float("nan")],
)
def test_constants_read_back(value: Any) -> None:
    graph = trace_graph(lambda: tf.constant(value), []).graph
    again = parse_graph(str(graph))
    (mine,), (theirs,) = graph.run([]), again.run([])

    assert mine.dtype == theirs.dtype
    np.testing.assert_array_equal(mine, theirs)


def test_long_arrays_are_bytes() -> None:
    numbers = np.arange(LARGEST_LITERAL + 1)

    assert str(numbers[:-1].tolist()) == array_text(numbers[:-1])
    assert array_text(numbers).startswith('data"')


def test_small_floats_are_printed_as_they_were_written() -> None:
    assert "Const(value=0.1)" in str(trace_graph(lambda: tf.constant(0.1), []).graph)


@pytest.mark.parametrize(
    "text",
    [
        "f32[?, 8]",
        "i64[]",
        "str[...]",
        "resource<f32[2]>",
        "frozen<bf16[]>",
        "list<f32[?]>",
        "object<iterator(f32[?], i64[])>",
        "value<dataset(value<dataset()>)>",
        "value<sparse(f32[?])>[3]",
        "value<sparse(str[?])>[?, 3]",
    ],
)
def test_specs_read_back(text: str) -> None:
    assert spec_text(parse_spec(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graf f() -> :\n  return", "expected 'graph'"),
        ("graph f(x: f33[]) -> f32[]:\n  return x", "expected a dtype"),
        ("graph f() -> f32[]:\n  return x", "'x' is not defined before"),
        ("graph f() -> f32[]:\n  y: f32[] = Nope()\n  return y", "there is no operation 'Nope'"),
        ("graph f() -> f32[]:\n  y: i32[] = Const()\n  return y", "value"),
        ("graph f(x: i32[], x: i32[]) -> :\n  return", "'x' is defined twice"),
        (
            "graph f(x: i32[]) -> i32[]:\n  y: i32[] = PartitionedCall([x], f=@g)\n  return y",
            "no graph is called 'g'",
        ),
    ],
)
def test_mistakes_are_shown_with_their_line(text: str, message: str) -> None:
    with pytest.raises((GraphSyntaxError, KeyError), match=message):
        parse_graph(text)


@pytest.mark.parametrize(
    "value",
    [
        tf.float32, tf.TensorSpec([2, None], tf.float32), tf.TensorSpec(None, tf.int8),
        tf.TensorSpec([], tf.string), tf.TensorShape([2, None]), [tf.int32, tf.TensorSpec([1])],
        "text", 3, 2.5, True, None, (1, (2.0,)),
    ],
    ids=str,
)  # fmt: skip
def test_attributes_read_back(value: Any) -> None:
    assert repr(value) == repr(_GraphReader(Printer({}).attr(value))._attr())
