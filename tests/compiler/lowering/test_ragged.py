"""Lists whose elements differ in shape: compiled code does with them what eager code does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tests.compiler.lowering.test_lists import grown_megabytes


def array(size: int = 0, shape: Any = (None,)) -> Any:
    return tf.TensorArray(
        tf.float32, size=size, dynamic_size=not size, infer_shape=False, element_shape=shape
    )


def every_way(fn: Callable[..., Any], *arguments: Any) -> list[list[Any]]:
    """What `fn` gives eagerly, evaluated and compiled."""
    ways = [fn(*arguments), tf.function(fn)(*arguments)]
    with backends.using("reference"):
        ways.append(tf.function(fn)(*arguments))
    return [[one.numpy().tolist() for one in tf.nest.flatten(way)] for way in ways]


def growing(count: Any) -> Any:
    items = array()
    for k in tf.range(count):
        items = items.write(k, tf.cast(tf.range(k + 1), tf.float32))
    return items


@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_elements_may_have_lengths_of_their_own(count: int) -> None:
    def fn(n: Any) -> Any:
        items = growing(n)
        return items.concat(), items.read(0), items.read(n - 1), items.size()

    eager, compiled, evaluated = every_way(fn, tf.constant(count))

    assert compiled == eager == evaluated
    assert compiled[0] == [float(j) for k in range(count) for j in range(k + 1)]


def test_nothing_runs_in_python_where_the_rank_is_known() -> None:
    fn = tf.function(lambda n: growing(n).concat())
    fn(tf.constant(4))

    assert "in Python" not in str(fn.report())


def test_ranks_may_differ_too() -> None:
    def fn() -> Any:
        items = array(3, None)
        items = items.write(0, [1.0, 2.0]).write(1, 3.0).write(2, [[4.0], [5.0]])
        return items.read(0), items.read(1), items.read(2)

    assert every_way(fn) == [[[1.0, 2.0], 3.0, [[4.0], [5.0]]]] * 3


def test_an_element_may_take_another_shape_and_all_may_agree_again() -> None:
    def fn(x: Any) -> Any:
        items = array(2).write(0, x).write(1, x[:1])
        items = items.write(1, x * 2.0)
        return items.stack()

    assert every_way(fn, tf.constant([1.0, 2.0])) == [[[[1.0, 2.0], [2.0, 4.0]]]] * 3


def test_elements_of_different_shapes_cannot_be_stacked() -> None:
    fn = tf.function(lambda n: growing(n).stack())

    assert fn(tf.constant(1)).numpy().tolist() == [[0.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="same shape"):
        fn(tf.constant(2))


def test_what_was_never_written_has_no_shape_among_different_ones() -> None:
    @tf.function
    def fn(x: Any) -> Any:
        return array(3).write(0, x).write(1, x[1:]).read(2)

    with pytest.raises(tf.errors.InvalidArgumentError, match="never written"):
        fn(tf.constant([1.0, 2.0]))


def test_pieces_of_a_split_are_read_and_joined_again() -> None:
    def fn(x: Any, lengths: Any) -> Any:
        items = array(3, (None, 2)).split(x, lengths)
        return items.read(0), items.read(1), items.read(2), items.concat()

    x = tf.reshape(tf.range(12.0), [6, 2])
    eager, compiled, evaluated = every_way(fn, x, tf.constant([1, 0, 5]))

    assert compiled == eager == evaluated
    assert compiled[3] == x.numpy().tolist()


def test_a_copy_does_not_see_what_is_written_later() -> None:
    def fn(x: Any) -> Any:
        first = array(2).write(0, x).write(1, x[:1])
        second = first.identity().write(0, x[:1] * 5.0).write(1, x * 7.0)
        return first.concat(), second.concat()

    assert every_way(fn, tf.constant([1.0, 2.0])) == [[[1.0, 2.0, 1.0], [5.0, 7.0, 14.0]]] * 3


def test_a_branch_may_choose_between_them() -> None:
    def fn(x: Any, flag: Any) -> Any:
        items = array(2).write(0, x)
        if flag:
            items = items.write(1, x[:1])
        else:
            items = items.write(1, x)
        return items.concat()

    for flag, expected in (True, [1.0, 2.0, 1.0]), (False, [1.0, 2.0, 1.0, 2.0]):
        ways = every_way(fn, tf.constant([1.0, 2.0]), tf.constant(flag))
        assert ways == [[expected]] * 3


def test_gradients_go_back_to_the_pieces() -> None:
    def fn(x: Any) -> Any:
        items = array(3)
        with tf.GradientTape() as tape:
            tape.watch(x)
            for k in tf.range(3):
                items = items.write(k, x[: k + 1])
            weights = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
            y = tf.reduce_sum(items.concat() * weights) + items.read(1)[1] * 100.0
        return tape.gradient(y, x)

    compiled = tf.function(fn)(tf.constant([1.0, 2.0, 3.0]))
    assert compiled.numpy().tolist() == [7.0, 108.0, 6.0]


def test_a_list_goes_to_python_and_back() -> None:
    """Scattering is a callback step."""

    def fn(x: Any) -> Any:
        items = array(3).write(0, x[:1]).write(2, x)
        return items.scatter([1], tf.expand_dims(x * 2.0, 0)).concat()

    assert every_way(fn, tf.constant([1.0, 2.0])) == [[[1.0, 2.0, 4.0, 1.0, 2.0]]] * 3


def test_iterations_give_back_the_ragged_lists_that_they_make() -> None:
    @tf.function
    def fn(count: Any) -> Any:
        total = tf.constant(0.0)
        for _ in tf.range(count):
            items = array()
            for j in tf.range(4):
                items = items.write(j, tf.ones([64 * (j + 1)]))
            total += tf.reduce_sum(items.concat())
        return total

    assert fn(tf.constant(10)).numpy() == 6400.0
    assert grown_megabytes(lambda: fn(tf.constant(20_000))) < 16


def test_random_writes_and_reads_agree_with_a_list_of_arrays() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)] * 2)
    def fn(places: Any, sizes: Any) -> Any:
        items = tf.TensorArray(
            tf.int32, 5, infer_shape=False, element_shape=[None, 2], clear_after_read=False
        )
        for k in tf.range(5):
            items = items.write(k, tf.zeros([1, 2], tf.int32))
        for k in tf.range(tf.size(places)):
            items = items.write(places[k], tf.fill([sizes[k], 2], k))
        return items.concat()

    draw = np.random.default_rng(1)
    for _ in range(20):
        count = draw.integers(0, 12)
        places, sizes = draw.integers(0, 5, count), draw.integers(0, 4, count)
        model = [np.zeros((1, 2), np.int32)] * 5
        for k in range(count):
            model[places[k]] = np.full((sizes[k], 2), k, np.int32)
        found = fn(tf.constant(places, tf.int32), tf.constant(sizes, tf.int32))
        np.testing.assert_array_equal(found.numpy(), np.concatenate(model))
