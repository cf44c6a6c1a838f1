"""One replica on one device, as TensorFlow's default strategy answers."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf


def test_the_default_strategy_runs_here_and_once() -> None:
    strategy = tf.distribute.get_strategy()

    assert 1 == strategy.num_replicas_in_sync
    assert 5 == strategy.run(lambda x, y: x + y, args=(2,), kwargs={"y": 3})
    assert (7,) == strategy.experimental_local_results(7)
    assert not tf.distribute.has_strategy()
    assert not tf.distribute.in_cross_replica_context()
    with strategy.scope() as entered:
        assert entered is strategy
        assert not tf.distribute.has_strategy()


def test_values_are_reduced_along_an_axis_only() -> None:
    strategy = tf.distribute.get_strategy()

    assert 3.0 == strategy.reduce("SUM", tf.constant([1.0, 2.0]), axis=0).numpy()
    assert 1.5 == strategy.reduce(tf.distribute.ReduceOp.MEAN, [1.0, 2.0], axis=0).numpy()
    assert [1.0, 2.0] == strategy.reduce("sum", [1.0, 2.0], axis=None)
    with pytest.raises(ValueError, match="MEDIAN"):
        strategy.reduce("median", [1.0], axis=0)


def test_updates_call_the_function_with_the_variable() -> None:
    strategy, variable = tf.distribute.get_strategy(), tf.Variable(1.0)

    with strategy.extended.colocate_vars_with(variable):
        strategy.extended.update(variable, lambda v, by: v.assign_add(by), args=(2.0,))

    assert 3.0 == variable.numpy()


def test_what_all_replicas_have_is_what_this_one_has() -> None:
    context = tf.distribute.get_replica_context()
    slices = tf.IndexedSlices(tf.ones([1, 2]), [0])

    found = context.all_reduce(tf.distribute.ReduceOp.SUM, {"a": [1.0], "b": slices})

    assert 1.0 == found["a"][0].numpy()
    assert found["b"] is slices
    assert (0, 1) == (context.replica_id_in_sync_group, context.num_replicas_in_sync)
    assert context.strategy is context.merge_call(lambda strategy: strategy)


@pytest.mark.parametrize(
    "ask",
    [
        tf.distribute.cluster_resolver.TPUClusterResolver,
        tf.distribute.cluster_resolver.TPUClusterResolver.connect,
        tf.distribute.TPUStrategy,
        tf.distribute.experimental.TPUStrategy,
        tf.tpu.experimental.initialize_tpu_system,
        tf.tpu.experimental.shutdown_tpu_system,
    ],
)
def test_a_value_error_says_that_there_are_no_tpus(ask: Any) -> None:
    with pytest.raises(ValueError, match="Please provide a TPU Name to connect to"):
        ask()
    with pytest.raises(ValueError, match="'there': there are no TPUs here"):
        ask("there")


def test_an_input_context_tells_the_share_of_a_replica() -> None:
    of_four = tf.distribute.InputContext(num_input_pipelines=2, num_replicas_in_sync=4)

    assert (2, 0) == (of_four.num_input_pipelines, of_four.input_pipeline_id)
    assert 2 == of_four.get_per_replica_batch_size(8)
    assert 7 == tf.distribute.InputContext().get_per_replica_batch_size(7)
    with pytest.raises(ValueError, match="`global_batch_size` 7 is not divisible by"):
        of_four.get_per_replica_batch_size(7)


def test_a_dataset_of_the_default_strategy_is_its_own() -> None:
    strategy = tf.distribute.get_strategy()
    dataset = tf.data.Dataset.range(3)

    assert strategy.experimental_distribute_dataset(dataset) is dataset
    assert strategy.distribute_datasets_from_function(lambda context: dataset) is dataset
