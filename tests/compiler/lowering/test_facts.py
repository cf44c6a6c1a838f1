"""Sizes that were found to fit are not compared again, and what they make is known by its parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.ir import Check, Let, Program
from tensormill.compiler.loops.walk import every_statement
from tensormill.compiler.lowering.facts import MOST_JOINED
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify

VECTOR, ROWS = TensorSpec([None], tf.float32), TensorSpec([None, 8], tf.float32)


def lowered(fn: Callable[..., Any], *specs: TensorSpec) -> Program:
    program = lower_graph(simplify(trace_graph(fn, specs, "fn").graph)).program
    assert program is not None
    return program


def sizes(program: Program) -> int:
    """How many sizes it reckons and names."""
    lets = [one for one in every_statement(program.body) if isinstance(one, Let)]
    return sum(one.variable.type == "i64" for one in lets)


def checks(fn: Callable[..., Any], *specs: TensorSpec) -> int:
    """How many checks of sizes a program makes; those of memory are of its results."""
    program = lowered(fn, *specs)
    return sum(one.error >= 0 for one in every_statement(program.body) if isinstance(one, Check))


def gradient(length: int) -> Callable[..., Any]:
    """Of operations on two operands, each of which broadcasting may spread."""

    def fn(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = x
            for k in range(length):
                z = z * y if k % 3 else tf.sin(z) + y
        return tape.gradient(z, [x, y])

    return fn


def test_a_gradient_reckons_as_many_sizes_however_long_it_is() -> None:
    assert 0 < checks(gradient(18), ROWS, ROWS) == checks(gradient(6), ROWS, ROWS) < 6
    assert sizes(lowered(gradient(18), ROWS, ROWS)) == 1


@pytest.mark.parametrize(
    ("expected", "fn"),
    [
        (1, lambda x, y: x * y + y * x),
        (1, lambda x, y: x * y * y * x + y),
        (1, lambda x, y: (x + y) * tf.zeros(tf.shape(x * y))),
        (0, lambda x, y: x * tf.zeros(tf.shape(x)) + x),
        (2, lambda x, y: (x + tf.constant([1.0, 2.0])) * (y + tf.constant([3.0, 4.0])) + x),
    ],
)
def test_sizes_are_compared_once(expected: int, fn: Callable[..., Any]) -> None:
    assert checks(fn, VECTOR, VECTOR) == expected


def in_a_branch(x: Any, y: Any) -> Any:
    either = tf.cond(x[0] > 0, lambda: tf.reduce_sum(x * y), lambda: tf.reduce_sum(x))
    return either + tf.reduce_sum(x * y)


def in_a_loop(x: Any, y: Any) -> Any:
    total = tf.while_loop(
        lambda k, _: k < tf.cast(x[0], tf.int32),
        lambda k, total: (k + 1, total + tf.reduce_sum(x * y)),
        (0, 0.0),
    )[1]
    return total + tf.reduce_sum(x * y)


def in_every_turn(x: Any, y: Any) -> Any:
    """What a turn carries to the next may be of another size than it was."""
    return tf.while_loop(
        lambda k, _: k < 3,
        lambda k, z: (k + 1, tf.concat([z * y, z * y], 0)),
        (0, x),
        (tf.TensorShape([]), tf.TensorShape([None])),
    )[1]


def where_the_native_rule_gives_up(x: Any, y: Any) -> Any:
    """The second axis is known too late: the operation has checked sizes, and goes to Python."""
    axis = tf.cast(y[0], tf.int32)
    return tf.reduce_sum(tf.cumsum(x * y, axis - axis)) + tf.reduce_sum(x * y)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "fn", [in_a_branch, in_a_loop, in_every_turn, where_the_native_rule_gives_up, gradient(5)]
)
@pytest.mark.parametrize(("one", "other"), [(1, 1), (1, 3), (3, 1), (3, 3), (2, 3)])
@pytest.mark.parametrize("first", [-1.0, 2.0])
def test_it_does_what_eager_code_does(
    fn: Callable[..., Any], one: int, other: int, first: float
) -> None:
    x = tf.constant([first, *[2.0] * (one - 1)])
    y = tf.constant([3.0] * other)
    native = tf.function(fn, input_signature=[VECTOR, VECTOR], autograph=False)
    try:
        expected = fn(x, y)
    except tf.errors.InvalidArgumentError:
        with pytest.raises(tf.errors.InvalidArgumentError):
            native(x, y)
    else:
        for found, wanted in zip(
            tf.nest.flatten(native(x, y)), tf.nest.flatten(expected), strict=True
        ):
            assert np.allclose(found.numpy(), wanted.numpy())


def test_sums_of_many_operands_are_as_long_as_they_are_many() -> None:
    """What was joined of many sizes is a size by itself, so that nothing grows with all of them."""

    def total(*rows: Any) -> Any:
        result = rows[0]
        for one in rows[1:]:
            result = result + one
        return result

    many = 3 * MOST_JOINED
    assert checks(total, *[VECTOR] * many) == many - 1
