"""What is computed where it is used, and what is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf
from tensormill.compiler.loops.ir import Allocate, Choice, For, Literal, Program, Repeat, Set
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.walk import every_statement
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify

MATRIX = TensorSpec([None, 8], tf.float32)


def program(fn: Callable[..., Any], *specs: TensorSpec) -> Program:
    lowered = lower_graph(simplify(trace_graph(fn, specs).graph))
    assert lowered.program is not None
    return lowered.program


def count(statements: Any, kind: type) -> int:
    total = 0
    for one in statements:
        total += isinstance(one, kind)
        match one:
            case For(body=body):
                total += count(body, kind)
            case Repeat(before=before, body=body):
                total += count(before, kind) + count(body, kind)
            case Choice(then=then, otherwise=otherwise):
                total += count(then, kind) + count(otherwise, kind)
            case _:
                pass
    return total


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: tf.tanh(x * 2.0 + 1.0),
        lambda x: tf.transpose(tf.exp(x)),
        lambda x: tf.concat([x + 1.0, x - 1.0], axis=1),
        lambda x: tf.expand_dims(x, 1) + tf.ones([1, 3, 1]),
        lambda x: tf.reshape(x, [-1, 2, 4]) * 3.0,
    ],
)
def test_a_chain_with_one_reader_at_each_step_stores_nothing(fn: Any) -> None:
    assert count(program(fn, MATRIX).body, Allocate) == 0


def test_an_expensive_value_with_two_readers_is_stored_once() -> None:
    def fn(x: Any) -> Any:
        y = tf.exp(x)
        return y, tf.transpose(y)

    assert count(program(fn, MATRIX).body, Allocate) == 1


def test_a_cheap_value_with_two_readers_is_computed_twice() -> None:
    def fn(x: Any) -> Any:
        y = x + 1.0
        return y * 2.0, y * 3.0

    assert count(program(fn, MATRIX).body, Allocate) == 0


def test_a_product_over_one_term_is_not_stored() -> None:
    row, column = TensorSpec([1, 8], tf.float32), TensorSpec([8, 1], tf.float32)

    assert count(program(lambda x, y: tf.matmul(y, x) * 2.0, row, column).body, Allocate) == 0


def test_a_reduction_reads_its_producers_directly() -> None:
    body = program(lambda x: tf.reduce_sum(tf.exp(x) * 2.0), MATRIX).body

    assert count(body, Allocate) == 0
    assert count(body, For) == 2


@pytest.mark.parametrize("shape", [[None, 8], [64, 300], [2, 3, 5, 40]])
def test_a_softmax_computes_each_exponential_once_and_keeps_a_row(shape: list[int | None]) -> None:
    improved = optimise(program(tf.nn.softmax, TensorSpec(shape, tf.float32)))

    statements = every_statement(improved.body)
    rows = [one.buffer.shape for one in statements if isinstance(one, Allocate)]
    assert text(improved).count("exp(") == 1
    assert rows == [(Literal(shape[-1], "i64"),)]


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: tf.image.adjust_contrast(x, 2.0),  # the mean, and what is about it
        lambda x: tf.nn.moments(x, [0, 1])[1],
        tf.nn.softmax,
        tf.nn.log_softmax,
        lambda x: tf.nn.softmax_cross_entropy_with_logits(tf.ones([5, 7, 8]), x),
    ],
)
def test_what_an_operation_reads_twice_is_computed_once(fn: Any) -> None:
    pictures = TensorSpec([5, 7, 8], tf.float32)

    improved = optimise(program(lambda x: fn(tf.tanh(x) + tf.sin(x)), pictures))

    assert text(improved).count("tanh(") == 1


def test_loops_carry_scalars_in_registers() -> None:
    def fn(x: Any) -> Any:
        return tf.while_loop(lambda a: a < 100.0, lambda a: [a * 1.5], [x])

    body = program(fn, TensorSpec([], tf.float32)).body

    assert count(body, Allocate) == 0
    assert count(body, Repeat) == 1


def test_running_sums_leave_exponentials_to_vectors() -> None:
    def sums(of: Any) -> Any:
        improved = optimise(program(lambda x: tf.cumsum(of(x)), TensorSpec([1000], tf.float32)))
        loops = [one for one in every_statement(improved.body) if isinstance(one, For)]
        return [sum(isinstance(inner, Set) for inner in one.body) for one in loops]

    assert sums(tf.exp) == [0, 1]
    assert sums(tf.negative) == [1]  # which costs less than memory does
