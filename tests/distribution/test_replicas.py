"""Replicas in one process answer as TensorFlow's over logical CPUs (2.21, run beside these)."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

D: Any = tf.distribute
DEVICES = ("/cpu:0", "/cpu:1", "/cpu:2")


KINDS = ("Exp", "Sin", "AddN")


def mirrored(replicas: int = 2) -> Any:
    return D.MirroredStrategy(DEVICES[:replicas])


@pytest.fixture(params=[2, 3])
def strategy(request: Any) -> Any:
    return mirrored(request.param)


def here() -> Any:
    return D.get_replica_context()


def number() -> Any:
    return here().replica_id_in_sync_group


def own() -> Any:
    """1.0, 2.0, ..."""
    return tf.cast(number(), tf.float32) + 1.0


def values(found: Any) -> list[Any]:
    return [np.asarray(one).tolist() for one in found.values]


RUNS: dict[str, Callable[..., Any]] = {
    "eagerly": lambda strategy, step: strategy.run(step),
    "in a function": lambda strategy, step: tf.function(lambda: strategy.run(step))(),
    "of a function": lambda strategy, step: strategy.run(tf.function(step)),
}


@pytest.fixture(params=RUNS)
def run(request: Any) -> Callable[..., Any]:
    return RUNS[request.param]


def test_results_are_structures_of_values_of_all_replicas(run: Any) -> None:
    found = run(mirrored(3), lambda: {"a": number(), "b": (7, [own()])})

    assert [0, 1, 2] == values(found["a"])
    assert [1.0, 2.0, 3.0] == values(found["b"][1][0])


def test_what_is_one_object_everywhere_stays_that_object(strategy: Any) -> None:
    variable = tf.Variable(1.0)

    assert strategy.run(lambda: None) is None
    assert "x" == strategy.run(lambda: "x")
    assert strategy.run(lambda: variable) is variable


def test_replicas_run_in_turn_and_meet() -> None:
    seen: list[Any] = []

    def step() -> None:
        seen.append(("before", int(number())))
        here().merge_call(lambda strategy: seen.append("together"))
        seen.append(("after", int(number())))

    mirrored().run(step)

    assert [("before", 0), ("before", 1), "together", ("after", 0), ("after", 1)] == seen


def test_those_who_meet_nobody_have_no_threads_and_others_leave_none() -> None:
    before, seen = threading.active_count(), set[Any]()

    mirrored(3).run(lambda: seen.add(threading.current_thread()))
    assert {threading.current_thread()} == seen
    mirrored(3).run(lambda: here().merge_call(lambda _: seen.add(threading.current_thread())))
    assert {threading.current_thread()} == seen
    assert before == threading.active_count()


def test_a_meeting_gets_the_arguments_of_all_and_answers_each(run: Any) -> None:
    def merge(strategy: Any, mine: Any, same: Any, by: float) -> Any:
        assert D.in_cross_replica_context()
        assert isinstance(mine, D.DistributedValues)
        return strategy.reduce("SUM", mine, axis=None) * by, mine, same

    def step() -> Any:
        total, mine, same = here().merge_call(merge, args=(own(), 5), kwargs={"by": 10.0})
        return total + mine + same

    assert [36.0, 37.0] == values(run(mirrored(), step))


def test_operations_of_a_replica_are_meant_for_its_device_behind_meetings_too() -> None:
    strategy = mirrored(2)

    @tf.function
    def step(x: Any) -> Any:
        def replica() -> Any:
            total = here().all_reduce("SUM", tf.exp(x) * own())
            return tf.sin(total) + own()

        return strategy.run(replica)

    operations = step.get_concrete_function(tf.constant(1.0)).graph.get_operations()
    devices = {kind: [one.device for one in operations if one.type == kind] for kind in KINDS}
    whole = [f"/job:localhost/replica:0/task:0/device:CPU:{k}" for k in range(2)]
    assert devices == {"Exp": whole, "Sin": whole, "AddN": [""]}


def failing(who: int, meets: bool) -> Any:
    def step() -> Any:
        try:
            if int(number()) == who:
                raise KeyError("mine")
            return here().merge_call(lambda _: 1) if meets else 2
        except Exception as error:
            if isinstance(error, KeyError):
                raise
            raise AssertionError("replicas do not catch what stops them") from error

    return step


@pytest.mark.parametrize("who", [0, 1, 2])
@pytest.mark.parametrize("meets", [True, False])
def test_an_error_of_one_replica_ends_all(who: int, meets: bool) -> None:
    before = threading.active_count()

    with pytest.raises(KeyError, match="mine"):
        mirrored(3).run(failing(who, meets))
    assert before == threading.active_count()
    assert not D.has_strategy()


def test_an_interrupt_ends_all_replicas() -> None:
    before = threading.active_count()

    def step() -> None:
        here().merge_call(lambda _: None)
        if int(number()) == 1:  # in a thread of its own; the main thread handles the signal
            signal.raise_signal(signal.SIGINT)
        while True:
            here().merge_call(lambda _: None)

    # A process in the background ignores SIGINT, and so would its Python.
    handled = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            mirrored(3).run(step)
    finally:
        signal.signal(signal.SIGINT, handled)
    assert (before, False) == (threading.active_count(), D.has_strategy())


def test_an_error_of_a_meeting_is_nobodys_to_catch() -> None:
    def fail(strategy: Any) -> None:
        raise KeyError("ours")

    def step() -> Any:
        try:
            return here().merge_call(fail)
        except Exception:
            return "caught"

    with pytest.raises(KeyError, match="ours"):
        mirrored().run(step)


@pytest.mark.parametrize("who", [0, 1])
def test_meeting_more_often_than_others_is_an_error(who: int) -> None:
    def step() -> Any:
        return here().merge_call(lambda _: 1) if int(number()) == who else 2

    with pytest.raises(RuntimeError, match=r"different number of replica_context\(\).merge_call"):
        mirrored().run(step)


def test_arguments_that_are_built_otherwise_do_not_meet() -> None:
    with pytest.raises(AssertionError, match="different lengths"):
        mirrored().run(lambda: here().merge_call(lambda _, *a: 1, (1,) * (1 + int(number()))))


def test_replicas_meet_only_in_the_graph_that_they_share() -> None:
    strategy, inner = mirrored(), tf.function(lambda: here().all_reduce("SUM", own()))

    def branch() -> Any:
        return tf.cond(own() > 0.0, lambda: here().all_reduce("SUM", own()), own)

    with pytest.raises(RuntimeError, match="while defining a new graph"):
        strategy.run(lambda: inner())
    with pytest.raises(RuntimeError, match="while defining a new graph"):
        tf.function(lambda: strategy.run(branch))()


def test_tensors_are_reduced_for_all(run: Any) -> None:
    def step() -> Any:
        return here().all_reduce("SUM", own()), here().all_reduce("MEAN", [number(), own()])

    total, means = run(mirrored(3), step)

    assert [6.0] * 3 == values(total)
    assert [[1.0] * 3, [2.0] * 3] == [values(one) for one in means]
    assert tf.float64 is means[0].values[0].dtype  # a mean of integers


def test_one_tensor_in_all_replicas_is_its_own_sum(run: Any) -> None:
    shared = tf.constant([2.0])

    def step() -> Any:
        return here().all_reduce("SUM", shared), here().all_gather(shared, axis=0)

    assert [[[2.0]] * 2] * 2 == [values(one) for one in run(mirrored(), step)]


def test_slices_are_reduced_by_putting_them_together() -> None:
    def step() -> Any:
        slices = tf.IndexedSlices(tf.reshape(own(), [1, 1]), [number()], [3, 1])
        return tf.convert_to_tensor(here().all_reduce("MEAN", slices))

    assert [[[0.5], [1.0], [0.0]]] * 2 == values(mirrored().run(step))


def test_rows_are_gathered(run: Any) -> None:
    def step() -> Any:
        return here().all_gather(tf.fill([number() + 1, 1], own()), axis=0)

    assert [[[1.0], [2.0], [2.0]]] * 2 == values(run(mirrored(), step))


@pytest.mark.sampled
@pytest.mark.parametrize(("how", "expected"), [("SUM", [11.0, 17.0]), ("MEAN", [5.5, 8.5])])
def test_gradients_go_back_through_reductions(run: Any, how: str, expected: Any) -> None:
    def step() -> Any:
        x = own()
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = here().all_reduce(how, x * x) * x
        return tape.gradient(y, x)

    assert expected == values(run(mirrored(), step))


def test_gradients_go_back_to_the_rows_that_a_replica_gave() -> None:
    def step() -> Any:
        x = tf.fill([number() + 1], own())
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(here().all_gather(x * x, axis=0) * [1.0, 10.0, 100.0])
        return tape.gradient(y, x)

    # the sum of both replicas' gradients: 2 * 2x * weight
    assert [[4.0], [80.0, 800.0]] == values(mirrored().run(step))


def test_tapes_around_all_replicas_see_what_they_do() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        total = mirrored().run(lambda: here().all_reduce("SUM", x * own()) * own())
        y = tf.add_n(total.values)

    assert 9.0 == tape.gradient(y, x).numpy()  # of 3x + 2 * 3x


@pytest.mark.parametrize(
    ("how", "axis", "expected"),
    [("SUM", None, [3.0, 10.0]), ("MEAN", None, [1.5, 5.0]), ("SUM", 0, 13.0), ("MEAN", 0, 3.25)],
)
def test_values_of_all_are_reduced(how: str, axis: Any, expected: Any) -> None:
    strategy = mirrored()
    given = strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant([context.replica_id_in_sync_group + 1.0, 5.0])
    )

    assert expected == strategy.reduce(how, given, axis).numpy().tolist()
    assert expected == tf.function(lambda x: strategy.reduce(how, x, axis))(given).numpy().tolist()


def test_a_mean_along_an_axis_counts_the_elements_of_all() -> None:
    strategy = mirrored()
    uneven = strategy.experimental_distribute_values_from_function(
        lambda context: tf.range(context.replica_id_in_sync_group + 1)
    )

    mean = strategy.reduce("MEAN", uneven, axis=0)
    assert (1 / 3, tf.float64) == (mean.numpy(), mean.dtype)
    assert [0, 0, 1] == strategy.gather(uneven, axis=0).numpy().tolist()
    assert [1, 2] == [len(one) for one in strategy.experimental_local_results(uneven)]


def test_a_sum_of_what_is_no_replicas_is_refused() -> None:
    strategy = mirrored()

    assert 2.0 == strategy.reduce("MEAN", tf.constant(2.0), axis=None).numpy()
    assert 10.0 == strategy.reduce("SUM", tf.constant([2.0, 3.0]), axis=0).numpy()
    with pytest.raises(ValueError, match="non-DistributedValues value"):
        strategy.reduce("SUM", tf.constant(2.0), axis=None)


def test_values_go_through_functions_and_nests() -> None:
    strategy = mirrored()
    given = strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant(context.replica_id_in_sync_group)
    )
    kept, doubled = tf.function(lambda x: (x, strategy.run(lambda y: 2 * y, args=(x,))))(given)

    assert ([0, 1], [0, 2]) == (values(kept), values(doubled))
    assert [given] == tf.nest.flatten(given)
    assert [0, 1] == [one.numpy() for one in tf.nest.flatten(given, expand_composites=True)]
    assert "PerReplica:{\n  0: tf.Tensor(0, shape=(), dtype=int32),\n  1: " in str(given)


def test_ways_of_adding_up_may_be_ones_own() -> None:
    way = D.ReductionToOneDevice(accumulation_fn=lambda values: tf.reduce_max(tf.stack(values)))
    strategy = D.MirroredStrategy(DEVICES, cross_device_ops=way)

    assert [3.0] * 3 == values(strategy.run(lambda: here().all_reduce("SUM", own())))


def test_functions_have_traces_of_each_replica() -> None:
    strategy, traced = mirrored(), list[int]()

    @tf.function
    def inner() -> Any:
        traced.append(int(tf.get_static_value(number())))
        return number()

    assert [[0, 1], [0, 1]] == [values(strategy.run(lambda: inner())) for _ in range(2)]
    assert [0, 1] == traced


def test_a_function_that_is_run_is_traced_once_for_all() -> None:
    strategy, traced = mirrored(), list[int]()

    @tf.function
    def step(x: Any) -> Any:
        traced.append(int(tf.get_static_value(number())))
        if tf.reduce_sum(x) > 1:  # converted
            x = -x
        return x * own()

    found = [strategy.run(step, args=(tf.constant(x),)) for x in (1.0, 3.0)]
    assert [[1.0, 2.0], [-3.0, -6.0]] == [values(one) for one in found]
    assert [0, 1] == traced


def test_random_numbers_are_each_replicas_own(run: Any) -> None:
    first, second = values(run(mirrored(), lambda: tf.random.uniform([4])))

    assert first != second


@pytest.mark.parametrize("way", RUNS)
def test_losses_are_divided_by_the_batch_of_all_replicas(way: str) -> None:
    losses, strategy = tf.constant([1.0, 2.0, 3.0]), mirrored()
    share, known, scaled = RUNS[way](
        strategy,
        lambda: (
            tf.nn.compute_average_loss(losses),
            tf.nn.compute_average_loss(losses, global_batch_size=4),
            tf.nn.scale_regularization_loss(losses),
        ),
    )

    assert ([1.0] * 2, [1.5] * 2, [3.0] * 2) == (values(share), values(known), values(scaled))
    assert 2.0 == float(tf.nn.compute_average_loss(losses))
    with strategy.scope(), pytest.raises(RuntimeError, match="`compute_average_loss` in cross"):
        tf.nn.compute_average_loss(losses)


def test_libraries_ask_what_this_process_is_for() -> None:
    extended = mirrored().extended

    assert extended.should_checkpoint
    assert extended.should_save_summary
    assert not extended.experimental_between_graph


def test_replicas_join_along_axes_that_are_tensors(run: Any) -> None:
    found = run(mirrored(), lambda: here().all_gather(own()[None, None], tf.constant(1)))

    assert [[[1.0, 2.0]]] * 2 == values(found)


def test_replicas_do_not_join_slices() -> None:
    slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2]))

    with pytest.raises(NotImplementedError, match="IndexedSlices"):
        mirrored().run(lambda: here().all_gather(slices, 0))
    with pytest.raises(NotImplementedError, match="IndexedSlices"):
        here().all_gather(slices, 0)


@pytest.mark.parametrize("wrong", [1.0, "ab", None, {"x": 1}, tf.constant([1.0])])
def test_arguments_of_replicas_come_in_a_tuple(wrong: Any) -> None:
    for strategy in (mirrored(), D.OneDeviceStrategy("/cpu:0"), D.get_strategy()):
        with pytest.raises(ValueError, match="positional args must be a list or tuple"):
            strategy.run(lambda *x: x, args=wrong)


def test_structures_are_reduced_for_destinations() -> None:
    strategy = mirrored()
    own_values = strategy.run(own)

    found = strategy.extended.reduce_to("SUM", [own_values, {"a": own_values}], "/cpu:0")

    assert 3.0 == found[0].numpy() == found[1]["a"].numpy()


def test_functions_are_called_for_each_device_without_a_variable() -> None:
    strategy = mirrored()
    extended = strategy.extended
    devices = extended.non_slot_devices([])
    own_values = strategy.run(own)

    found = extended.update_non_slot(devices, lambda x, by: x + by, (own_values,), {"by": 1.0})
    separate = extended.update_non_slot(devices, lambda x: [x], (own_values,), group=False)

    assert ["CPU:0", "CPU:1"] == [name[-5:] for name in devices]
    assert [2.0, 3.0] == values(found)
    assert [(1.0, 2.0)] == [tuple(one.numpy() for one in part) for part in separate]
    with pytest.raises(AssertionError, match="non_slot_devices"):
        extended.update_non_slot("/cpu:0", lambda: 1)
    alone = D.OneDeviceStrategy("/cpu:0").extended
    assert (2.0,) == alone.update_non_slot(alone.non_slot_devices([]), max, (1.0, 2.0), group=False)


@pytest.mark.parametrize("axis", [-1, 2])
def test_replicas_join_along_axes_that_they_have(run: Any, axis: int) -> None:
    strategy = mirrored()
    parts = strategy.experimental_distribute_values_from_function(lambda _: tf.ones([2, 2]))
    words = "gathered along an axis"

    with pytest.raises(ValueError, match=words):
        run(strategy, lambda: here().all_gather(tf.ones([2, 2]), axis))
    with pytest.raises(ValueError, match=words):
        strategy.gather(parts, axis)


def test_each_replica_has_what_a_structure_has() -> None:
    strategy = mirrored()
    numbers = strategy.run(number)

    local = strategy.experimental_local_results
    assert ((1, 2), (1, 2)) == local((1, 2))
    assert ({"a": 0, "b": 3}, {"a": 1, "b": 3}) == local({"a": numbers, "b": 3})
    assert ((3,), (None,)) == (local(3), local(None))
