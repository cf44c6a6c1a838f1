"""tf.xla.experimental: older ways to ask for compiled code."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf


def test_a_computation_gives_a_list_of_tensors() -> None:
    pair = tf.xla.experimental.compile(lambda x, y: (x + y, x - y), [3.0, 1.0])

    assert [4.0, 2.0] == [float(one) for one in pair]
    assert [2.0] == [float(one) for one in tf.xla.experimental.compile(lambda: tf.constant(2.0))]
    assert tf.xla.experimental.compile(lambda: None) is None
    with pytest.raises(TypeError, match="a list or a tuple"):
        tf.xla.experimental.compile(lambda x: x, 3)  # pyright: ignore[reportArgumentType]


def test_a_computation_keeps_the_structure_of_what_is_no_flat_sequence() -> None:
    named = tf.xla.experimental.compile(lambda x: {"a": x, "b": x + 1}, [1.0])
    nested = tf.xla.experimental.compile(lambda x: (x, [x + 1, x + 2]), [1.0])

    assert {"a": 1.0, "b": 2.0} == tf.nest.map_structure(float, named)
    assert (1.0, [2.0, 3.0]) == tf.nest.map_structure(float, nested)
    with pytest.raises(ValueError, match="None values are not supported"):
        tf.xla.experimental.compile(lambda x: (x, None), [1.0])


def test_a_scope_is_for_functions() -> None:
    @tf.function
    def increased(x: Any) -> Any:
        with tf.xla.experimental.jit_scope():
            return x + 1

    assert 2 == int(increased(1))
    with pytest.raises(RuntimeError, match=r"inside tf\.function"), tf.xla.experimental.jit_scope():
        pass
