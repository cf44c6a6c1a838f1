"""Gradients of what is nested k deep are graphs of so many operations for each level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.ir import Graph
from tensormill.graph.nested_graphs import every_operation, inner_graphs
from tensormill.ops.control.functional import Loop

Function = Callable[[Any], Any]


def loops(depth: int) -> Function:
    """A loop in a loop in a loop: every level remembers, and counts."""

    def fn(x: Any) -> Any:
        if depth == 0:
            return tf.tanh(x * x)
        inner = loops(depth - 1)
        step = lambda i, y: (i + 1, inner(y) + 0.1 * tf.sin(y))  # noqa: E731
        return tf.while_loop(lambda i, _: i < 3, step, (0, x))[1]

    return fn


def branches(depth: int) -> Function:
    def fn(x: Any) -> Any:
        if depth == 0:
            return tf.tanh(x * x)
        inner = branches(depth - 1)
        return tf.cond(x > 0.5, lambda: inner(x) * x, lambda: tf.sin(x))

    return fn


def calls(depth: int) -> Function:
    """Each function calls the one below twice."""
    fn: Function = tf.function(lambda x: tf.sin(x) * x)
    for _ in range(depth):
        fn = tf.function(lambda x, fn=fn: fn(fn(x) * 0.5) + tf.cos(x))
    return fn


def derivative(function: Function) -> Function:
    def fn(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    return fn


def sizes(function: Function) -> tuple[int, int, Counter[str]]:
    """How many graphs there are, how many operations, and how many of each kind."""
    concrete = tf.function(function).get_concrete_function(tf.TensorSpec(()))
    found, ahead = set[Graph](), [concrete.callee.graph]
    while ahead:
        graph = ahead.pop()
        if graph not in found:
            found.add(graph)
            ahead += [inner for step in graph.operations for inner in inner_graphs(step)]
    kinds = Counter(step.op.name for graph in found for step in graph.operations)
    return len(found), kinds.total(), kinds


@pytest.mark.parametrize("make", [loops, branches, calls])
def test_each_level_adds_as_much_as_the_one_before(make: Callable[[int], Function]) -> None:
    each = [sizes(derivative(make(depth)))[:2] for depth in range(2, 9)]

    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(each)}
    assert len(steps) == 1, each


def test_each_level_of_loops_adds_three_stacks() -> None:
    """What an iteration needs again, and where the inner loop's part of the stacks ends."""
    counts = [sizes(derivative(loops(depth)))[2] for depth in range(2, 9)]

    for kind in ("EmptyTensorList", "TensorListPushBack"):
        assert {b[kind] - a[kind] for a, b in pairwise(counts)} == {3}


def repeated(count: int) -> Function:
    """A loop over so many operations."""

    def step(i: Any, y: Any, x: Any) -> Any:
        for _ in range(count):
            y = tf.tanh(y) * x
        return i + 1, y, x

    return lambda x: tf.while_loop(lambda i, *_: i < 3, step, (0, x, x))[1]


def test_derivatives_of_a_gradient_grow_as_the_body_of_a_loop_does() -> None:
    each = [sizes(derivative(derivative(repeated(count))))[1] for count in range(2, 6)]

    assert len({b - a for a, b in pairwise(each)}) == 1, each


def handed_on(function: Function) -> int:
    """How many values loops take, all of them together."""
    concrete = tf.function(function).get_concrete_function(tf.TensorSpec(()))
    operations = every_operation(concrete.callee.graph)
    return sum(len(one.operands) for one in operations if issubclass(one.op, Loop))


def test_what_loops_remember_is_handed_through_all_loops_around_them() -> None:
    """So the values grow with the square of the depth, but no faster (docs/architecture.md)."""
    each = [handed_on(derivative(loops(depth))) for depth in range(2, 8)]

    steps = [b - a for a, b in pairwise(each)]
    assert {b - a for a, b in pairwise(steps)} == {6}, each
