"""Strategies over one device answer as TensorFlow's do over one CPU (2.21, run beside these)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.eager.devices import choices

D: Any = tf.distribute
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
SUM = D.ReduceOp.SUM

KINDS: dict[str, Callable[[], Any]] = {
    "one device": lambda: D.OneDeviceStrategy("/cpu:0"),
    "mirrored": D.MirroredStrategy,
    "several workers": D.MultiWorkerMirroredStrategy,
    "central": D.experimental.CentralStorageStrategy,
}


@pytest.fixture(params=KINDS)
def strategy(request: Any) -> Any:
    return KINDS[request.param]()


def test_a_scope_stands_above_all_replicas(strategy: Any) -> None:
    with strategy.scope() as given:
        inside = tf.Variable(1.0)

        assert given is strategy is D.get_strategy()
        assert D.has_strategy()
        assert D.in_cross_replica_context()
        assert D.get_replica_context() is None
    assert not D.has_strategy()
    assert strategy.extended.variable_created_in_scope(inside)
    assert not strategy.extended.variable_created_in_scope(tf.Variable(1.0))


def test_a_run_is_a_replica_of_its_own(strategy: Any) -> None:
    def step(x: Any, by: float = 1.0) -> Any:
        context = D.get_replica_context()
        assert context.strategy is strategy
        assert not D.in_cross_replica_context()
        assert (0, 1) == (context.replica_id_in_sync_group, context.num_replicas_in_sync)
        merged = context.merge_call(
            lambda given, y: (given, D.in_cross_replica_context(), y), args=(x,)
        )
        assert (strategy, True, x) == merged
        return context.all_reduce(SUM, x) * by, context.all_gather(tf.stack([x]), axis=0)

    total, gathered = strategy.run(step, args=(tf.constant(2.0),), kwargs={"by": 3.0})

    assert 6.0 == total.numpy()
    assert [2.0] == gathered.numpy().tolist()


@pytest.mark.parametrize("call", ["run", "reduce", "gather", "scope"])
def test_what_stands_above_replicas_is_refused_within(strategy: Any, call: str) -> None:
    calls: dict[str, Any] = {
        "run": lambda: strategy.run(lambda: 1),
        "reduce": lambda: strategy.reduce(SUM, 1.0, axis=None),
        "gather": lambda: strategy.gather(1.0, axis=0),
        "scope": lambda: strategy.scope().__enter__(),
    }
    with pytest.raises(RuntimeError, match="requires being in cross-replica context"):
        strategy.run(calls[call])


def test_strategies_are_not_mixed(strategy: Any) -> None:
    with (
        strategy.scope(),
        pytest.raises(RuntimeError, match="Mixing different"),
    ):
        D.OneDeviceStrategy("/cpu:0").run(lambda: 1)
    with pytest.raises(RuntimeError, match="Need to be inside"):
        strategy.extended.colocate_vars_with(tf.Variable(1.0))


@pytest.mark.parametrize(
    ("operation", "value", "axis", "expected"),
    [
        ("SUM", [[1, 3]], (0, 1), np.int32(4)),
        ("MEAN", [1.0, 3.0], 0, np.float32(2.0)),
        ("MEAN", [1, 2], 0, np.float64(1.5)),
        ("sum", [1, 2], -1, np.int32(3)),
        (SUM, [1.0, 5.0], None, np.array([1.0, 5.0], np.float32)),
    ],
)
def test_values_are_reduced(
    strategy: Any, operation: Any, value: Any, axis: Any, expected: Any
) -> None:
    found = strategy.reduce(operation, tf.constant(value), axis).numpy()

    assert expected.dtype == found.dtype
    np.testing.assert_array_equal(expected, found)


def test_a_step_is_converted_and_takes_distributed_elements(strategy: Any) -> None:
    data = strategy.experimental_distribute_dataset(tf.data.Dataset.range(10).batch(4))

    def step(x: Any) -> Any:
        if tf.reduce_sum(x) > 10:  # a branch in the graph
            x = -x
        return tf.reduce_sum(x)

    @tf.function
    def epoch(iterator: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for element in data:
            total += strategy.run(step, args=(element,))
        return total, strategy.run(step, args=(next(iterator),))

    iterator = iter(data)
    total, first = epoch(iterator)

    assert (6 - 22 - 17, 6) == (total.numpy(), first.numpy())
    assert [4, 5, 6, 7] == next(iterator).numpy().tolist()
    assert isinstance(data, D.DistributedDataset)
    assert isinstance(iterator, D.DistributedIterator)
    assert 45 == data.reduce(np.int64(0), lambda total, x: total + tf.reduce_sum(x)).numpy()
    assert tf.TensorSpec([None], tf.int64) == data.element_spec == iterator.element_spec
    assert [8, 9] == next(iterator).numpy().tolist()
    assert not (iterator.get_next_as_optional().has_value())


def test_values_of_replicas_go_through_steps(strategy: Any) -> None:
    values = strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant([1.0, 5.0]) + context.replica_id_in_sync_group
    )
    double = tf.function(lambda x: strategy.run(lambda y: 2 * y, args=(x,)))

    assert [2.0, 10.0] == double(values).numpy().tolist()
    assert 6.0 == strategy.reduce(SUM, values, axis=0).numpy()
    assert [1.0, 5.0] == strategy.gather(values, axis=0).numpy().tolist()
    assert [1.0, 5.0] == strategy.experimental_local_results(values)[0].numpy().tolist()
    assert strategy.group(values) is None


def test_updates_take_the_variable(strategy: Any) -> None:
    with strategy.scope():
        variable = tf.Variable(1.0)
    extended = strategy.extended

    assert 5.0 == extended.update(variable, lambda v, x: v.assign(x), args=(5.0,)).numpy()
    assert 1 == len(extended.update(variable, lambda v: v.assign(7.0), group=False))
    assert [2.0] == extended.batch_reduce_to("MEAN", [(2.0, variable)])
    assert (CPU,) == extended.worker_devices == extended.parameter_devices
    assert extended._global_batch_size  # which Keras 2 asks for
    assert not extended.experimental_require_static_shapes
    assert extended.value_container(variable) is variable


def test_older_ways_of_input_work(strategy: Any) -> None:
    iterator = strategy.make_input_fn_iterator(
        lambda context: tf.data.Dataset.range(context.num_replicas_in_sync + 2)
    )

    assert [0, 11] == [
        iterator.get_next().numpy(), strategy.experimental_run(lambda x: x + 10, iterator).numpy(),
    ]  # fmt: skip
    iterator.initialize()
    assert 0 == iterator.get_next().numpy()
    with pytest.raises(TypeError, match="got 'int'"):
        strategy.experimental_distribute_dataset(3)


def test_a_strategy_is_set_for_good() -> None:
    strategy = D.OneDeviceStrategy("/cpu:0")
    D.experimental_set_strategy(strategy)
    try:
        assert D.get_strategy() is strategy
        assert D.in_cross_replica_context()
        assert 2 == strategy.run(lambda: 2)
    finally:
        D.experimental_set_strategy(None)
    assert not D.has_strategy()
    with strategy.scope(), pytest.raises(RuntimeError, match="Must not be called inside"):
        D.experimental_set_strategy(None)


@pytest.mark.parametrize(
    ("devices", "error"),
    [
        (["foo"], ValueError),
        ("/cpu:0", ValueError),
        (["/cpu:0", "/cpu:0"], AssertionError),
    ],
)
def test_names_of_devices_are_looked_at(devices: Any, error: Any) -> None:
    with pytest.raises(error):
        D.MirroredStrategy(devices)


def test_which_of_several_workers_this_is_must_be_told(monkeypatch: Any) -> None:
    monkeypatch.setenv("TF_CONFIG", '{"cluster": {"worker": ["a:1", "b:1"]}}')

    with pytest.raises(ValueError, match="which task this process is"):
        D.MultiWorkerMirroredStrategy()


@pytest.mark.parametrize("name", ["ReductionToOneDevice", "NcclAllReduce", "CrossDeviceOps"])
def test_all_ways_of_adding_up_one_value_give_it(name: str) -> None:
    ways, value = getattr(D, name)(), tf.constant([1.0, 2.0])

    assert [1.0, 2.0] == ways.reduce(SUM, value, "/cpu:0").numpy().tolist()
    assert [2.0] == [one.numpy() for one in ways.batch_reduce("MEAN", [(2.0, "/cpu:0")])]
    assert ways.broadcast(value, "/cpu:0") is value


def test_options_are_kept_as_they_are_given() -> None:
    kinds = D.experimental.CommunicationImplementation
    options = D.experimental.CommunicationOptions(1, 2.0, "nccl")

    assert (1, 2.0, kinds.NCCL) == (
        options.bytes_per_pack, options.timeout_seconds, options.implementation,
    )  # fmt: skip
    assert D.experimental.CollectiveHints(5).bytes_per_pack == 5
    assert (True, D.InputReplicationMode.PER_WORKER, False, 1) == D.InputOptions()
    assert (True, False, None) == D.RunOptions()
    with pytest.raises(ValueError, match="must be >=0"):
        D.experimental.CommunicationOptions(bytes_per_pack=-1)
    with pytest.raises(ValueError, match="num_packs >= 0"):
        D.HierarchicalCopyAllReduce(-1)


S = tf.TensorShape


@pytest.mark.parametrize(
    ("partitioner", "shape", "dtype", "axis", "expected"),
    [
        (("FixedShards", 2), [10, 3], tf.float32, 0, [2, 1]),
        (("FixedShards", 20), [10, 2], tf.float32, 0, [10, 1]),
        (("FixedShards", 2), [0, 4], tf.float32, 0, [0, 1]),
        (("MinSize", 4, 3), [6], tf.float64, 0, [3]),
        (("MinSize", 4, 3), [3, 2], tf.float32, 1, [1, 2]),
        (("MinSize", 256, 16), [10, 2], tf.string, 0, [2, 1]),
        (("MinSize",), [2, 50], tf.float32, 0, [1, 1]),
        (("MaxSize", 16), [10, 3], tf.float32, 0, [10, 1]),
        (("MaxSize", 16), [6], tf.float64, 0, [3]),
        (("MaxSize", 16, 2), [10, 2], tf.string, 0, [2, 1]),
    ],
)
def test_partitioners_cut_one_axis(
    partitioner: Any, shape: Any, dtype: Any, axis: int, expected: list[int]
) -> None:
    name, *arguments = partitioner
    made = getattr(D.experimental.partitioners, f"{name}Partitioner")(*arguments)

    assert expected == made(S(shape), dtype, axis)


def test_partitioners_need_an_axis_and_sizes() -> None:
    partitioner = D.experimental.partitioners.MinSizePartitioner(4)

    with pytest.raises(ValueError, match="Cannot partition variable along axis 0"):
        partitioner(S([]), tf.float32)
    with pytest.raises(ValueError, match="needs all sizes"):
        partitioner(S([None]), tf.float32)
    with pytest.raises(ValueError, match="`min_shard_bytes` must be positive"):
        D.experimental.partitioners.MinSizePartitioner(0)


def test_functions_are_traced_apart_above_replicas_and_in_those_of_each_strategy() -> None:
    traced: list[tuple[str, bool]] = []

    @tf.function
    def f(x: Any) -> Any:
        traced.append((type(D.get_strategy()).__name__, D.in_cross_replica_context()))
        return x

    x = tf.constant(1.0)
    for strategy in (D.OneDeviceStrategy("/cpu:0"), D.MirroredStrategy()):
        f(x)
        with strategy.scope():
            f(x)
        strategy.run(f, args=(x,))

    # one device's replica is like no strategy's; above replicas all strategies are alike
    expected = [("_DefaultDistributionStrategy", False), ("OneDeviceStrategy", True)]
    assert [*expected, ("MirroredStrategy", False)] == traced
    # the last is a trace of the function that calls `f` for all replicas
    assert 2 == f.experimental_get_tracing_count()


def test_a_device_is_that_of_variables_and_replicas_not_of_the_scope(monkeypatch: Any) -> None:
    monkeypatch.setattr(choices, "logical_cpus", (tf.config.LogicalDeviceConfiguration(),) * 2)
    strategy = D.OneDeviceStrategy("CPU:1")

    def devices() -> list[str]:
        return [tf.constant(1.0).device[-5:], (v + 1.0).device[-5:]]

    with strategy.scope():
        v = tf.Variable(1.0)
        with tf.device("CPU:0"):
            w = tf.Variable(2.0)
        above = devices()
    within = strategy.run(devices)

    assert (["CPU:1"] * 2, ["CPU:0"] * 2) == ([one.device[-5:] for one in (v, w)], above)
    assert ["CPU:1"] * 2 == within


@pytest.mark.parametrize(
    ("devices", "error", "words"),
    [
        (["/job:worker/CPU:0"], ValueError, "must have task specified"),
        (["/job:w/task:0/CPU:0", "/job:w/task:1/CPU:0"], RuntimeError, "In-graph multi-worker"),
    ],
)
def test_replicas_are_in_one_process(devices: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        D.MirroredStrategy(devices)


def test_aggregations_say_how_values_are_reduced() -> None:
    found = D.ReduceOp.from_variable_aggregation

    assert D.ReduceOp.SUM is found(tf.VariableAggregation.SUM)
    assert D.ReduceOp.MEAN is found(tf.VariableAggregation.MEAN)
    for other in (tf.VariableAggregation.NONE, tf.VariableAggregation.ONLY_FIRST_REPLICA, 3):
        with pytest.raises(ValueError, match="Could not convert"):
            found(other)


@pytest.mark.parametrize("space", [tf.distribute, tf.distribute.experimental])
def test_programs_may_ask_for_parameter_servers_and_not_make_them(space: Any) -> None:
    assert not isinstance(tf.distribute.get_strategy(), space.ParameterServerStrategy)
    with pytest.raises(tf.errors.UnimplementedError, match="MultiWorkerMirroredStrategy"):
        space.ParameterServerStrategy(None)


def test_a_replica_knows_its_devices_and_the_default_one_what_blocks_name(
    monkeypatch: Any,
) -> None:
    monkeypatch.setattr(choices, "logical_cpus", (tf.config.LogicalDeviceConfiguration(),) * 2)

    def devices() -> Any:
        return D.get_replica_context().devices

    names = [f"{CPU[:-1]}{number}" for number in range(2)]
    found = D.MirroredStrategy(["/cpu:0", "/cpu:1"]).run(devices)
    assert [one.values for one in found[0]] == [tuple(names)]
    assert D.OneDeviceStrategy("/cpu:1").run(devices) == (names[1],)
    assert devices() == ("",)
    seen = []
    with tf.Graph().as_default(), tf.device("/cpu:1"):
        seen.append(devices())
    with tf.Graph().as_default(), tf.device("/job:localhost"):
        seen.append(devices())
    assert seen == [(names[1],), (CPU,)]
    for blocks, named in {
        ("/cpu:0",): names[0], ("/cpu:1", "/cpu:0"): names[0], ("/cpu:0", "/cpu:1"): names[1],
        ("/cpu:0", "/cpu:1", None): "", ("/cpu:0", None): "",
        ("/gpu:0",): names[0].replace("CPU", "GPU"),
    }.items():  # fmt: skip
        with ExitStack() as stack:
            for one in blocks:
                stack.enter_context(tf.device(one))
            assert devices() == (named,), blocks


def test_variables_of_central_storage_are_there_whatever_blocks_name(monkeypatch: Any) -> None:
    monkeypatch.setattr(choices, "logical_cpus", (tf.config.LogicalDeviceConfiguration(),) * 2)
    strategy = D.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0")
    with strategy.scope(), tf.device("/cpu:1"):
        assert tf.Variable(1.0).device == CPU


@pytest.mark.parametrize("axis", [[0], "x", 1.5, (0, "x")])
def test_an_axis_is_an_int_or_a_tuple_of_ints(axis: Any) -> None:
    for strategy in (tf.distribute.get_strategy(), tf.distribute.MirroredStrategy(["CPU:0"])):
        with pytest.raises(TypeError):
            strategy.reduce(SUM, tf.constant([[1.0]]), axis=axis)
        with pytest.raises(ValueError, match="Invalid reduction dimension 2"):
            strategy.reduce("MEAN", tf.constant([[1.0]]), axis=(0, 2))
