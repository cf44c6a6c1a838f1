"""What eager execution does around a kernel, counted in calls of functions, Python's and C's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf
from tensormill.eager.kernels.learning import SOME_CALLS
from tensormill.ops.dispatch.placements import installed
from tests.visits import visits

X, ROWS, V = tf.constant([1.0, 2.0]), tf.constant([[1.0, 2.0]]), tf.Variable([1.0, 2.0])
COLUMNS = tf.constant([[1.0], [2.0]])


@pytest.fixture(autouse=True)
def no_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operations ask for layouts once a program has imported dtensor, as another test may have."""
    monkeypatch.setattr(installed, "placements", None)


def steps(run: Callable[[], Any]) -> int:
    """How many functions a call takes, once those before have made a kernel and written it."""
    for _ in range(SOME_CALLS + 1):
        run()
    return visits(run)


def test_an_operation_takes_few_steps_around_its_kernel() -> None:
    assert steps(lambda: tf.math.is_nan(X)) <= 8
    assert steps(lambda: tf.add(X, X)) <= 9
    assert steps(lambda: tf.matmul(ROWS, ROWS, transpose_b=True)) <= 64
    assert steps(lambda: ROWS @ COLUMNS) <= 28


def test_what_operands_are_asked_takes_few_steps() -> None:
    assert steps(lambda: tf.squeeze(ROWS, 0)) <= 42


def test_operators_take_hardly_more_than_their_kernel() -> None:
    assert steps(lambda: X + X) <= 6
    assert steps(lambda: 1.0 - X) <= 9
    assert steps(lambda: V * X) <= 10


def test_a_tape_adds_few_steps_to_an_operation() -> None:
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(X)
        assert steps(lambda: X * X) <= 21
        assert steps(lambda: V * X) <= 42
