"""Models of replicas' variables are saved as TensorFlow saves them (2.21, run beside these)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tests.distribution.test_replicas import mirrored, own

ON_READ = tf.VariableSynchronization.ON_READ
AGGREGATIONS = ("SUM", "MEAN", "ONLY_FIRST_REPLICA")
SCALAR = tf.TensorSpec([], tf.float32)
X = tf.constant(2.0)
TWO = mirrored()
PER_REPLICA: Any = TWO.experimental_distribute_values_from_function(
    lambda context: tf.constant(1.0 + context.replica_id_in_sync_group)
)


class Counting(tf.Module):
    """`v` is 2.0 and 3.0 in two replicas; `w` is mirrored."""

    def __init__(self, aggregation: str) -> None:
        super().__init__()
        kind = getattr(tf.VariableAggregation, aggregation)
        with TWO.scope():
            self.v = tf.Variable(1.0, synchronization=ON_READ, aggregation=kind)
            self.w = tf.Variable(10.0, aggregation=tf.VariableAggregation.MEAN)
        TWO.run(lambda: self.v.assign_add(own()))

    def of_replicas(self, x: Any) -> Any:
        def step(x: Any) -> Any:
            self.w.assign_add(x)
            self.v.assign_add(x)
            return self.v + self.w

        return TWO.experimental_local_results(TWO.run(step, (x,)))


@pytest.fixture(params=AGGREGATIONS)
def model(request: Any) -> Any:
    made = Counting(request.param)
    made.total = {"SUM": 5.0, "MEAN": 2.5, "ONLY_FIRST_REPLICA": 2.0}[request.param]
    return made


def again(model: Any, path: Path, **options: Any) -> Any:
    tf.saved_model.save(model, path, **options)
    return tf.saved_model.load(path)


def test_a_function_reads_the_aggregated_value_of_one_variable(model: Any, tmp_path: Path) -> None:
    model.f = tf.function(lambda x: model.v * x)
    model.f(X)

    loaded = again(model, tmp_path)

    assert model.total == loaded.v.numpy() == model.v.numpy()
    assert 2 * model.total == loaded.f(X).numpy() == model.f(X).numpy()
    assert (ON_READ, model.v.aggregation, False) == (
        loaded.v.synchronization,
        loaded.v.aggregation,
        loaded.v.trainable,
    )


def test_a_function_changes_one_variable(model: Any, tmp_path: Path) -> None:
    @tf.function(input_signature=[SCALAR])
    def change(x: Any) -> Any:
        model.v.assign_add(x)
        return model.v + model.w.assign_add(x)

    model.f = change

    loaded = again(model, tmp_path, signatures=change)

    assert 14.0 + model.total == loaded.f(X).numpy()
    assert (model.total + 2.0, 12.0) == (loaded.v.numpy(), loaded.w.numpy())
    assert 18.0 + model.total == loaded.signatures["serving_default"](x=X)["output_0"].numpy()


def test_each_replica_of_a_saved_function_changes_the_same_variable(
    model: Any, tmp_path: Path
) -> None:
    model.f = tf.function(model.of_replicas)
    assert [16.0, 17.0] == [one.numpy() for one in model.f(X)]

    loaded = again(model, tmp_path)

    before = model.v.numpy()
    assert before == loaded.v.numpy()
    assert [before + 16.0, before + 20.0] == [one.numpy() for one in loaded.f(X)]


@pytest.mark.sampled
@pytest.mark.parametrize(
    "gives",
    [
        lambda model: TWO.reduce("SUM", model.v, axis=None),
        lambda model: tf.add_n(TWO.experimental_local_results(model.v)),
    ],
)
def test_all_parts_of_a_saved_variable_are_that_variable(
    gives: Callable[[Any], Any], model: Any, tmp_path: Path
) -> None:
    model.f = tf.function(lambda: gives(model))

    assert 2 * model.total == again(model, tmp_path).f().numpy()


def test_functions_called_by_saved_ones_are_traced_for_one_variable(
    model: Any, tmp_path: Path
) -> None:
    inner = tf.function(lambda x: model.v * x)
    model.f = tf.function(lambda x: inner(x) + 1.0)
    model.f(X)

    assert 2 * model.total + 1.0 == again(model, tmp_path).f(X).numpy()
    assert 2 * model.total + 1.0 == model.f(X).numpy()


def test_gradients_of_saved_functions_change_one_variable(model: Any, tmp_path: Path) -> None:
    @tf.function(input_signature=[SCALAR])
    def descend(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = model.w * x * model.v
        model.w.assign_sub(tape.gradient(y, model.w))
        return model.w.read_value()

    model.f = descend

    assert 10.0 - 2 * model.total == again(model, tmp_path).f(X).numpy()


def test_random_numbers_of_saved_functions_come_from_one_stream(tmp_path: Path) -> None:
    module: Any = tf.Module()
    with TWO.scope():
        module.g = tf.random.Generator.from_seed(1)
    module.f = tf.function(lambda: module.g.uniform([2]))
    module.f()

    loaded = again(module, tmp_path)

    assert module.f().numpy().tolist() == loaded.f().numpy().tolist()


def test_what_a_trace_added_up_is_not_read_by_one_variable(tmp_path: Path) -> None:
    model: Any = Counting("SUM")
    model.f = tf.function(lambda x: model.v * x).get_concrete_function(SCALAR)

    with pytest.raises(ValueError, match=r"parts of 'Variable:0'.*input_signature"):
        tf.saved_model.save(model, tmp_path)


def test_a_trace_that_changes_all_parts_does_not_change_one_variable(
    model: Any, tmp_path: Path
) -> None:
    model.f = tf.function(lambda x: model.w.assign_add(x) + 0.0).get_concrete_function(SCALAR)

    with pytest.raises(ValueError, match=r"parts of 'Variable:0'.*input_signature"):
        tf.saved_model.save(model, tmp_path)


def test_a_trace_that_reads_equal_parts_reads_one_variable(tmp_path: Path) -> None:
    model: Any = Counting("MEAN")
    model.f = tf.function(lambda x: model.v * x).get_concrete_function(SCALAR)

    assert 5.0 == again(model, tmp_path).f(X).numpy()


def test_a_saved_variable_has_parts_again_in_a_scope(model: Any, tmp_path: Path) -> None:
    model.f = tf.function(lambda x: model.v * x)
    model.f(X)
    tf.saved_model.save(model, tmp_path)

    with TWO.scope():
        loaded: Any = tf.saved_model.load(tmp_path)

    share = model.total / 2 if model.v.aggregation.name == "SUM" else model.total
    assert [share, share] == [part.numpy() for part in loaded.v.values]
    assert model.total == loaded.v.numpy()
    assert [2 * share, 2 * share] == [one.numpy() for one in TWO.run(loaded.f, (X,)).values]


def test_each_replica_reads_and_changes_its_part_of_a_loaded_variable(tmp_path: Path) -> None:
    module: Any = tf.Module()
    module.v = tf.Variable(2.0, synchronization=ON_READ, aggregation=tf.VariableAggregation.SUM)
    module.w = tf.Variable(3.0)
    module.f = tf.function(lambda x: module.v.assign_add(x) * module.w, input_signature=[SCALAR])
    tf.saved_model.save(module, tmp_path, signatures=module.f)
    with TWO.scope():
        loaded: Any = tf.saved_model.load(tmp_path)
    served = loaded.signatures["serving_default"]

    def gradient() -> Any:
        with tf.GradientTape() as tape:
            y = loaded.f(own())
        return tape.gradient(y, loaded.w)

    assert [6.0, 9.0] == [one.numpy() for one in TWO.run(loaded.f, (PER_REPLICA,)).values]
    assert [2.0, 3.0] == [one.numpy() for one in loaded.v.values]
    assert [3.0, 5.0] == [one.numpy() for one in tf.function(TWO.run)(gradient).values]
    assert [12.0, 21.0] == [
        one.numpy() for one in TWO.run(lambda: served(x=own())["output_0"]).values
    ]
    assert [4.0, 7.0] == [part.numpy() for part in loaded.v.values]
    assert 3.0 == loaded.f(tf.constant(-3.0)).numpy() == loaded.w.numpy()


def test_checkpoints_hold_the_aggregated_value_for_one_device(model: Any, tmp_path: Path) -> None:
    path = tf.train.Checkpoint(v=model.v).save(tmp_path / "all")
    alone = tf.Variable(0.0)
    tf.train.Checkpoint(v=alone).restore(path)
    assert model.total == alone.numpy()

    alone.assign(10.0)
    back = tf.train.Checkpoint(v=alone).save(tmp_path / "one")
    tf.train.Checkpoint(v=model.v).restore(back)
    assert 10.0 == model.v.numpy()
