"""`tf.test.compute_gradient` and the rest of `tf.test`; Jacobians are TensorFlow's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


@pytest.mark.parametrize(
    ("f", "x", "expected"),
    [
        (lambda x: x * x, [tf.constant([1.0, 2.0])], [[[2, 0], [0, 4]]]),
        (tf.matmul, [tf.ones([2, 2], tf.float64), tf.ones([2, 1], tf.float64)],
         [[[1, 1, 0, 0], [0, 0, 1, 1]], [[1, 1], [1, 1]]]),
        (lambda x: x * x, [tf.constant([1 + 2j])], [[[2, -4], [4, 2]]]),
        (lambda x: tf.constant([1.0]), [[1.0]], [[[0]]]),
        (lambda x: tf.gather(x, [0]), [[1.0, 2.0]], [[[1, 0]]]),
    ],
    ids=["squares", "product", "complex", "constant", "slices"],
)  # fmt: skip
def test_gradients_and_differences_are_jacobians(f: Any, x: Any, expected: Any) -> None:
    by_gradients, by_differences = tf.test.compute_gradient(f, x)

    for one, other, jacobian in zip(by_gradients, by_differences, expected, strict=True):
        assert jacobian == one.tolist()
        np.testing.assert_allclose(other, jacobian, atol=1e-3)


def test_differences_need_floats_in_a_list() -> None:
    with pytest.raises(ValueError, match="must be a list"):
        tf.test.compute_gradient(tf.square, tf.constant([1.0]))  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="int32 of argument 0"):
        tf.test.compute_gradient(tf.square, [1])


def graph_def(value: float, name: str = "x") -> Any:
    graph = tf.Graph()
    with graph.as_default():
        tf.constant(value, name=name)
    return graph.as_graph_def()


def test_graphs_are_compared_node_by_node() -> None:
    tf.test.assert_equal_graph_def(graph_def(1.0), graph_def(1.0))
    with pytest.raises(AssertionError, match="Node 'x' differs"):
        tf.test.assert_equal_graph_def(graph_def(1.0), graph_def(2.0))
    with pytest.raises(AssertionError, match=r"missing are \['x'\], not expected are \['y'\]"):
        tf.test.assert_equal_graph_def(graph_def(1.0), graph_def(1.0, "y"))
    with pytest.raises(TypeError, match="got int"):
        tf.test.assert_equal_graph_def(graph_def(1.0), 1)


def test_processors_are_those_of_llvm() -> None:
    assert tf.test.is_cpu_target_available("aarch64")
    with pytest.raises(AssertionError, match="Unknown CPU target: 'z80'"):
        tf.test.is_cpu_target_available("z80")
