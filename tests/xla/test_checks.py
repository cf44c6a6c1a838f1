"""What a program finds wrong is raised when it is over, as if it had ended there."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill import backends


@pytest.fixture(autouse=True)
def _on_xla() -> Any:
    with backends.using("xla"):
        yield


def test_a_failed_check_leaves_later_changes_out() -> None:
    v = tf.Variable(0)

    @tf.function
    def divide(n: Any) -> Any:
        v.assign_add(1)
        found = 6 // n
        v.assign_add(10)
        return found

    assert divide(tf.constant(2)).numpy() == 3
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)6 // n.*zero"):
        divide(tf.constant(0))

    assert v.numpy() == 12


def test_a_failed_check_ends_a_loop() -> None:
    turns = tf.Variable(0)

    @tf.function
    def count(n: Any) -> Any:
        total = 0
        while total < 1000:
            turns.assign_add(1)
            total += 12 // n
            n -= 1
        return total

    with pytest.raises(tf.errors.InvalidArgumentError, match="zero"):
        count(tf.constant(3))

    assert turns.numpy() == 4
