"""Operands whose sizes only a run knows are checked where they are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

PLACES, SIZES = [[0, 1], [1, 0]], [2, 2]
OF_ANY_SIZES = (
    tf.TensorSpec([None, None], tf.int64), tf.TensorSpec([None]), tf.TensorSpec([None], tf.int64),
)  # fmt: skip


def reordered(places: Any, values: Any, sizes: Any) -> Any:
    return tf.raw_ops.SparseReorder(input_indices=places, input_values=values, input_shape=sizes)


def dense(places: Any, values: Any, sizes: Any) -> Any:
    return tf.sparse.to_dense(tf.SparseTensor(places, values, sizes))


def doubled(places: Any, values: Any, sizes: Any) -> Any:
    given = tf.SparseTensor(places, tf.ones_like(values), sizes)
    return tf.sparse.to_dense(given.with_values(tf.multiply(values, 2.0)))


@pytest.mark.parametrize("function", [reordered, dense, doubled])
def test_parts_of_sparse_tensors_fit_when_they_run(function: Callable[..., Any]) -> None:
    compiled = tf.function(function, input_signature=OF_ANY_SIZES)

    expected = tf.nest.flatten(function(PLACES, [1.0, 2.0], SIZES))
    for found, wanted in zip(
        tf.nest.flatten(compiled(PLACES, [1.0, 2.0], SIZES)), expected, strict=True
    ):
        np.testing.assert_array_equal(found, wanted)
    for parts in ((PLACES, [1.0], SIZES), (PLACES, [1.0, 2.0], [2, 2, 2])):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be equal"):
            compiled(*parts)


def test_what_nobody_reads_need_not_fit() -> None:
    @tf.function(input_signature=OF_ANY_SIZES)
    def places_of(places: Any, values: Any, sizes: Any) -> Any:
        tf.SparseTensor(places, values, sizes)
        return places

    assert places_of(PLACES, [1.0], SIZES).numpy().tolist() == PLACES


def test_parts_that_are_known_to_fit_are_not_looked_at() -> None:
    graph = tf.function(dense).get_concrete_function(PLACES, [1.0, 2.0], SIZES).graph

    assert not any(one.type == "TensormillFitting" for one in graph.get_operations())


def test_gradients_go_through_the_check() -> None:
    @tf.function(input_signature=OF_ANY_SIZES)
    def slope(places: Any, values: Any, sizes: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(values)
            y = tf.reduce_sum(dense(places, values, sizes) ** 2)
        return tape.gradient(y, values)

    np.testing.assert_array_equal(slope(PLACES, [1.0, 2.0], SIZES), [2, 4])


def test_a_saved_function_has_no_operation_of_ours(tmp_path: Any) -> None:
    module = tf.Module()
    module.dense = tf.function(dense, input_signature=OF_ANY_SIZES)
    tf.saved_model.save(module, str(tmp_path))

    assert b"Tensormill" not in (tmp_path / "saved_model.pb").read_bytes()
    loaded = tf.saved_model.load(str(tmp_path)).dense
    np.testing.assert_array_equal(loaded(PLACES, [1.0, 2.0], SIZES), [[0, 1], [2, 0]])
