"""tf.group, tf.tuple, tf.no_op."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


def test_eagerly_everything_has_run_already() -> None:
    assert tf.group(tf.constant(1), [tf.constant(2)]) is None
    assert tf.no_op() is None
    x = tf.constant(1.0)
    assert tf.tuple([x, None]) == [x, None]


def test_a_group_runs_after_its_members() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def function() -> Any:
        done = tf.group(v.assign_add(1.0), v.assign_add(2.0))
        with tf.control_dependencies([done]):
            return tf.identity(v.read_value())

    assert function().numpy() == 3.0


def test_a_tuple_waits_for_all_of_it() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def function(x: Any) -> Any:
        first, second, nothing = tf.tuple([x * 2.0, v.assign_add(1.0), None])
        assert nothing is None
        return first, second

    np.testing.assert_array_equal([6.0, 2.0], function(tf.constant(3.0)))


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda: tf.group(1), TypeError, "'inputs' should be zero or more"),
        (lambda: tf.group(x=1), ValueError, "Unknown keyword arguments: x"),
        (lambda: tf.tuple([None]), ValueError, "Must have at least one Tensor"),
        (
            lambda: tf.tuple([tf.constant(1)], control_inputs=[1]),
            TypeError,
            "Control input must be Operation or Tensor",
        ),
    ],
)
def test_mistakes(function: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        tf.function(function)()


@pytest.mark.parametrize(("name", "expected"), [(None, "tuple"), ("both", "both")])
def test_what_a_tuple_applies_is_named_after_it(name: str | None, expected: str) -> None:
    @tf.function
    def function(x: Any) -> Any:
        return tf.tuple([x + 1.0], name=name)

    operations = function.get_concrete_function(tf.constant(1.0)).graph.get_operations()

    names = [one.name for one in operations if one.name.startswith(expected)]
    assert names == [f"{expected}/group_deps", f"{expected}/control_dependency"]
