"""Datasets are divided between replicas as TensorFlow divides them (2.21, run beside these)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.distribution.test_replicas import mirrored

D: Any = tf.distribute
Data: Any = tf.data.Dataset


def shown(element: Any) -> Any:
    """An element with lists in place of values of all replicas."""
    return tf.nest.map_structure(lambda leaf: [as_list(one) for one in leaf.values], element)


def as_list(value: Any) -> Any:
    return value.to_list() if hasattr(value, "to_list") else np.asarray(value).tolist()


def by_policy(name: str, dataset: Any) -> Any:
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy[name]
    return dataset.with_options(options)


def halves(rows: Any) -> Any:
    return {"a": rows, "b": [rows, rows]}


CUT: dict[str, tuple[int, Callable[[], Any], list[Any]]] = {
    "whole": (2, lambda: Data.range(8).batch(4), [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]),
    "uneven": (2, lambda: Data.range(8).batch(5), [[[0, 1, 2], [3, 4]], [[5, 6], [7]]]),
    "too few": (2, lambda: Data.range(2).batch(1), [[[0], []], [[1], []]]),
    "in three": (3, lambda: Data.range(7).batch(4), [[[0, 1], [2, 3], []], [[4], [5], [6]]]),
    "of vectors": (2, lambda: Data.from_tensors(np.arange(6)), [[[0, 1, 2], [3, 4, 5]]]),
    "ragged": (
        2, lambda: Data.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [4]])).batch(3),
        [[[[1], [2, 3]], [[4]]]],
    ),
    "structured": (
        3, lambda: Data.range(1).batch(4).map(halves),
        [{"a": [[0], [], []], "b": [[[0]], [[0]], []]}],
    ),
    "tuples of one": (
        2, lambda: Data.from_tensor_slices((np.arange(3),)).batch(4), [([[0, 1], [2]],)],
    ),
    "by data": (
        3, lambda: by_policy("DATA", Data.range(5).batch(4).repeat(2)),
        [[[0, 1], [2, 3], []], [[4], [], []]] * 2,
    ),
    "of all rows": (
        3, lambda: by_policy("OFF", Data.range(5).batch(4).repeat(2)),
        [[[0, 1], [2], [3]], [[4, 0], [1], [2]], [[3, 4], [], []]],
    ),
    "by files": (2, lambda: by_policy("FILE", Data.range(2).batch(1)), [[[0], []], [[1], []]]),
    "none": (2, lambda: Data.range(0).batch(4), []),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("what", CUT)
def test_global_batches_are_cut(what: str) -> None:
    replicas, make, expected = CUT[what]

    assert expected == [
        shown(one) for one in mirrored(replicas).experimental_distribute_dataset(make())
    ]


def test_specs_know_sizes_where_parts_are_equal() -> None:
    strategy = mirrored()
    whole, open_ended = (
        strategy.experimental_distribute_dataset(Data.range(9).batch(4, drop_remainder=drops))
        for drops in (True, False)
    )
    spec = "TensorSpec(shape=({},), dtype=tf.int64, name=None)"

    assert f"PerReplicaSpec({spec.format(2)}, {spec.format(2)})" == repr(whole.element_spec)
    assert f"PerReplicaSpec({spec.format(None)}, {spec.format(None)})" == repr(
        open_ended.element_spec
    )
    assert 3 == open_ended.cardinality


def test_rows_are_wanted() -> None:
    with pytest.raises(IndexError, match="wants a dataset of batches"):
        mirrored().experimental_distribute_dataset(Data.range(3))


DEALT: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "in turn": (
        lambda context: Data.range(7).batch(context.get_per_replica_batch_size(4)),
        [[[0, 1], [2, 3]], [[4, 5], [6]]],
    ),
    "some without": (lambda _: Data.range(5).batch(2), [[[0, 1], [2, 3]], [[4], []]]),
    "constant sizes": (lambda _: Data.range(6).batch(2, drop_remainder=True), [[[0, 1], [2, 3]]]),
    "scalars": (lambda _: Data.range(3), [[0, 1]]),
    "strings": (
        lambda _: Data.from_tensor_slices(["a", "b", "c"]).batch(1),
        [[[b"a"], [b"b"]], [[b"c"], []]],
    ),
}


@pytest.mark.parametrize("what", DEALT)
def test_batches_of_replicas_are_dealt(what: str) -> None:
    make, expected = DEALT[what]

    found = mirrored().distribute_datasets_from_function(make)
    assert expected == [shown(one) for one in found]


def test_each_replica_may_have_a_dataset() -> None:
    options = D.InputOptions(experimental_replication_mode=D.InputReplicationMode.PER_REPLICA)
    found = mirrored().distribute_datasets_from_function(
        lambda context: Data.range(3 + 2 * context.input_pipeline_id).batch(2), options
    )

    assert [[[0, 1], [0, 1]], [[2], [2, 3]], [[], [4]]] == [shown(one) for one in found]


def test_loops_in_functions_go_over_parts() -> None:
    strategy = mirrored()
    data = strategy.experimental_distribute_dataset(Data.range(7).batch(4))

    def step(rows: Any) -> Any:
        return 10 * tf.reduce_sum(rows) + tf.size(rows, tf.int64)

    @tf.function
    def epoch(data: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for rows in data:
            total += strategy.reduce("SUM", strategy.run(step, args=(rows,)), axis=None)
        return total

    iterator = iter(data)
    assert 217 == epoch(data).numpy()
    assert [[0, 1], [2, 3]] == shown(next(iterator))
    assert 10 * (4 + 5 + 6) + 3 == epoch(iterator).numpy()
    assert not iterator.get_next_as_optional().has_value()
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()
    sums = data.reduce(np.int64(0), lambda total, rows: total + strategy.reduce("SUM", rows, 0))
    assert 21 == sums.numpy()
