"""Elements of lists whose rank no trace tells: native code knows it by what is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.compiler.list_ranks import rank_lists
from tensormill.graph.nested_graphs import every_operation
from tensormill.ops.lists.whole_lists import TensorListOfRank

STEPS = 4
STATE = np.array([[0.1, -0.2], [0.3, 0.4]], np.float32)
WEIGHTS = np.array([[0.5, -1.0], [0.2, 0.7]], np.float32)


def array(size: int = 0, dtype: Any = tf.float32) -> Any:
    return tf.TensorArray(
        dtype, size=size, dynamic_size=not size, infer_shape=False, clear_after_read=False
    )


def decoding(state: Any) -> Any:
    """A list of states, each made of the one before, and one of what they say."""
    states, said = array(STEPS + 1), array(STEPS)
    states = states.write(0, state)
    for step in tf.range(STEPS):
        after = tf.tanh(states.read(step) @ WEIGHTS + 0.1)
        states = states.write(step + 1, after)
        said = said.write(step, tf.nn.softmax(after))
    return said.stack(), states.read(STEPS)


def beams(state: Any) -> Any:
    """The best two sums of each row, and where they came from, written and read in turn."""
    parents, totals = array(dtype=tf.int32), array()
    parents = parents.write(0, tf.zeros([2, 2], tf.int32))
    totals = totals.write(0, state)
    for step in tf.range(STEPS):
        given = totals.read(step)[:, :, None] + state[:, None, :]
        best, at = tf.math.top_k(tf.reshape(given, [2, 4]), 2)
        totals, parents = totals.write(step + 1, best), parents.write(step + 1, at // 2)
    place, chain = tf.constant([[0, 1], [0, 1]]), array(STEPS, tf.int32)
    step = tf.constant(STEPS)
    while step > 0:
        place = tf.ensure_shape(tf.gather(parents.read(step), place, batch_dims=1), [2, 2])
        chain = chain.write(step - 1, place)
        step -= 1
    return chain.stack(), totals.gather([STEPS, 0])


def branching(state: Any) -> Any:
    """A list that either branch of a condition in a loop makes longer."""
    items = array()
    for step in tf.range(STEPS):
        if step % 2 == 0:
            items = items.write(items.size(), state * tf.cast(step, tf.float32))
        else:
            items = items.write(items.size(), -state[:1])
    return items.concat(), items.read(1)


def of_numbers(state: Any) -> Any:
    items = array(STEPS)
    for step in tf.range(STEPS):
        items = items.write(step, tf.reduce_sum(state) + tf.cast(step, tf.float32))
    return items.read(2) * 2.0, items.stack()


def inside_of_a_call(state: Any) -> Any:
    @tf.function
    def doubled(items: Any) -> Any:
        return items.write(1, items.read(0) * 2.0)

    return doubled(array(2).write(0, state)).stack()


def with_gradient(state: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(state)
        said, last = decoding(state)
        loss = tf.reduce_sum(said[:, :, 0]) + tf.reduce_sum(last * last)
    return loss, tape.gradient(loss, state)


PROGRAMS = (decoding, beams, branching, of_numbers, inside_of_a_call, with_gradient)


@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_runs_in_python(program: Callable[..., Any]) -> None:
    compiled = tf.function(program)

    compiled(tf.constant(STATE))

    assert not compiled.report().callbacks


@pytest.mark.parametrize("program", PROGRAMS)
def test_results_are_those_of_evaluation(program: Callable[..., Any]) -> None:
    state = tf.constant(STATE)
    with backends.using("reference"):
        expected = tf.function(program)(state)

    found = tf.function(program)(state)

    for one, other in zip(tf.nest.flatten(expected), tf.nest.flatten(found), strict=True):
        np.testing.assert_allclose(other.numpy(), one.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_rank_is_assumed_once(program: Callable[..., Any]) -> None:
    graph = tf.function(program).get_concrete_function(tf.constant(STATE)).callee.graph
    told = [one for one in every_operation(rank_lists(graph)) if one.op is TensorListOfRank]

    lists = [one.operands[0] for one in told]
    assert len(lists) == len(set(lists))
    assert not any(one.results[0] in lists for one in told)


def test_traces_still_say_nothing() -> None:
    shapes: list[Any] = []

    @tf.function
    def read(x: Any) -> Any:
        element = array(2).write(0, x).read(0)
        shapes.append(element.shape)
        return element

    assert read(tf.constant(STATE)).shape == (2, 2)
    assert [one.rank for one in shapes] == [None]
    assert read.get_concrete_function(tf.constant(STATE)).output_shapes.rank is None


def test_elements_may_differ_in_rank() -> None:
    @tf.function
    def mixed(x: Any, more: Any) -> Any:
        items = array(2).write(0, x)
        if more:
            items = items.write(0, tf.stack([x, x]))
        return items.read(0)

    assert mixed(tf.constant(STATE), tf.constant(True)).shape == (2, 2, 2)
    assert mixed(tf.constant(STATE), tf.constant(False)).shape == (2, 2)


def test_a_branch_may_know_more_of_a_gradient_than_what_reaches_it() -> None:
    def gradient(x: Any, n: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, total = x + 1.0, tf.constant(0.0)
            items = array(2).write(0, x).write(1, tf.reduce_sum(x))
            if n == 0:
                y = items.read(n)
            for _ in tf.range(2):
                total = tf.reduce_sum(y) ** 2
            total += tf.reduce_sum(tf.tanh(y))
        return tape.gradient(total, x)

    x, traced = tf.constant([0.5, -1.0]), tf.function(gradient)
    for n in (0, 1):
        np.testing.assert_allclose(gradient(x, tf.constant(n)), traced(x, tf.constant(n)), 1e-5)


def test_lists_of_different_ranks_may_change_places() -> None:
    @tf.function
    def swapped(x: Any, count: Any) -> Any:
        one, other = array(1).write(0, x), array(1).write(0, tf.stack([x, x]))
        for _ in tf.range(count):
            one, other = other, one
        return one.read(0)

    shapes = [swapped(tf.constant(STATE), tf.constant(count)).shape.rank for count in range(3)]
    assert shapes == [2, 3, 2]


def test_a_rank_that_grows_in_a_loop_is_not_assumed() -> None:
    @tf.function
    def deeper(x: Any, count: Any) -> Any:
        items = array(1).write(0, x)
        for _ in tf.range(count):
            items = items.write(0, tf.expand_dims(items.read(0), 0))
        return items.read(0)

    ranks = [deeper(tf.constant(STATE), tf.constant(count)).shape.rank for count in range(3)]
    assert ranks == [2, 3, 4]


READERS: tuple[Callable[[Any], Any], ...] = (
    lambda items: items.read(1),
    lambda items: items.stack(),
    lambda items: items.gather([1, 0]),
)


@pytest.mark.parametrize("mode", ["reference", "cpu"])
@pytest.mark.parametrize("element", [1.0, [1.0, 2.0]])
@pytest.mark.parametrize("reader", READERS)
def test_what_was_never_written_has_no_shape(reader: Any, element: Any, mode: str) -> None:
    @tf.function
    def read(count: Any, size: Any) -> Any:
        items = tf.TensorArray(tf.float32, size=size, infer_shape=False)
        for k in tf.range(count):
            items = items.write(k, tf.constant(element))
        return reader(items)

    with backends.using(mode):
        with pytest.raises(tf.errors.InvalidArgumentError):
            read(tf.constant(0), tf.constant(3))
        written = read(tf.constant(1), tf.constant(3)).numpy()
    assert not written.all()


@pytest.mark.parametrize("mode", ["reference", "cpu"])
def test_no_elements_of_unknown_rank_make_no_tensor(mode: str) -> None:
    @tf.function
    def stacked(count: Any) -> Any:
        items = array()
        for k in tf.range(count):
            items = items.write(k, tf.constant(STATE))
        return items.stack()

    with backends.using(mode):
        with pytest.raises(tf.errors.InvalidArgumentError):
            stacked(tf.constant(0))
        assert stacked(tf.constant(2)).shape == (2, 2, 2)


def test_errors_tell_the_users_line() -> None:
    @tf.function
    def unwritten(count: Any) -> Any:
        items = array(2)
        for k in tf.range(count):
            items = items.write(k, tf.constant(STATE))
        return items.stack()  # here

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"items\.stack\(\)  # here"):
        unwritten(tf.constant(0))
