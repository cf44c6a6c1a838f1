"""Loops that need nothing of each other run at the same time, and nobody can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler import pipeline
from tensormill.compiler.llvm import sides
from tensormill.compiler.loops.ir import Literal, Together
from tensormill.compiler.loops.walk import every_statement
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.compiler.native import threads
from tensormill.compiler.native.memory import reserve_words
from tensormill.config import settings
from tensormill.graph.passes.gathering import gather_loops
from tensormill.graph.passes.order import simplify
from tests.compiler.lowering.random_loops import random_loop
from tests.robust.test_interrupts import LONG, interrupted

VECTOR = tf.TensorSpec([None])
SQUARE = tf.TensorSpec([4, 4])


@pytest.fixture(autouse=True)
def always_worth_it(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """However short sides are they run on threads, and no code comes from elsewhere."""
    monkeypatch.setattr(sides, "spared_work", lambda _: Literal(2**40, "i64"))
    monkeypatch.setattr(pipeline, "open_cache", lambda: None)
    yield
    monkeypatch.undo()
    threads.address("tm_threads")


def with_threads(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(settings, "threads", number)
    threads.address("tm_threads")


def sides_of(fn: Callable[..., Any], *specs: Any) -> list[int]:
    """How many sides there are of what runs together."""
    graph = tf.function(fn, input_signature=specs).get_concrete_function().callee.graph
    program = lower_graph(gather_loops(simplify(graph))).program
    assert program is not None
    found = every_statement(program.body)
    return [len(one.sides) for one in found if isinstance(one, Together)]


def bits(values: Any) -> list[bytes]:
    return [one.numpy().tobytes() for one in tf.nest.flatten(values)]


def recurrent(x: Any, factor: Any, turns: Any = 5) -> tuple[Any, Any]:
    """States that a loop writes into a list, and the last one."""
    states = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    state = x
    for turn in tf.range(turns):
        state = tf.tanh(tf.matmul(state, factor) + x)
        states = states.write(turn, state)
    return states.stack(), state


def two_ways(x: Any, y: Any) -> Any:
    return recurrent(x, y), recurrent(y, x)


def test_independent_loops_are_sides():
    assert sides_of(two_ways, SQUARE, SQUARE) == [2]


def test_gradients_are_sides_as_well():
    def gradients(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            total = sum(tf.reduce_sum(one) for one in tf.nest.flatten(two_ways(x, y)))
        return tape.gradient(total, [x, y])

    assert sides_of(gradients, SQUARE, SQUARE) == [2, 2]


def test_a_loop_that_needs_another_is_no_side():
    assert sides_of(lambda x, y: recurrent(recurrent(x, y)[1], y), SQUARE, SQUARE) == []


def test_loops_of_which_one_calls_python_are_no_sides():
    def fn(x: Any, y: Any) -> Any:
        called = x
        for _ in tf.range(3):
            called = tf.numpy_function(np.cos, [called], tf.float32)
            called.set_shape([4, 4])
        return called, recurrent(x, y)

    assert sides_of(fn, SQUARE, SQUARE) == []


def test_loops_that_draw_or_assign_are_no_sides():
    variable = tf.Variable(tf.zeros([4, 4]))

    def draws(x: Any, y: Any) -> Any:
        drawn = x
        for _ in tf.range(3):
            drawn += tf.random.normal([4, 4])
        return drawn, recurrent(x, y)

    def assigns(x: Any, y: Any) -> Any:
        for _ in tf.range(3):
            variable.assign_add(x)
        return recurrent(x, y)

    assert sides_of(draws, SQUARE, SQUARE) == sides_of(assigns, SQUARE, SQUARE) == []


def with_state(state: Any, between: Callable[[Any], Any]) -> Callable[..., Any]:
    """Loops that begin with what a variable has, which changes in between."""

    def fn(x: Any, y: Any) -> Any:
        first = recurrent(x * state, y)
        between(first)
        return first, recurrent(y * state, x), state.read_value()

    return fn


def test_what_is_assigned_for_a_later_loop_comes_before_the_earlier_one():
    state = tf.Variable(1.0)
    fn = with_state(state, lambda _: state.assign_add(2.0))

    assert sides_of(fn, SQUARE, SQUARE) == [2]
    x, y = tf.ones([4, 4]), tf.ones([4, 4]) / 2.0
    expected = fn(x, y)
    state.assign(1.0)
    for one, other in zip(
        tf.nest.flatten(expected), tf.nest.flatten(tf.function(fn)(x, y)), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_a_loop_that_needs_another_by_a_variable_is_no_side():
    state = tf.Variable(1.0)
    assigns = with_state(state, lambda first: state.assign(tf.reduce_sum(first[1])))

    assert sides_of(assigns, SQUARE, SQUARE) == []


def test_nothing_moves_over_what_is_printed():
    assert sides_of(with_state(tf.Variable(1.0), tf.print), SQUARE, SQUARE) == []


@pytest.mark.parametrize("number", [1, 2])
def test_sides_compute_what_eager_code_does(monkeypatch: pytest.MonkeyPatch, number: int):
    with_threads(monkeypatch, number)
    x, y = (tf.constant(np.random.default_rng(k).normal(size=(4, 4)), tf.float32) for k in (1, 2))

    expected, found = two_ways(x, y), tf.function(two_ways)(x, y)

    for one, other in zip(tf.nest.flatten(expected), tf.nest.flatten(found), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def outcome(fn: Callable[..., Any], *operands: Any) -> Any:
    """The bits of what a function gives, or what it raises, and where."""
    try:
        return bits(fn(*operands))
    except tf.errors.InvalidArgumentError as error:
        lines = str(error).splitlines()
        return lines[2].partition("defined at")[0], lines[-2]


@pytest.mark.sampled(among="random programs")
@pytest.mark.parametrize("seed", range(0, 60, 4))
def test_random_loops_do_not_depend_on_the_number_of_threads(
    monkeypatch: pytest.MonkeyPatch, seed: int
):
    """Nor on whether they run together; some write elements of another size, which fails."""

    def fn(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            made = [random_loop(Random(seed + k), [x, y]) for k in range(4)]
            total = sum(tf.reduce_sum(one * one) for one in made)
        return made, tape.gradient(total, [x, y], unconnected_gradients="zero")

    native, apart = (
        tf.function(fn, input_signature=[VECTOR, VECTOR], autograph=False) for _ in range(2)
    )
    for sizes in ((2, 2), (1, 4), (0, 2)):
        x, y = (tf.range(float(size)) / 3.0 for size in sizes)
        with monkeypatch.context() as patch:
            patch.setattr(pipeline, "gather_loops", lambda graph: graph)
            expected = outcome(apart, x, y)
        for number in (1, 2, 2, 3):
            with_threads(monkeypatch, number)
            assert outcome(native, x, y) == expected


@pytest.mark.parametrize("number", [1, 2])
def test_the_first_side_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, number: int):
    with_threads(monkeypatch, number)

    @tf.function
    def fn(x: Any, first: Any, second: Any) -> Any:
        a = b = tf.constant(0.0)
        for k in tf.range(50):
            a += x[k % first]
        for k in tf.range(90):
            b += tf.gather(x, k % second, axis=0, name="other")
        return a, b

    x = tf.ones([10])
    assert [float(one) for one in fn(x, 10, 10)] == [50.0, 90.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="slice index 10"):
        fn(x, 20, 30)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices.* = 10"):
        fn(x, 10, 30)
    assert [float(one) for one in fn(x, 10, 10)] == [50.0, 90.0]


@pytest.mark.parametrize("turns", [(LONG, LONG), (LONG, 10), (10, LONG)])
def test_a_signal_stops_sides(monkeypatch: pytest.MonkeyPatch, turns: tuple[int, int]):
    """Whichever thread runs the long one."""
    with_threads(monkeypatch, 2)

    @tf.function
    def fn(first: Any, second: Any) -> Any:
        a = b = tf.constant(27, tf.int64)
        for _ in tf.range(first):
            a = tf.where(a % 2 == 0, a // 2, 3 * a + 1)
        for _ in tf.range(second):
            b = tf.where(b % 2 == 0, b // 2, 5 * b + 1)
        return a, b

    few = tf.constant(10, tf.int64)
    expected = bits(fn(few, few))
    with interrupted():
        fn(*(tf.constant(one, tf.int64) for one in turns))
    assert bits(fn(few, few)) == expected


def test_a_side_that_fails_ends_those_behind_it(monkeypatch: pytest.MonkeyPatch):
    with_threads(monkeypatch, 2)

    @tf.function
    def fn(x: Any, first: Any, second: Any) -> Any:
        a, b = tf.constant(0.0), tf.constant(27, tf.int64)
        for k in tf.range(first):
            a += x[k]
        for _ in tf.range(second):
            b = tf.where(b % 2 == 0, b // 2, 3 * b + 1)
        return a, b

    few, many = tf.constant(1, tf.int64), tf.constant(LONG, tf.int64)
    assert float(fn(tf.ones([5]), tf.constant(5), few)[0]) == 5.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="slice index 5"):
        fn(tf.ones([5]), tf.constant(50_000), many)


@pytest.mark.parametrize("number", [1, 2])
def test_what_sides_keep_and_leave_is_given_back(monkeypatch: pytest.MonkeyPatch, number: int):
    """Lists from around are replaced, and grow, in turn after turn."""
    with_threads(monkeypatch, number)

    @tf.function
    def fn(x: Any, turns: Any) -> Any:
        a = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False)
        b = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False)
        for turn in tf.range(turns):
            for k in tf.range(8):
                a = a.write(k, x + tf.cast(turn, tf.float32))
            for k in tf.range(9):
                b = b.write(k + turn % 3, x - tf.cast(turn, tf.float32))
            a = tf.TensorArray(tf.float32, 0, dynamic_size=True).unstack(a.stack()[: turn % 5 + 1])
        return a.stack(), b.stack()

    x = tf.ones([100_000])
    few = [one.numpy() for one in fn(x, tf.constant(7))]
    held = reserve_words.held()
    many = [one.numpy() for one in fn(x, tf.constant(100))]
    np.testing.assert_array_equal(few[0][0], np.full(100_000, 7.0))
    np.testing.assert_array_equal(many[0][0], np.full(100_000, 100.0))
    assert many[1].shape == (11, 100_000)
    assert reserve_words.held() <= 2 * held


def test_loops_stand_around_a_branch_that_writes_and_calls_python():
    v = tf.Variable([1.0, 2.0, 3.0])

    def f(x: Any) -> Any:
        a = b = x
        while tf.reduce_sum(a) < 50.0:
            a = a * 2.0
        if tf.reduce_sum(x) > 3.0:
            v[2].assign(a[1])
            b = tf.py_function(lambda z: z * 2.0, [x], tf.float32)
        while tf.reduce_sum(b) < 90.0:
            b = b * 3.0
        return a, b

    a, b = tf.function(f)(tf.constant([4.0, -3.0, 4.0]))

    assert [64.0, -48.0, 64.0] == a.numpy().tolist()
    assert [72.0, -54.0, 72.0] == b.numpy().tolist()
    assert [1.0, 2.0, -48.0] == v.numpy().tolist()
