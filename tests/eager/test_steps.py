"""What eager execution does around a kernel, counted in calls of functions, Python's and C's."""

from __future__ import annotations

import pytest

import tensormill as tf
from tensormill.ops.dispatch.placements import installed
from tests.visits import visits

X, ROWS = tf.constant([1.0, 2.0]), tf.constant([[1.0, 2.0]])


@pytest.fixture(autouse=True)
def no_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operations ask for layouts once a program has imported dtensor, as another test may have."""
    monkeypatch.setattr(installed, "placements", None)


def test_an_operation_takes_few_steps_around_its_kernel() -> None:
    tf.math.is_nan(X)

    assert visits(lambda: tf.math.is_nan(X)) <= 30


def test_what_operands_are_asked_takes_few_steps() -> None:
    tf.squeeze(ROWS, 0)

    assert visits(lambda: tf.squeeze(ROWS, 0)) <= 48


def test_operators_take_hardly_more_than_their_kernel() -> None:
    X + X

    assert visits(lambda: X + X) <= 5
