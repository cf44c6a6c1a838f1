"""Variables, tapes and generators in and around staged code: eagerly, by reference, compiled."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends


def reference(function: Callable[..., Any]) -> Callable[..., Any]:
    staged = tf.function(function)

    def run(*arguments: Any) -> Any:
        with backends.using("reference"):
            return staged(*arguments)

    return run


WAYS = {"eager": lambda function: function, "reference": reference, "compiled": tf.function}
each_way = pytest.mark.parametrize("way", list(WAYS.values()), ids=list(WAYS))


@each_way
@pytest.mark.parametrize(("x", "expected"), [(2.0, [4.0, 12.0]), (-2.0, [-1.0, -2.0])])
def test_a_variable_assigned_in_both_branches(x: float, expected: list[float], way: Any) -> None:
    v, count = tf.Variable(1.0), tf.Variable(0)

    def choose(x: Any) -> Any:
        if x > 0.0:
            v.assign(x * x)
            count.assign_add(1)
            result = v * 3.0
        else:
            v.assign_add(x)
            count.assign_sub(1)
            result = v * 2.0
        return result

    assert way(choose)(tf.constant(x)).numpy() == expected[1]
    assert v.numpy() == expected[0]
    assert count.numpy() == (1 if x > 0 else -1)


@each_way
def test_gradients_by_a_variable_that_branches_and_loops_read_and_change(way: Any) -> None:
    v = tf.Variable(2.0)

    def total(n: Any) -> Any:
        with tf.GradientTape() as tape:
            y = tf.constant(1.0)
            for i in tf.range(n):
                if i % 2 == 0:
                    y = y * v
                else:
                    y = y + v * v
                    v.assign_add(1.0)
        return y, tape.gradient(y, v)

    y, gradient = way(total)(tf.constant(4))
    # v = 2: y = v, y = v + v², then v = 3: y = 3 (2 + 4), y = 18 + 9.
    assert y.numpy() == 27.0
    assert gradient.numpy() == (1 + 2 * 2) * 3 + 6 + 2 * 3
    assert v.numpy() == 4.0


@each_way
def test_training_within_a_loop(way: Any) -> None:
    w, b = tf.Variable([0.0, 0.0]), tf.Variable(0.0)
    x = tf.constant([[1.0, 2.0], [2.0, 0.5], [-1.0, 1.0], [0.3, -0.7]])
    y = tf.linalg.matvec(x, [1.5, -2.0]) + 0.25

    def train(steps: Any) -> Any:
        loss = tf.constant(0.0)
        for _ in tf.range(steps):
            with tf.GradientTape() as tape:
                error = tf.linalg.matvec(x, w) + b - y
                loss = tf.reduce_mean(error * error)
            for variable, gradient in zip([w, b], tape.gradient(loss, [w, b]), strict=True):
                variable.assign_sub(0.2 * gradient)
        return loss

    assert way(train)(tf.constant(150)).numpy() < 1e-6
    np.testing.assert_allclose([1.5, -2.0, 0.25], [*w.numpy(), b.numpy()], atol=1e-2)


@each_way
def test_a_tape_around_a_function_that_changes_what_it_reads(way: Any) -> None:
    v = tf.Variable(3.0)

    def step() -> Any:
        before = v * v
        v.assign(before)
        return before + v

    with tf.GradientTape() as tape:
        y = way(step)()

    assert y.numpy() == 18.0
    assert tape.gradient(y, v).numpy() == 7.0
    assert v.numpy() == 9.0


@each_way
def test_second_order_by_a_variable_through_nested_functions(way: Any) -> None:
    v = tf.Variable(2.0)
    cube = tf.function(lambda: v * v * v)

    @tf.function
    def powers(n: Any) -> Any:
        y = tf.constant(1.0)
        for _ in tf.range(n):
            y = y * cube()
        return y

    def second(n: Any) -> Any:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = powers(n)
            gradient = inner.gradient(y, v)
        return outer.gradient(gradient, v)

    assert way(second)(tf.constant(2)).numpy() == 30 * 2.0**4


@each_way
def test_tangents_of_variables_through_functions_and_branches(way: Any) -> None:
    v, w = tf.Variable(2.0), tf.Variable([1.0, 3.0])
    inner = tf.function(lambda x: tf.reduce_sum(w * x) * v)

    def pushed(x: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(
            [v, w], [tf.constant(1.0), tf.constant([10.0, 20.0])]
        ) as accumulator:
            y = inner(x)
            for _ in tf.range(2):
                if tf.reduce_sum(x) > 0.0:
                    y = y + inner(x) * v
                else:
                    y = y * 0.0
        return accumulator.jvp(y)

    # y = s v + 2 s v², s = 4: with ds = 30, dv = 1.
    assert way(pushed)(tf.ones([2])).numpy() == 30 * 2 + 4 + 2 * (30 * 4 + 4 * 2 * 2)


@each_way
def test_an_early_return_out_of_nested_loops_keeps_what_was_assigned(way: Any) -> None:
    seen = tf.Variable(tf.zeros([3, 3], tf.int32))

    def search(table: Any, wanted: Any) -> Any:
        for i in tf.range(3):
            for j in tf.range(3):
                seen.assign(tf.tensor_scatter_nd_update(seen, [[i, j]], [1]))
                if table[i, j] == wanted:
                    return i * 10 + j
        return -1

    table = tf.constant([[5, 3, 8], [1, 9, 2], [7, 6, 4]])
    assert int(way(search)(table, tf.constant(9))) == 11
    np.testing.assert_array_equal([[1, 1, 1], [1, 1, 0], [0, 0, 0]], seen)
    assert int(way(search)(table, tf.constant(0))) == -1


@each_way
def test_generators_and_contexts_around_loops_that_change_state(way: Any) -> None:
    log = tf.Variable(0.0)

    @contextmanager
    def counted(amount: float) -> Any:
        log.assign_add(amount)
        yield
        log.assign_add(amount * 100.0)

    def rows(x: Any) -> Any:
        for k in range(2):
            with counted(1.0):
                yield x * (k + 1.0)

    def run(x: Any) -> Any:
        total = tf.zeros_like(x)
        for row in rows(x):
            with counted(10.0):
                for _ in tf.range(2):
                    total = total + row
                    log.assign_add(1000.0)
        return total

    np.testing.assert_array_equal([6.0, 12.0], way(run)(tf.constant([1.0, 2.0])))
    assert log.numpy() == 2 * 101.0 + 2 * 1010.0 + 4 * 1000.0


@each_way
def test_a_custom_gradient_with_a_variable_in_a_loop(way: Any) -> None:
    v = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        def gradient(dy: Any, variables: Any = None) -> Any:
            return dy * v, [dy * x * 1000.0]

        return x * v, gradient

    def total(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(3):
                y = scaled(y)
        return tape.gradient(y, [x, v])

    dx, dv = way(total)(tf.constant(1.0))
    assert dx.numpy() == 8.0
    assert dv.numpy() == 1000.0 * 3 * 4.0


@each_way
def test_random_numbers_in_a_loop_are_those_that_the_value_used(way: Any) -> None:
    generator = tf.random.Generator.from_seed(3)
    x = tf.constant([1.0, 2.0])

    def noisy(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.zeros([2])
            for _ in tf.range(3):
                y = y + x * generator.normal([2])
        return y, tape.gradient(y, x)

    y, gradient = way(noisy)(x)
    np.testing.assert_allclose(y, gradient * x, rtol=1e-6)


@each_way
def test_losses_of_one_tape_in_a_loop_of_python(way: Any) -> None:
    v = tf.Variable(1.5)

    def gradients(x: Any) -> Any:
        found = []
        with tf.GradientTape(persistent=True) as tape:
            losses = []
            for k in range(3):
                y = x
                for _ in tf.range(k):
                    y = y * v
                losses.append(y)
                with tape.stop_recording():
                    found.append(v * 0.0)
        return [tape.gradient(loss, v, unconnected_gradients="zero") for loss in losses] + found

    found = [float(one) for one in way(gradients)(tf.constant(2.0))]
    assert found == [0.0, 2.0, 6.0, 0.0, 0.0, 0.0]
