"""Lists that grow in a loop are told how many elements may come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf
from tensormill.compiler.loops.ir import Literal, NativeCall
from tensormill.compiler.loops.walk import every_statement
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.graph.passes.order import simplify


def expected_by(fn: Callable[..., Any], *specs: Any) -> list[Any]:
    """What a function's program says to its lists."""
    graph = tf.function(fn).get_concrete_function(*specs).callee.graph
    program = lower_graph(simplify(graph)).program
    assert program is not None
    return [
        one.arguments[2].value if isinstance(one.arguments[2], Literal) else one.arguments[2].type
        for one in every_statement(program.body)
        if isinstance(one, NativeCall) and one.function == "tm_list_expect"
    ]


def counted() -> Any:
    found = []
    for k in tf.range(7):
        found.append(tf.cast(k, tf.float32))
    return tf.stack(found)


def by_twos() -> Any:
    found = []
    for k in tf.range(1, 8, 2):
        found.append(k)
        found.append(k + 1)
    return tf.stack(found)


def left_early() -> Any:
    found = []
    for k in tf.range(7):
        found.append(k)
        if k * k > 10:
            break
    return tf.stack(found)


def downwards() -> Any:
    found, k = [], tf.constant(7)
    while k >= 2:
        found.append(k)
        k -= 1
    return tf.stack(found)


def gradient_with_limit() -> Any:
    x = tf.fill([3], 0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.while_loop(
            lambda y: tf.reduce_sum(y) > 0.1, lambda y: (tf.tanh(y),), [x], maximum_iterations=9
        )
    return tape.gradient(y, x)


def of_floats() -> Any:
    found, k = [], tf.constant(1.0)
    while k < 100.0:
        found.append(k)
        k *= 2.0
    return tf.stack(found)


CASES = [
    (counted, [7]),
    (by_twos, [8]),
    (left_early, [7]),
    (downwards, [6]),
    (gradient_with_limit, [9]),
    (of_floats, []),
]


@pytest.mark.parametrize(("fn", "counts"), CASES)
def test_what_is_expected_is_the_number_of_turns(fn: Callable[..., Any], counts: Any) -> None:
    assert counts == expected_by(fn)


def test_sizes_of_the_program_decide_when_it_runs() -> None:
    def fn(x: Any) -> Any:
        found = []
        for row in x:
            found.append(tf.reduce_sum(row))
        return tf.stack(found)

    assert ["i64"] == expected_by(fn, tf.TensorSpec([None, 3], tf.float32))
