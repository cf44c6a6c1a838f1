"""A graph that is wrong is shown whole, with the complaint under the operation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.ir import Graph, Value
from tensormill.graph.parse import parse_graph
from tensormill.graph.verify import VerificationError, verify

GOOD = """
graph f(x: f32[2], y: f32[2]) -> f32[2]:
  a: f32[2] = AddV2(x, y)
  b: f32[2] = Exp(a)
  return b
"""


def test_a_good_graph_passes() -> None:
    assert tf.exp is not None  # the operations are known
    verify(parse_graph(GOOD))


def with_operations(change: Any) -> Graph:
    graph = parse_graph(GOOD)
    return replace(graph, operations=tuple(change(*graph.operations)))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda a, b: (b, a), "'a' is not defined before this operation"),
        (lambda a, b: (a, a, b), "'a' is defined before"),
        (lambda a, b: (a, replace(b, operands=())), "its fields take 1"),
        (lambda a, b: (a, replace(b, after=(b,))), "must come after 'b'"),
        (
            lambda a, b: (a, replace(b, results=(Value("b", tf.TensorSpec([3])),))),
            "inference gives",
        ),
        (lambda a, b: (a, replace(b, results=())), "inference gives 1"),
        (lambda a, b: (a, replace(b, counts=(1,))), "not a list"),
    ],
)
def test_a_bad_graph_is_shown(change: Any, complaint: str) -> None:
    with pytest.raises(VerificationError, match=complaint) as failure:
        verify(with_operations(change))

    text = str(failure.value)
    assert "graph f(x: f32[2], y: f32[2])" in text
    assert text[text.index("graph f") :].count("  ^ ") >= 1


def test_operands_must_fit() -> None:
    graph = parse_graph(
        "graph f(x: f32[2], y: f32[3]) -> f32[2]:\n  a: f32[2] = AddV2(x, y)\n  return a"
    )

    with pytest.raises(VerificationError, match="InvalidArgumentError: Incompatible shapes"):
        verify(graph)


def test_what_is_returned_must_exist() -> None:
    graph = parse_graph(GOOD)

    with pytest.raises(VerificationError, match="returns 'z', undefined"):
        verify(replace(graph, returns=(Value("z", tf.TensorSpec([])),)))


def test_graphs_inside_are_verified_too() -> None:
    text = """
graph f(x: f32[2]) -> f32[2]:
  y: f32[2] = PartitionedCall([x], f=@g)
  return y

graph g(x: f32[2]) -> f32[2]:
  y: f32[2] = Exp(x)
  return y
"""
    graph = parse_graph(text)
    verify(graph)
    call = graph.operations[0]
    inner = call.attrs["f"]
    broken = replace(inner, operations=())
    with pytest.raises(VerificationError, match="returns 'y', undefined"):
        verify(replace(graph, operations=(replace(call, attrs={"f": broken}),)))
