"""Other shapes of computed elements: split, merged and unit axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.text import text
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.graph.builder import trace_graph

SHAPES = [
    ([6], [2, 3]), ([24], [2, 3, 4]), ([4, 6], [4, 2, 3]), ([4, 6], [2, 2, 6]),
    ([4, 6], [2, 2, 3, 2]), ([2, 3], [6]), ([2, 3, 4], [2, 12]), ([2, 3, 4], [4, 6]),
    ([1, 6], [6, 1]), ([2, 1, 3], [1, 2, 3]), ([6, 1], [1, 2, 3]), ([1], []), ([], [1, 1]),
    ([0, 3], [3, 0]), ([0], [0, 5]), ([0, 6], [0, 2, 3]),
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("old", "new"), SHAPES)
def test_elements_keep_their_order(old: Sequence[int], new: Sequence[int]) -> None:
    x = np.arange(np.prod(old, dtype=int), dtype=np.float32).reshape(old)

    @tf.function(autograph=False)
    def function(x: tf.Tensor) -> tf.Tensor:
        return tf.reshape(x * 2.0 + 1.0, new) - 1.0

    np.testing.assert_array_equal(function(tf.constant(x)), 2.0 * x.reshape(new))


def test_rows_of_unknown_number_are_split() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 6])])
    def function(x: tf.Tensor) -> tf.Tensor:
        return tf.reshape(x + 1.0, [tf.shape(x)[0], 2, 3])

    for rows in (0, 1, 5):
        x = np.arange(6.0 * rows, dtype=np.float32).reshape(rows, 6)
        np.testing.assert_array_equal(function(tf.constant(x)), (x + 1.0).reshape(rows, 2, 3))


@pytest.mark.parametrize(
    ("old", "new"), [([6], [2, 3]), ([4, 6], [2, 2, 2, 3]), ([2, 3], [1, 2, 3, 1])]
)
def test_axes_that_split_need_no_memory(old: list[int], new: list[int]) -> None:
    graph = trace_graph(lambda x: tf.reshape(x * 2.0, new), [tf.TensorSpec(old)]).graph
    program = lower_graph(graph).program

    assert program is not None
    assert "allocate" not in text(program)
