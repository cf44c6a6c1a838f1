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


ROWS = np.ones((3, 2), np.float32)
PAIR = np.array([2, 3], np.int32)
OTHER = np.array([2, 4], np.int32)
RAW = tf.raw_ops
UNFIT: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "any axes": (lambda x, y: RAW.SoftplusGrad(gradients=x, features=y), [ROWS, ROWS[:1]]),
    "any axes after one": (
        lambda x, v: RAW.InplaceAdd(x=x, i=[0, 1], v=v), [ROWS, ROWS[:2, :1]],
    ),
    "as many rows as numbers": (lambda x, v: RAW.InplaceAdd(x=x, i=[0], v=v), [ROWS, ROWS[:2]]),
    "rows of a list": (
        lambda x, y: RAW.ParallelConcat(values=[x, y], shape=[4, 2]), [ROWS, ROWS[:1]],
    ),
    "a list": (
        lambda x, y: RAW.ConcatOffset(concat_dim=0, shape=[x, y]), [PAIR[:1], PAIR],
    ),
    "other axes": (
        lambda x, y: RAW.ConcatOffset(concat_dim=0, shape=[x, y]),
        [PAIR, OTHER],
    ),
    "an axis": (
        lambda x, y: RAW.ConcatOffset(concat_dim=x, shape=[y, y]), [np.int32(2), OTHER],
    ),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("name", UNFIT)
def test_operands_of_other_forms_fit_when_they_run(name: str) -> None:
    function, operands = UNFIT[name]
    specs = [tf.TensorSpec(None, one.dtype) for one in operands]

    for run in (function, tf.function(function, input_signature=specs)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run(*operands)


def test_a_number_of_unknown_rank_is_true_where_it_is_not_zero() -> None:
    spec = tf.TensorSpec(None, tf.float32)
    is_true = tf.function(lambda x: RAW.ToBool(input=x), input_signature=[spec])

    assert [False, True, True] == [bool(is_true(x)) for x in (0.0, 0.5, [0.0])]
    assert not is_true(tf.zeros([0]))


def test_operands_of_known_sizes_are_checked_with_the_others() -> None:
    """Along all axes a reduction reads values alone, whatever their places are."""

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int64), tf.TensorSpec([3])])
    def largest(places: Any, values: Any) -> Any:
        return tf.raw_ops.SparseReduceMax(
            input_indices=places, input_values=values, input_shape=tf.constant([2, 3], tf.int64),
            reduction_axes=[0, 1],
        )  # fmt: skip

    assert largest(tf.constant([[0, 0], [0, 2], [1, 1]], tf.int64), [1.0, 3.0, 2.0]).numpy() == 3
    with pytest.raises(tf.errors.InvalidArgumentError, match="Dimensions must be equal"):
        largest(tf.zeros([3, 0], tf.int64), [1.0, 3.0, 2.0])


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
