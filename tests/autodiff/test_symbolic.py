"""tf.gradients and tf.hessians: gradients of what a graph already contains."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.autodiff.modes import STAGED

STAGED_NAMES = sorted(STAGED)


@pytest.mark.parametrize("function", [tf.gradients, tf.hessians])
def test_eagerly_a_tape_is_wanted(function: Any) -> None:
    with pytest.raises(RuntimeError, match=r"not supported when eager.*Use tf\.GradientTape"):
        function(tf.constant(1.0), tf.constant(1.0))


@pytest.mark.parametrize("mode", STAGED_NAMES)
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: tf.gradients(x * x * x, x), [12.0]),
        (lambda x: tf.gradients(tf.gradients(x * x * x, x)[0], [x]), [12.0]),
        (lambda x: tf.gradients([x * x, 3.0 * x], x), [7.0]),
        (lambda x: tf.gradients(x * x, x, grad_ys=tf.constant(10.0)), [40.0]),
        (lambda x: tf.gradients(tf.constant(1.0), x, unconnected_gradients="zero"), [0.0]),
        (lambda x: tf.gradients(tf.cond(x > 0.0, lambda: x * x * x, lambda: x), x), [12.0]),
    ],
)
def test_gradients(function: Any, expected: list[float], mode: str) -> None:
    assert STAGED[mode](function, np.float32(2.0)) == expected


@pytest.mark.parametrize("mode", STAGED_NAMES)
def test_second_order_through_a_loop(mode: str) -> None:
    def function(x: Any) -> Any:
        y = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1]
        return tf.gradients(tf.gradients(y, x)[0], x)

    assert [48.0] == STAGED[mode](function, np.float32(2.0))


@pytest.mark.parametrize("mode", STAGED_NAMES)
@pytest.mark.parametrize("stopped", [None, "x"])
def test_a_gradient_flows_on_through_what_is_asked_for_as_well(mode: str, stopped: Any) -> None:
    def function(x: Any) -> Any:
        y = tf.exp(x) if stopped else x * x
        z = tf.cond(x > 0.0, lambda: y * y, lambda: y) + x
        return tf.gradients(z, [z, y, x], stop_gradients=[x] if stopped else None)

    y, slope = (np.exp(2.0), np.exp(2.0)) if stopped else (4.0, 4.0)
    expected = [1.0, 2.0 * y, 2.0 * y * slope + 1.0]
    np.testing.assert_allclose(STAGED[mode](function, np.float32(2.0)), expected, 1e-5)


def test_stopped_tensors_are_constants() -> None:
    def function(x: Any) -> Any:
        y = x * x
        return tf.gradients(y * x, [x, y], stop_gradients=[y])

    assert [4.0, 2.0] == STAGED["evaluated"](function, np.float32(2.0))


def test_what_does_not_depend_gives_none() -> None:
    found: list[Any] = []
    tf.function(lambda x: found.extend(tf.gradients(tf.constant(1.0), [x, x])))(tf.constant(1.0))
    assert found == [None, None]


def test_a_variable_is_a_source() -> None:
    v = tf.Variable(3.0)
    assert tf.function(lambda: tf.gradients(v * v, v))()[0].numpy() == 6.0


def test_a_branch_that_changes_state_runs_once() -> None:
    v = tf.Variable(3.0)

    @tf.function(autograph=False)
    def function(x: Any) -> Any:
        y = tf.cond(x > 0.0, lambda: x * v.assign_add(1.0), lambda: x)
        return y, tf.gradients(y, x)[0]

    assert (8.0, 4.0) == function(tf.constant(2.0))
    assert v.numpy() == 4.0


def test_a_loop_that_draws_numbers_is_differentiated_as_it_ran() -> None:
    @tf.function(autograph=False)
    def function(x: Any) -> Any:
        _, y = tf.while_loop(
            lambda i, y: i < 2, lambda i, y: (i + 1, y * tf.random.uniform([], seed=1)), [0, x]
        )
        return y, tf.gradients(y, x)[0], tf.hessians(y * y, x)[0]

    y, first, second = (float(one) for one in function(tf.constant(2.0)))

    assert first == pytest.approx(y / 2.0)
    assert second == pytest.approx(2.0 * (y / 2.0) ** 2)


@pytest.mark.parametrize("mode", STAGED_NAMES)
def test_hessians(mode: str) -> None:
    (found,) = STAGED[mode](
        lambda x: tf.hessians(x * x * x * x[0], x), np.array([1.0, 2.0, 3.0], np.float32)
    )
    np.testing.assert_allclose([[12, 12, 27], [12, 12, 0], [27, 0, 18]], found)


@pytest.mark.parametrize(
    ("in_branch", "before", "expected"),
    [("reads", "reads", 12.0), ("reads", "writes", 20.0), ("writes", "reads", 16.0)],
)
def test_a_branch_stays_where_it_was(in_branch: str, before: str, expected: float) -> None:
    v = tf.Variable(3.0)

    def function(x: Any) -> Any:
        if before == "writes":
            v.assign(5.0)
        read = v.read_value if in_branch == "reads" else lambda: v.assign_add(1.0)
        y = tf.cond(x > 0.0, lambda: x * x * read(), lambda: x)
        v.assign(9.0)
        return tf.gradients(y, x)

    assert [expected] == tf.function(function, autograph=False)(tf.constant(2.0))


def test_second_derivatives_that_do_not_exist_are_refused() -> None:
    by_nothing = tf.function(lambda x, y: tf.hessians(x * x, [x, y]))
    of_a_line = tf.function(lambda x: tf.hessians(3.0 * x, x))

    for function, count in ((by_nothing, 2), (of_a_line, 1)):
        with pytest.raises(ValueError, match=r"tf\.hessians: .* not exist"):
            function(*[tf.constant(1.0)] * count)
