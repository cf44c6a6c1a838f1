"""Lists in programs: arrays with room for elements, and more room where that was not enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.ops.math.circular import Sin


@pytest.fixture(autouse=True)
def _on_xla() -> Any:
    with backends.using("xla"):
        yield


def test_the_gradient_of_a_loop_whose_turns_only_the_run_knows() -> None:
    steps = tf.Variable(0)

    @tf.function
    def slope(x: Any, n: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            while tf.cast(n, tf.float64) > 0.0:
                y = tf.sin(y) * x
                n -= 1
                steps.assign_add(1)
        return tape.gradient(y, x)

    def expected(x: float, n: int) -> float:
        y, dy = x, 1.0
        for _ in range(n):
            y, dy = np.sin(y) * x, np.cos(y) * dy * x + np.sin(y)
        return dy

    for n in (3, 40, 0):  # 40 is more than there is room for at first
        found = slope(tf.constant(1.3, tf.float64), tf.constant(n))
        np.testing.assert_allclose(found.numpy(), expected(1.3, n), rtol=1e-12)
    assert steps.numpy() == 43  # the run that was too short has changed nothing
    assert not slope.report().callbacks


def test_arrays_of_tensors_that_loops_and_branches_write() -> None:
    @tf.function
    def rows(x: Any) -> Any:
        array = tf.TensorArray(tf.float32, 4)
        for i in tf.range(4):
            if i % 2 == 0:
                array = array.write(i, x * tf.cast(i, tf.float32))
        return array.stack(), array.size()

    found, size = rows(tf.constant([1.0, 2.0]))

    assert found.numpy().tolist() == [[0, 0], [0, 0], [2, 4], [0, 0]]
    assert size.numpy() == 4
    assert not rows.report().callbacks


def test_a_list_whose_length_only_a_run_knows_is_stacked_on_the_cpu() -> None:
    @tf.function
    def digits(n: Any) -> Any:
        array = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        while n > 0:
            array = array.write(array.size(), n % 10)
            n //= 10
        return array.stack() * 2

    assert digits(tf.constant(407)).numpy().tolist() == [14, 0, 8]
    assert digits(tf.constant(19)).numpy().tolist() == [18, 2]
    assert "TensorListStack" in str(digits.report())


def test_what_is_said_of_a_place_that_is_not_there_tells_the_length() -> None:
    @tf.function
    def read(x: Any) -> Any:
        return tf.TensorArray(tf.float32, 2).write(0, x).read(-1)

    with pytest.raises(tf.errors.OutOfRangeError, match=r"element -1 in a list with 2 elements"):
        read(tf.constant(1.0))


def asked(monkeypatch: pytest.MonkeyPatch, function: Any, *operands: Any) -> int:
    """How often the rule of Sin is asked while the programs of a call are made."""
    count = 0
    rule = Sin.xla

    def counting(self: Any, xla: Any) -> Any:
        nonlocal count
        count += 1
        return rule(self, xla)

    monkeypatch.setattr(Sin, "xla", counting)
    function(*operands)
    return count


def nested(depth: int, x: Any, n: Any) -> Any:
    """`depth` loops, one in the other, whose innermost turn takes a sine."""
    if not depth:
        return tf.sin(x)
    for _ in tf.range(n):
        x = nested(depth - 1, x, n)
    return x


def listed(depth: int, rows: Any, x: Any, n: Any) -> Any:
    """The same; the innermost turn makes a list longer that all of them carry."""
    if not depth:
        return rows.write(rows.size(), tf.sin(x))
    for _ in tf.range(n):
        rows = listed(depth - 1, rows, x, n)
    return rows


@pytest.mark.parametrize("depth", [1, 3])
def test_a_body_in_loops_in_loops_is_read_once(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    function = tf.function(lambda x, n: nested(depth, x, n))

    assert asked(monkeypatch, function, tf.constant(1.0), tf.constant(2)) == 1


@pytest.mark.parametrize("depth", [1, 3])
def test_a_body_that_makes_a_list_longer_is_read_once_more_for_each_loop(
    depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    @tf.function
    def function(x: Any, n: Any) -> Any:
        return listed(depth, tf.TensorArray(tf.float32, 0, dynamic_size=True), x, n).size()

    assert asked(monkeypatch, function, tf.constant(1.0), tf.constant(2)) <= 1 + depth
    assert function(tf.constant(1.0), tf.constant(2)).numpy() == 2**depth


def test_both_branches_are_read_once_whatever_lists_they_give(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @tf.function
    def function(x: Any) -> Any:
        rows = tf.TensorArray(tf.float32, 2)
        if x > 0.0:
            rows = rows.write(1, tf.sin(x))
        return rows.stack()

    assert asked(monkeypatch, function, tf.constant(0.5)) == 1
    assert function(tf.constant(-1.0)).numpy().tolist() == [0.0, 0.0]


def test_a_list_may_be_as_long_as_only_the_run_knows() -> None:
    @tf.function
    def last_of(n: Any) -> Any:
        rows = tf.TensorArray(tf.int32, n)
        for i in tf.range(n):
            rows = rows.write(i, i * i)
        return rows.read(n - 1), rows.size()

    for n in (3, 40, 5):  # 40 is more than there is room for at first
        assert [one.numpy() for one in last_of(tf.constant(n))] == [(n - 1) ** 2, n]
    with pytest.raises(tf.errors.OutOfRangeError, match="element -1 in a list with 0 elements"):
        last_of(tf.constant(0))
    assert not last_of.report().callbacks
