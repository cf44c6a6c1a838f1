"""Sparse tensors whose rank tracing does not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf

ROWS = tf.sparse.from_dense([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
ANY = tf.SparseTensorSpec(None, tf.float32)
Call = Callable[[Any], Any]

CALLS: dict[str, Call] = {
    **{
        f"reduce_{kind}, {axis}, keepdims {kept}": lambda x, kind=kind, axis=axis, kept=kept: (
            getattr(tf.sparse, f"reduce_{kind}")(x, axis, kept)
        )
        for kind in ("sum", "max")
        for axis in (None, 0, -1, [0, 1], [1, -2], [])
        for kept in (False, True)
    },
    "reduce_sum, sparse": lambda x: tf.sparse.reduce_sum(x, 1, output_is_sparse=True),
    "reduce_max, sparse, keepdims": lambda x: tf.sparse.reduce_max(x, 0, True, True),
    **{f"expand_dims, {k}": lambda x, k=k: tf.sparse.expand_dims(x, k) for k in (None, 0, 2, -3)},
    **{f"split, {k}": lambda x, k=k: tf.sparse.split(x, 2, k) for k in (0, 1, -1)},
    **{f"concat, {k}": lambda x, k=k: tf.sparse.concat(k, [x, x]) for k in (0, 1, -1)},
    **{f"concat of both, {k}": lambda x, k=k: tf.sparse.concat(k, [ROWS, x]) for k in (0, -1)},
    "concat, expanding": lambda x: tf.sparse.concat(1, [x, tf.sparse.eye(1, 1)], True),
    "rank": tf.rank,
}


def listed(result: Any) -> Any:
    if isinstance(result, list):
        return [listed(one) for one in result]
    if isinstance(result, tf.SparseTensor):
        return [listed(one) for one in (result.indices, result.values, result.dense_shape)]
    return result.numpy().tolist()


@pytest.mark.sampled
@pytest.mark.parametrize("name", CALLS)
def test_results_are_those_of_known_ranks(name: str) -> None:
    call = CALLS[name]
    traced = tf.function(call, input_signature=[ANY])

    assert listed(call(ROWS)) == listed(traced(ROWS))


def test_axes_may_be_known_to_the_run_alone() -> None:
    summed = tf.function(lambda x, axis: tf.sparse.reduce_sum(x, axis))

    for spec in (ROWS, ANY):
        traced = summed.get_concrete_function(spec, tf.TensorSpec(None, tf.int32))
        assert [3.0, 3.0] == traced(ROWS, tf.constant([1])).numpy().tolist()
        assert [1.0, 3.0, 2.0] == traced(ROWS, tf.constant(-2)).numpy().tolist()


@pytest.mark.sampled
@pytest.mark.parametrize(
    "call",
    [
        lambda x: tf.sparse.reduce_sum(x, 2),
        lambda x: tf.sparse.expand_dims(x, 3),
        lambda x: tf.sparse.expand_dims(x, -4),
        lambda x: tf.sparse.split(x, 1, 2),
        lambda x: tf.sparse.split(x, 5, 0),
        lambda x: tf.sparse.concat(2, [x, x]),
        lambda x: tf.sparse.concat(0, [x, tf.sparse.eye(2)]),
        lambda x: tf.sparse.concat(0, [x, tf.sparse.from_dense([1.0])]),
    ],
    ids=range(8),
)
def test_axes_that_are_not_there_are_refused_when_it_runs(call: Call) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(call, input_signature=[ANY])(ROWS)


def test_parts_are_cut_along_axes_that_only_the_run_knows() -> None:
    parts = tf.function(
        lambda x, axis: (
            tf.raw_ops.SparseSplit(
                split_dim=axis, indices=x.indices, values=x.values, shape=x.dense_shape, num_split=2
            ).output_values
        ),
        input_signature=[ANY, tf.TensorSpec([], tf.int64)],
    )

    for axis, expected in ((0, [[1.0, 2.0], [3.0]]), (-1, [[1.0, 3.0], [2.0]])):
        assert expected == listed(list(parts(ROWS, tf.constant(axis, tf.int64))))
