"""Gradients through branches, loops, calls and TensorArrays, of first and second order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.autodiff.graphs.invariants import active_variables
from tensormill.graph.builder import trace_graph
from tensormill.graph.ir import Graph
from tests.autodiff.finite_differences import gradients_of
from tests.autodiff.modes import MODES, assert_differentiates
from tests.visits import visits


def power(x: Any, n: int) -> Any:
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a * x), [0, tf.ones_like(x)])[1]


@pytest.mark.sampled(among="gradients of control flow")
def test_a_loop() -> None:
    assert_differentiates(lambda x: power(x, 3), 2.0, orders=(1, 2, 3))


@pytest.mark.sampled(among="gradients of control flow")
def test_a_loop_over_vectors_with_something_that_stays_the_same() -> None:
    def function(x: Any, w: Any) -> Any:
        return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.tanh(a * w)), [0, x])[1]

    assert_differentiates(function, [0.5, -0.3], [1.1, 0.7])


def test_a_loop_that_does_not_run() -> None:
    assert_differentiates(lambda x: power(x, 0) + x * x, 2.0)


@pytest.mark.sampled(among="gradients of control flow")
def test_a_loop_whose_length_depends_on_data() -> None:
    def function(x: Any) -> Any:
        return tf.while_loop(lambda a: a < 100.0, lambda a: (a * x,), [x])[0]

    assert_differentiates(function, 2.5)


@pytest.mark.sampled(among="gradients of control flow")
@pytest.mark.parametrize("x", [1.3, -0.4])
def test_a_branch(x: float) -> None:
    def function(x: Any, y: Any) -> Any:
        return tf.cond(x > 0.0, lambda: tf.sin(x) * y * x, lambda: y * y + x)

    assert_differentiates(function, x, 0.7)


def test_a_branch_that_does_not_depend_on_a_source_gives_zero() -> None:
    def function(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cond(x > 0.0, lambda: tf.constant(3.0), lambda: x * x)
        return tape.gradient(y, x)

    assert tf.function(function)(tf.constant(1.0)).numpy() == 0.0


@pytest.mark.sampled(among="gradients of control flow")
@pytest.mark.parametrize("index", [0, 1, 5])
def test_one_of_several_branches(index: int) -> None:
    def function(x: Any) -> Any:
        branches = [lambda: x * x, lambda: tf.sin(x), lambda: x * x * x]
        return tf.switch_case(tf.constant(index), branches)

    assert_differentiates(function, 0.6)


@pytest.mark.sampled(among="gradients of control flow")
def test_a_loop_with_a_loop_and_a_branch_in_it() -> None:
    def inner(a: Any, w: Any, count: Any) -> Any:
        def body(i: Any, a: Any) -> Any:
            return i + 1, tf.tanh(a * w) + a

        return tf.while_loop(lambda i, a: i < count, body, [0, a])[1]

    def body(i: Any, a: Any, w: Any) -> Any:
        a = inner(a, w, i)
        return i + 1, tf.cond(a > 0.8, lambda: inner(a, w, 2), lambda: tf.sin(a) * w), w

    def function(x: Any, w: Any) -> Any:
        return tf.while_loop(lambda i, *_: i < 4, body, [0, x, w])[1]

    assert_differentiates(function, 0.5, 1.1)


@pytest.mark.sampled(among="gradients of control flow")
def test_a_function_that_is_called() -> None:
    @tf.function
    def callee(x: Any, w: Any) -> Any:
        return power(x, 2) * w, tf.cond(x > w, lambda: x * x, lambda: w * x)

    def function(x: Any, w: Any) -> Any:
        product, chosen = callee(x, w)
        return product + chosen * w

    assert_differentiates(function, 0.5, 1.1)


@pytest.mark.sampled(among="gradients of control flow")
def test_a_function_that_is_called_in_a_loop() -> None:
    @tf.function
    def callee(x: Any) -> Any:
        return tf.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, tf.sin(a) * x), [0, x])[1]

    def function(x: Any) -> Any:
        return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, callee(a) + x), [0, x])[1]

    assert_differentiates(function, 0.7)


@pytest.mark.sampled(among="gradients of control flow")
def test_an_array_that_a_loop_writes() -> None:
    def function(x: Any) -> Any:
        array = tf.TensorArray(x.dtype, size=3)

        def body(i: Any, a: Any, array: Any) -> Any:
            return i + 1, a * x, array.write(i, a * x)

        return tf.while_loop(lambda i, *_: i < 3, body, [0, x, array])[2].stack()

    assert_differentiates(function, [2.0, 0.5])


@pytest.mark.sampled(among="gradients of control flow")
def test_an_array_that_a_loop_reads_and_writes() -> None:
    def function(x: Any) -> Any:
        array = tf.TensorArray(x.dtype, size=0, dynamic_size=True).write(0, x).write(1, x * x)

        def body(i: Any, array: Any) -> Any:
            return i + 1, array.write(i, array.read(i - 1) * array.read(i - 2))

        return tf.while_loop(lambda i, _: i < 5, body, [2, array])[1].read(4)

    assert_differentiates(function, 1.1)


@pytest.mark.sampled(among="gradients of control flow")
def test_an_array_from_outside_that_a_loop_reads_more_than_once() -> None:
    def function(x: Any) -> Any:
        rows = tf.TensorArray(x.dtype, size=3).unstack(x)

        def body(i: Any, total: Any) -> Any:
            return i + 1, total * rows.read(0) + rows.read(i) * rows.read(i)

        return tf.while_loop(lambda i, _: i < 3, body, [0, tf.ones_like(x[0])])[1]

    assert_differentiates(function, [[1.0, 0.2], [0.3, 0.7], [1.1, -0.4]])


def pieces_joined(x: Any, lengths: list[int]) -> Any:
    pieces = tf.TensorArray(x.dtype, size=3, infer_shape=False).split(x, lengths)
    joined = tf.TensorArray(x.dtype, size=2, infer_shape=False)
    return joined.write(0, pieces.read(1) * pieces.read(1)).write(1, pieces.read(0)).concat()


@pytest.mark.sampled(among="gradients of control flow")
def test_scatter_gather_split_and_concat() -> None:
    def function(x: Any) -> Any:
        array = tf.TensorArray(x.dtype, size=4).scatter([2, 0], x)
        product = tf.reduce_sum(array.stack() * array.gather([2, 2, 0, 0]))
        return product + pieces_joined(x[0], [1, 1, 1])

    assert_differentiates(function, [[1.0, 0.5, 0.2], [0.3, 2.0, 0.1]])


@pytest.mark.parametrize("mode", ["eager", "evaluated"])
def test_pieces_of_different_lengths(mode: str) -> None:
    derivatives = gradients_of(lambda x: pieces_joined(x, [1, 2, 0]))
    (found,) = MODES[mode](derivatives, np.array([2.0, 3.0, 5.0]))
    np.testing.assert_array_equal([1.0, 6.0, 10.0], found)


@pytest.mark.sampled(among="gradients of control flow")
@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.map_fn(lambda row: row * row * x[0], x),
        lambda x: tf.scan(lambda a, row: a * row, x),
        lambda x: tf.foldl(lambda a, row: a * row + row, x),
    ],
    ids=["map_fn", "scan", "foldl"],
)
def test_maps_scans_and_folds(function: Any) -> None:
    assert_differentiates(function, [[1.0, 0.5], [0.3, 0.8]])


@pytest.mark.sampled(among="gradients of control flow")
def test_rows_gathered_in_a_loop() -> None:
    def function(x: Any) -> Any:
        def body(i: Any, total: Any) -> Any:
            return i + 1, total + tf.gather(x, i) * tf.gather(x, [0])[0] * x[1]

        return tf.while_loop(lambda i, _: i < 3, body, [0, tf.zeros_like(x[0])])[1]

    assert_differentiates(function, [[1.0, 0.2], [0.3, 0.7], [1.1, -0.4]])


def test_a_variable_that_a_loop_reads() -> None:
    weight = tf.Variable(1.5, dtype=tf.float64)

    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * weight), [0, x])[1]
        return tape.gradient(y, weight)

    for mode in MODES.values():
        np.testing.assert_allclose(3 * 1.5**2 * 2.0, mode(gradient, np.float64(2.0))[0])


@pytest.mark.parametrize(
    "body",
    [
        lambda x, w: x * 2.0 + tf.stop_gradient(w),
        lambda x, w: x * 2.0 + tf.round(w),
        lambda x, w: x * 2.0 + tf.cast(tf.argmax(w), tf.float32),
        lambda x, w: kept_from(x, w),
    ],
    ids=["stop_gradient", "round", "argmax", "custom_gradient"],
)
def test_what_a_loop_uses_has_zeros_where_no_gradient_flows_to_it(body: Any) -> None:
    variable = tf.Variable([3.0, 4.0])

    @tf.function
    def looped(x: Any, w: Any) -> Any:
        for _ in tf.range(2):
            x = body(x, w)
        return x

    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    for taken in (w, variable):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = looped(x, taken)
        by_x, by_taken = tape.gradient(y, [x, taken])
        np.testing.assert_array_equal([4.0, 4.0], by_x)
        np.testing.assert_array_equal([0.0, 0.0], by_taken)


@tf.custom_gradient
def kept_from(x: Any, w: Any) -> Any:
    return x * w, lambda dy: (dy * 2.0, None)


@pytest.mark.parametrize("taken", ["shape", "nothing"])
def test_what_a_loop_does_not_use_has_no_gradient(taken: str) -> None:
    @tf.function
    def looped(x: Any, w: Any) -> Any:
        for _ in tf.range(2):
            x = x * 2.0 + (tf.zeros_like(w) if taken == "shape" else 0.0)
        return x

    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = looped(x, w)
    assert tape.gradient(y, w) is None


def test_a_variable_that_a_loop_changes() -> None:
    state = tf.Variable(1.0)

    def gradient(x: Any) -> Any:
        state.assign(1.0)

        def body(i: Any, a: Any) -> Any:
            state.assign_add(1.0)
            return i + 1, a * x * state.read_value()

        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(lambda i, a: i < 2, body, [0, tf.constant(1.0)])[1]
        return tape.gradient(y, x)

    for mode in MODES.values():
        np.testing.assert_allclose(2 * 2.0 * 3.0 * 0.5, mode(gradient, np.float32(0.5))[0])
        assert state.numpy() == 3.0


def test_a_call_is_traced_once_however_often_it_is_differentiated() -> None:
    traces: list[int] = []

    @tf.function
    def cube(x: Any) -> Any:
        traces.append(1)
        return x * x * x

    x = tf.constant(3.0)
    for _ in range(2):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = cube(x)
            first = inner.gradient(y, x)
        assert (first.numpy(), outer.gradient(first, x).numpy()) == (27.0, 18.0)
    assert traces == [1]
    assert cube.experimental_get_tracing_count() == 1


def test_a_persistent_tape_that_records_its_own_gradient_through_a_call() -> None:
    @tf.function
    def cube(x: Any) -> Any:
        return power(x, 3)

    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        first = tape.gradient(cube(x), x)
    assert (12.0, 12.0) == (first.numpy(), tape.gradient(first, x).numpy())


def test_three_orders_through_a_call_that_one_persistent_tape_records() -> None:
    @tf.function
    def cube(x: Any) -> Any:
        return x * x * x

    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        first = tape.gradient(cube(x), x)
        second = tape.gradient(first, x)
    assert tape.gradient(second, x).numpy() == 6.0


def powers_of(w: Any, n: Any) -> Any:
    """1.5 w³ where n is 2."""
    y = tf.zeros_like(w)
    for _ in tf.range(n):
        y = 0.5 * y + w * w * w
    return y


def derivatives_of_powers(w: Any, n: Any) -> list[Any]:
    with tf.GradientTape() as outermost:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = powers_of(w, n)
            first = inner.gradient(y, w)
        second = outer.gradient(first, w)
    return [first, second, outermost.gradient(second, w)]


def derivatives_by_one_tape(w: Any, n: Any) -> list[Any]:
    with tf.GradientTape(persistent=True) as tape:
        first = tape.gradient(powers_of(w, n), w)
        second = tape.gradient(first, w)
    return [first, second, tape.gradient(second, w)]


@pytest.mark.parametrize("derivatives", [derivatives_of_powers, derivatives_by_one_tape])
@pytest.mark.parametrize("staged", [False, True])
def test_three_orders_by_a_variable_that_a_loop_reads(derivatives: Any, staged: bool) -> None:
    w = tf.Variable(2.0)
    call = tf.function(lambda n: derivatives(w, n)) if staged else lambda n: derivatives(w, n)

    assert [18.0, 18.0, 9.0] == [one.numpy() for one in call(tf.constant(2))]


def test_a_hessian_by_two_variables_that_a_loop_reads() -> None:
    w, b = tf.Variable(2.0), tf.Variable(3.0)

    @tf.function
    def hessian(n: Any) -> list[Any]:
        with tf.GradientTape(persistent=True) as outer:
            with tf.GradientTape() as inner:
                y = tf.constant(1.0)
                for _ in tf.range(n):
                    y = y * w + b * b * w
            first = inner.gradient(y, [w, b])
        return [outer.gradient(one, [w, b]) for one in first]

    found = hessian(tf.constant(2))  # y = w² + b² w² + b² w

    assert [[20.0, 30.0], [30.0, 12.0]] == [[one.numpy() for one in row] for row in found]


def test_what_a_loop_carries_is_followed_once() -> None:
    """A shift register hands a gradient on by one variable in each iteration."""

    def register(count: int) -> Graph:
        specs = [tf.TensorSpec([3])] * count
        return trace_graph(lambda *xs: [2.0 * x for x in (xs[0], *xs[:-1])], specs).graph

    def steps(count: int) -> int:
        body = register(count)
        return visits(lambda: active_variables(body, [0]))

    assert active_variables(register(20), [5]) == [*range(5, 20)]
    assert steps(40) < 2.1 * steps(20)


@pytest.mark.parametrize("inside", ["branch", "loop", "function"])
def test_what_is_defined_by_other_operations_has_its_gradient_within(inside: str) -> None:
    """Its expansion is differentiated in the graph of the way back, where operands are captured."""
    w, chosen = tf.Variable([[1.0], [2.0]]), tf.constant([True, False])

    def rows(x: Any) -> Any:
        return tf.raw_ops.Select(condition=chosen, x=x * w, y=x)

    @tf.function
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            if inside == "branch":
                y = tf.cond(chosen[0], lambda: rows(x), lambda: x)
            elif inside == "loop":
                _, y = tf.while_loop(lambda k, y: k < 2, lambda k, y: (k + 1, rows(y)), (0, x))
            else:
                y = tf.function(rows)(x)
        return tape.gradient(y, w)

    expected = {"branch": [[3.0], [0.0]], "loop": [[6.0], [0.0]], "function": [[3.0], [0.0]]}
    assert expected[inside] == gradient(tf.constant([[3.0], [4.0]])).numpy().tolist()
