"""Long chains become programs as long as the chains, whatever each step reads of the last one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.loops.ir import Expression, Program
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.loops.text import text
from tensormill.compiler.loops.walk import every_statement, expressions, parts
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.compiler.lowering.live_values import LiveValues
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify
from tensormill.ops.random.philox import MULTIPLIERS, ROUNDS
from tests.visits import visits

FLOATS, INTEGERS = TensorSpec([None], tf.float32), TensorSpec([None], tf.int32)
MATRIX = TensorSpec([None, None], tf.float32)

# What one more step makes of `x`, of a size that only the call tells.
STEPS: dict[str, tuple[TensorSpec, Callable[[Any], Any]]] = {
    "concatenated": (FLOATS, lambda x: tf.concat([x, x[:1]], 0)),
    "with its mirror image": (FLOATS, lambda x: tf.concat([x[1:], tf.reverse(x, [0])], 0)),
    "sliced": (FLOATS, lambda x: x[x.shape.rank :]),
    "reflected": (FLOATS, lambda x: tf.pad(x, [[1, 1]], "REFLECT")),
    "gathered by itself": (INTEGERS, lambda x: tf.gather(x, x)),
    "added to neighbours": (FLOATS, lambda x: x[1:] + x[:-1]),
    "chosen": (FLOATS, lambda x: tf.where(x > 0, tf.reverse(x, [0]), tf.roll(x, 1, 0))),
    "reshaped": (MATRIX, lambda x: tf.reshape(x, [tf.shape(x)[1], -1])),
    "added up and padded": (FLOATS, lambda x: tf.pad(tf.cumsum(x), [[1, 1]])),
}  # fmt: skip


def chain(step: Callable[[Any], Any], length: int) -> Callable[[Any], Any]:
    def fn(x: Any) -> Any:
        for _ in range(length):
            x = step(x)
        return x

    return fn


def lowered(fn: Callable[..., Any], *specs: TensorSpec) -> Program:
    program = lower_graph(simplify(trace_graph(fn, specs, "fn").graph)).program
    assert program is not None
    return program


def written_length(program: Program) -> int:
    """How many names, literals and functions the text of the program would have."""
    known: dict[int, int] = {}

    def length(expression: Expression) -> int:
        if id(expression) not in known:
            known[id(expression)] = 1 + sum(map(length, parts(expression)))
        return known[id(expression)]

    statements = every_statement(program.body)
    return sum(length(one) for statement in statements for one in expressions(statement))


@pytest.mark.sampled
@pytest.mark.parametrize("name", STEPS)
def test_a_chain_three_times_as_long_is_a_program_some_times_as_long(name: str) -> None:
    spec, step = STEPS[name]
    short, long = (lowered(chain(step, length), spec) for length in (6, 18))
    lengths = written_length(short), written_length(long)  # programs take long to print

    assert lengths[1] < 5 * lengths[0]
    lengths = written_length(optimise(short)), written_length(optimise(long))
    assert lengths[1] < 5 * lengths[0]


@pytest.mark.parametrize("name", ["with its mirror image", "gathered by itself", "reflected"])
def test_it_computes_what_eager_code_does(name: str) -> None:
    spec, step = STEPS[name]
    fn = chain(step, 10)
    x = tf.constant([1, 3, 0, 2], spec.dtype)

    native = tf.function(fn, input_signature=[spec], autograph=False)
    assert np.array_equal(fn(x).numpy(), native(x).numpy())


def test_equal_long_sizes_are_known_to_be_equal() -> None:
    def fn(x: Any) -> Any:
        return tf.concat([x] * 20, 0) + tf.concat([x * 2.0] * 20, 0)

    assert "== 1" not in text(lowered(fn, FLOATS))  # broadcasting would ask


def test_long_sizes_within_loops_and_branches_are_their_own() -> None:
    def fn(x: Any) -> Any:
        grown = tf.while_loop(
            lambda k, x: k < 3,
            lambda k, x: (k + 1, tf.concat([x] * 20, 0)[: 3 + k]),
            [0, x],
            [tf.TensorShape([]), tf.TensorShape([None])],
        )[1]
        longer = tf.cond(x[0] > 0, lambda: tf.concat([grown] * 18, 0), lambda: grown)
        return tf.concat([grown, *[longer] * 17, *[x] * 19], 0)

    native = tf.function(fn, input_signature=[FLOATS], autograph=False)
    for values in ([1.0, 2.0], [-1.0], [3.0, 4.0, 5.0, 6.0]):
        assert np.array_equal(fn(tf.constant(values)).numpy(), native(values).numpy())


def test_a_seed_that_is_split_is_not_written_out() -> None:
    """Each word is made of two words of the round before, ten rounds long."""

    def fn(seed: Any) -> Any:
        return tf.random.stateless_normal([3], tf.random.experimental.stateless_split(seed, 2)[1])

    assert visits(lambda: optimise(lowered(fn, TensorSpec([2], tf.int32)))) < 400_000


def test_a_group_of_random_words_is_reckoned_once() -> None:
    """Mixed seeds are, in a loop of ten rounds, and so few numbers that one group has them."""

    def fn(seed: Any) -> Any:
        return tf.random.stateless_normal([3], tf.random.experimental.stateless_split(seed, 2)[1])

    program = optimise(lowered(fn, TensorSpec([2], tf.int32)))

    one_in_each_of_two_loops, in_a_row = 2, 2 * ROUNDS
    assert text(program).count(f"{MULTIPLIERS[0]}u64") == one_in_each_of_two_loops + in_a_row
    assert "unroll.disable" in emit(program, "main")


def test_numbers_reckoned_twice_from_each_other_are_looked_at_once() -> None:
    """Whether a size may be negative is asked of all that it is made of."""

    def fn(x: Any) -> Any:
        numbers = tf.shape(x, tf.int64)
        for _ in range(25):
            numbers = numbers + numbers[::-1]
        return tf.zeros([numbers[0] // 2**25])

    assert visits(lambda: lowered(fn, MATRIX)) < 200_000


def scattered(count: int) -> Callable[[Any], Any]:
    def fn(x: Any) -> Any:
        y = tf.zeros([3])
        for k in range(count):
            changed = tf.tensor_scatter_nd_update(y, [[k % 3]], [tf.reduce_sum(x)])
            y = changed + tf.gather(x, [0, 1, k % 3])
        return y

    return fn


def stacked(count: int) -> Callable[[Any], Any]:
    return lambda x: tf.stack([x[k % 3] * float(k) for k in range(count)])


def branched(count: int) -> Callable[[Any], Any]:
    def fn(x: Any) -> Any:
        for k in range(count):
            x = tf.cond(tf.reduce_sum(x) > k, lambda x=x: x + 1.0, lambda x=x: x * 2.0)
        return x

    return fn


def nested(depth: int) -> Callable[[Any], Any]:
    def fn(x: Any) -> Any:
        if depth == 0:
            return tf.tanh(x) + 1.0
        inner = nested(depth - 1)
        return tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, inner(y)), (0, x))[1]

    return fn


GROWING: dict[str, tuple[Callable[[int], Callable[[Any], Any]], int]] = {
    "elements stored and loaded": (scattered, 12),
    "elements stacked": (stacked, 40),
    "branches": (branched, 8),
    "loops in loops": (nested, 4),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", GROWING)
def test_a_program_of_twice_the_length_takes_twice_the_steps(name: str) -> None:
    make, size = GROWING[name]
    spec = TensorSpec([3], tf.float32)
    once, twice = (
        visits(lambda: optimise(lowered(make(count), spec)))  # noqa: B023
        for count in (size, 2 * size)
    )

    assert twice < 2.3 * once


def arrays_side_by_side(count: int) -> Callable[[Any], Any]:
    """Each is written while all the others are needed."""

    def fn(x: Any) -> Any:
        arrays = [tf.TensorArray(tf.float32, size=2) for _ in range(count)]
        for place in (0, 1):
            arrays = [array.write(place, x) for array in arrays]
        return [array.stack() for array in arrays]

    return fn


def variables_side_by_side(count: int) -> Callable[[Any], Any]:
    """Each is assigned while the old values of all are needed."""
    variables = [tf.Variable([1.0, 2.0, 3.0]) for _ in range(count)]

    def fn(x: Any) -> Any:
        before = [variable.read_value() for variable in variables]
        for variable in variables:
            variable.assign_add(x)
        return before

    return fn


def counter(count: int) -> Callable[[Any], Any]:
    """One variable, read and assigned again and again."""
    variable = tf.Variable([1.0, 2.0, 3.0])

    def fn(x: Any) -> Any:
        seen = [variable.assign_add(x) * 2.0 for _ in range(count)]
        return tf.stack([one[0] for one in seen])

    return fn


@pytest.mark.parametrize("make", [arrays_side_by_side, variables_side_by_side, counter])
def test_who_needs_what_is_written_is_not_looked_for_among_all_values(
    make: Callable[[int], Callable[[Any], Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0
    before = LiveValues.needs

    def counted(live: LiveValues, value: Any) -> bool:
        nonlocal asked
        asked += 1
        return before(live, value)

    def questions(count: int) -> int:
        nonlocal asked
        asked = 0
        lowered(make(count), TensorSpec([3], tf.float32))
        return asked

    monkeypatch.setattr(LiveValues, "needs", counted)
    assert 0 < questions(20) <= 100
    assert questions(40) < 2.1 * questions(20)
