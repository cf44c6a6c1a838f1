"""Variables with a part for each replica are as TensorFlow's (2.21, run beside these)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tests.distribution.test_replicas import RUNS, mirrored, own, values

D: Any = tf.distribute
ON_READ = tf.VariableSynchronization.ON_READ
TWO = mirrored()


def variable(aggregation: str = "NONE", value: Any = 1.0, **options: Any) -> Any:
    kind = getattr(tf.VariableAggregation, aggregation)
    with TWO.scope():
        return tf.Variable(value, aggregation=kind, **options)


def parts(of: Any) -> list[Any]:
    return [part.numpy().tolist() for part in of.values]


@pytest.fixture(params=RUNS)
def run(request: Any) -> Callable[..., Any]:
    return RUNS[request.param]


def test_a_scope_makes_a_part_for_each_replica() -> None:
    v: Any = variable(name="v")
    counter = variable("SUM", synchronization=ON_READ)

    assert ["MirroredVariable", "SyncOnReadVariable"] == [type(x).__name__ for x in (v, counter)]
    assert all(isinstance(v, kind) for kind in (tf.Variable, D.DistributedValues))
    assert ["v:0", "v/replica_1:0"] == [part.name for part in v.values]
    assert ("v:0", True, False) == (v.name, v.trainable, counter.trainable)
    assert ["CPU:0", "CPU:1"] == [part.device[-5:] for part in v.values]
    assert repr(v).startswith("MirroredVariable:{\n  0: <tf.Variable 'v:0' shape=() dtype=float32")
    assert TWO.extended.variable_created_in_scope(v)
    assert TWO.extended.value_container(v.values[1]) is v
    assert [True, True] == [a is b for a, b in zip(v._values, v.values, strict=True)]
    assert v._primary is v.values[0]


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [
        ("NONE", [2.0, 3.0]),
        ("SUM", [4.0, 4.0]),
        ("MEAN", [2.5, 2.5]),
        ("ONLY_FIRST_REPLICA", [2.0, 2.0]),
    ],
)
def test_replicas_change_mirrored_variables_together(
    run: Any, aggregation: str, expected: Any
) -> None:
    v = variable(aggregation)

    found = run(TWO, lambda: v.assign_add(own()))

    assert expected == parts(v) == [float(one) for one in values(found)]


def test_replicas_change_their_own_part_of_what_is_brought_together_when_read(run: Any) -> None:
    v = variable("SUM", synchronization=ON_READ)

    found = run(TWO, lambda: v.assign_add(own()) + 0.0)

    assert [2.0, 3.0] == parts(v) == values(found)
    assert 5.0 == v.numpy() == float(v) == tf.function(lambda: v + 0.0)().numpy()


@pytest.mark.parametrize(
    ("aggregation", "read", "assigned"),
    [
        ("SUM", 5.0, [3.5, 3.5]),
        ("MEAN", 2.5, [7.0, 7.0]),
        ("ONLY_FIRST_REPLICA", 2.0, [7.0, 7.0]),
    ],
)
def test_aggregations_say_what_is_read_above_replicas(
    aggregation: str, read: float, assigned: Any
) -> None:
    v = variable(aggregation, synchronization=ON_READ)
    TWO.run(lambda: v.assign_add(own(), read_value=False))

    assert read == v.value().numpy()
    assert 7.0 == v.assign(7.0).numpy()
    assert assigned == parts(v)
    if aggregation != "SUM":
        assert 14.0 == v.assign_add(7.0).numpy()


def test_whole_numbers_are_shared_as_far_as_they_go() -> None:
    v = variable("SUM", value=5, synchronization=ON_READ)

    assert (10, 6) == (v.numpy(), v.assign(7).numpy())


def test_what_changes_above_replicas_changes_all_parts() -> None:
    v = variable("SUM", value=[1.0, 2.0])
    given = TWO.run(lambda: tf.fill([2], own()))

    v.assign([6.0, 7.0])
    assert [[6.0, 7.0]] * 2 == parts(v)
    v.assign_add(given)
    assert [[7.0, 8.0], [8.0, 9.0]] == parts(v)
    tf.function(lambda x: x.assign([0.0, 1.0]))(v)
    assert [[0.0, 1.0]] * 2 == parts(v)
    v.scatter_add(tf.IndexedSlices([1.0], [1]))
    assert [[0.0, 2.0]] * 2 == parts(v)


def summed(value: float) -> Any:
    v = variable("SUM")
    return lambda: v.assign(value)


REFUSED: dict[str, tuple[type[Exception], str, Callable[[], Any]]] = {
    "a sum of one number": (
        ValueError, "non-DistributedValues", lambda: TWO.run(summed(5.0)),
    ),
    "no synchronization": (
        ValueError, "not supported with tf.distribute",
        lambda: variable(synchronization=tf.VariableSynchronization.NONE),
    ),
    "a mean of whole numbers": (ValueError, "non-floating dtype", lambda: variable("MEAN", 5)),
    "rows placed by all": (
        NotImplementedError, "scatter_update is only supported",
        lambda: variable("SUM", [1.0]).scatter_update(tf.IndexedSlices([1.0], [0])),
    ),
    "rows of what is read together": (
        NotImplementedError, "doesn't support `scatter_add`",
        lambda: variable("SUM", [1.0], synchronization=ON_READ).scatter_add(
            tf.IndexedSlices([1.0], [0])
        ),
    ),
    "adding to a sum": (
        ValueError, "does not support `assign_add`",
        lambda: variable("SUM", synchronization=ON_READ).assign_add(1.0),
    ),
    "no word how to read": (
        ValueError, "Could not convert from", lambda: variable(synchronization=ON_READ).numpy(),
    ),
    "updates of a plain variable": (
        AssertionError, "make it within", lambda: TWO.extended.update(tf.Variable(1.0), id),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_changes_without_a_meaning_are_refused(what: str) -> None:
    error, message, change = REFUSED[what]

    with pytest.raises(error, match=message):
        change()


def test_a_replica_has_its_own_part_in_tapes_and_reads(run: Any) -> None:
    v = variable(value=[1.0, 2.0])
    v.assign(TWO.run(lambda: tf.stack([own(), 2.0])))

    def step() -> Any:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v * v)
        assert tape.watched_variables()[0] is v
        return tape.gradient(y, v), v[0]

    gradients, first = run(TWO, step)

    assert [[2.0, 4.0], [4.0, 4.0]] == values(gradients)
    assert [1.0, 2.0] == values(first)


def first_plus_own(v: Any) -> None:
    v[0].assign(5.0 + own())


@pytest.mark.parametrize("synchronization", [tf.VariableSynchronization.AUTO, ON_READ])
def test_replicas_assign_to_places_of_their_own_parts(run: Any, synchronization: Any) -> None:
    v = variable("SUM", [1.0, 2.0], synchronization=synchronization)

    run(TWO, lambda: first_plus_own(v))

    assert [[6.0, 2.0], [7.0, 2.0]] == parts(v)


@pytest.mark.parametrize("how", [lambda f: f, tf.function])
def test_above_replicas_places_are_assigned_in_all_parts(how: Any) -> None:
    v = variable(value=[1.0, 2.0])

    @how
    def change() -> None:
        v[0].assign(5.0)
        v[1].assign_add(1.0)
        v[0:1].assign_sub([2.0])

    change()

    assert [[3.0, 3.0], [3.0, 3.0]] == parts(v)


def test_a_place_of_what_replicas_make_together_is_no_variable() -> None:
    v = variable("SUM", [1.0, 2.0], synchronization=ON_READ)

    with pytest.raises(AttributeError, match="assign"):
        v[0].assign(5.0)


@pytest.mark.parametrize("how", [lambda f: f, tf.function])
def test_tapes_around_all_replicas_know_all_parts(how: Any) -> None:
    v = variable(value=[1.0, 2.0])

    @how
    def gradient() -> Any:
        with tf.GradientTape() as tape:
            found = TWO.run(lambda: tf.reduce_sum(v * own()))
            loss = TWO.reduce("SUM", found, axis=None) + v[0]
        return tape.gradient(loss, v)

    assert [4.0, 3.0] == gradient().numpy().tolist()


def test_traces_tell_the_parts_that_they_use() -> None:
    v = variable(name="v")
    changed = tf.function(lambda: TWO.run(lambda: v.assign_add(own())))

    assert ["v:0", "v/replica_1:0"] == [x.name for x in changed.get_concrete_function().variables]


def test_variables_that_replicas_make_are_one() -> None:
    made = TWO.run(lambda: tf.Variable(5.0, name="inside"))

    assert "MirroredVariable" == type(made).__name__
    assert ["inside:0", "inside/replica_1:0"] == [part.name for part in made.values]


def test_updates_get_each_part_and_its_slots() -> None:
    v, slot = variable(), variable(value=0.0)
    given = TWO.run(own)

    def update(part: Any, gradient: Any) -> Any:
        slot.assign_add(gradient)  # its own part
        return part.assign_add(slot)

    found = TWO.extended.update(v, update, args=(given,))
    assert [2.0, 3.0] == parts(v) == values(found)
    assert 2 == len(TWO.extended.update(v, update, args=(given,), group=False))
    assert [2.0, 4.0] == parts(slot)
    inside = TWO.run(lambda: TWO.extended.update(v, update, args=(own(),)))
    assert [7.0, 13.0] == values(inside)


def test_destinations_are_devices_of_variables() -> None:
    v, given, extended = variable(), TWO.run(own), TWO.extended

    assert 3.0 == extended.reduce_to("SUM", given, "/cpu:0").numpy()
    assert [3.0, 3.0] == values(extended.reduce_to("SUM", given, v))
    assert [1.5, 1.5] == values(extended.batch_reduce_to("MEAN", [(given, v)])[0])
    assert [5.0, 5.0] == values(extended.broadcast_to(tf.constant(5.0), v))


def test_copies_have_parts_of_their_own() -> None:
    v = variable()
    copied = copy.deepcopy(v)
    copied.assign(3.0)

    assert ([1.0, 1.0], [3.0, 3.0]) == (parts(v), parts(copied))


def test_checkpoints_know_no_strategies(tmp_path: Path) -> None:
    v, counter = variable(), variable("SUM", synchronization=ON_READ)
    TWO.run(lambda: (counter.assign(own()), None)[1])
    path = tf.train.Checkpoint(v=v, counter=counter).write(str(tmp_path / "two"))
    assert 3.0 == tf.train.load_variable(path, "counter/.ATTRIBUTES/VARIABLE_VALUE")

    plain, total = tf.Variable(0.0), tf.Variable(0.0)
    with mirrored(3).scope():
        of_three = tf.Variable(0.0)
        shared = tf.Variable(0.0, synchronization=ON_READ, aggregation=tf.VariableAggregation.SUM)
    unread = variable(synchronization=ON_READ)
    tf.train.Checkpoint(counter=unread).read(path)
    assert [3.0, 3.0] == parts(unread)
    tf.train.Checkpoint(v=plain, counter=total).read(path).assert_consumed()
    tf.train.Checkpoint(v=of_three, counter=shared).read(path).assert_consumed()

    assert (1.0, 3.0) == (plain.numpy(), total.numpy())
    assert ([1.0] * 3, [1.0] * 3) == (parts(of_three), parts(shared))


def test_saved_models_have_the_value_of_the_whole(tmp_path: Path) -> None:
    module = tf.Module()
    module.v, module.counter = variable(value=2.0), variable("SUM", synchronization=ON_READ)
    module.f = tf.function(lambda x: x * module.v, input_signature=[tf.TensorSpec([])])
    tf.saved_model.save(module, str(tmp_path))

    loaded: Any = tf.saved_model.load(str(tmp_path))
    assert (6.0, 2.0, 2.0) == (
        loaded.f(tf.constant(3.0)).numpy(), loaded.v.numpy(), loaded.counter.numpy(),
    )  # fmt: skip


def test_generators_give_each_replica_numbers_of_its_own(run: Any) -> None:
    with TWO.scope():
        generator = tf.random.Generator.from_seed(1)

    uniform = [run(TWO, lambda: generator.uniform([2])) for _ in range(2)]
    binomial = run(TWO, lambda: generator.binomial([2], counts=9.0, probs=0.5))
    full = run(TWO, lambda: generator.uniform_full_int([1], tf.uint32))
    with TWO.scope():
        above = generator.uniform([2])

    # What TensorFlow gives.
    assert values(uniform[0]) == about([[0.23125923, 0.91411257], [0.15012765, 0.00168860]])
    assert values(uniform[1]) == about([[0.86765683, 0.69736981], [0.96066535, 0.42715609]])
    assert [[4, 3], [4, 3]] == values(binomial)
    assert [[200196227], [497803267]] == values(full)
    assert above.numpy().tolist() == about([0.70304084, 0.19381773])
    assert [[65793, 0, 0]] * 2 == parts(generator.state)


def about(expected: Any) -> Any:
    """The same, but for the last digits of float32."""
    if isinstance(expected[0], list):
        return [about(one) for one in expected]
    return pytest.approx(expected, rel=1e-6)


@pytest.mark.sampled
@pytest.mark.parametrize("optimizer", ["GradientDescentOptimizer", "MomentumOptimizer"])
def test_optimizers_of_tensorflow_1_add_gradients_up(run: Any, optimizer: str) -> None:
    more = (0.5,) if optimizer.startswith("Momentum") else ()
    stepping: Any = getattr(tf.compat.v1.train, optimizer)(1.0, *more)
    v, plain = variable(value=[1.0, 2.0]), tf.Variable([1.0, 2.0])

    def step() -> None:
        stepping.apply_gradients([(tf.stack([own(), 0.5]), v)])

    run(TWO, step)
    run(TWO, step)

    alone: Any = getattr(tf.compat.v1.train, optimizer)(1.0, *more)
    for _ in range(2):
        alone.apply_gradients([(tf.constant([3.0, 1.0]), plain)])
    assert [plain.numpy().tolist()] * 2 == parts(v)


@pytest.mark.parametrize(
    ("aggregation", "expected"), [("SUM", 4.0), ("MEAN", 2.5), ("ONLY_FIRST_REPLICA", 2.0)]
)
def test_central_storage_has_one_part_that_changes_once(
    run: Any, aggregation: str, expected: float
) -> None:
    strategy = D.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"], "/cpu:0")
    with strategy.scope():
        v = tf.Variable(1.0, aggregation=getattr(tf.VariableAggregation, aggregation))
        unaggregated = tf.Variable(1.0)

    found = run(strategy, lambda: v.assign_add(own()))

    assert expected == v.numpy() == float(found)
    assert "AggregatingVariable" == type(v).__name__
    with pytest.raises(ValueError, match="specify an aggregation method"):
        run(strategy, lambda: unaggregated.assign_add(own()))
    strategy.extended.update(v, lambda one, by: one.assign_add(by), args=(2.0,))
    assert expected + 2.0 == v.numpy()


@pytest.mark.parametrize(
    ("aggregation", "share"), [("SUM", 2.5), ("MEAN", 5.0), ("ONLY_FIRST_REPLICA", 5.0)]
)
def test_what_is_assigned_above_replicas_is_the_aggregated_value_of_a_variable(
    aggregation: str, share: float
) -> None:
    given = variable("SUM", synchronization=ON_READ)
    TWO.run(lambda: given.assign_add(own()))
    v = variable(aggregation, synchronization=ON_READ)

    v.assign(given)

    assert 5.0 == v.numpy()
    assert [share, share] == parts(v)


def test_the_part_of_the_first_replica_is_assigned_to_all(run: Any) -> None:
    given = variable("SUM", synchronization=ON_READ)
    TWO.run(lambda: given.assign_add(own()))
    v = variable("ONLY_FIRST_REPLICA")

    run(TWO, lambda: v.assign(given))

    assert [2.0, 2.0] == parts(v)


def test_what_all_replicas_have_alike_is_not_added_up() -> None:
    v = variable("SUM")

    for wrong in (
        lambda: TWO.reduce("SUM", v, axis=None),
        lambda: TWO.extended.reduce_to("SUM", v, v),
        lambda: TWO.run(lambda: v.assign(v)),
    ):
        with pytest.raises(AssertionError, match="the same on all"):
            wrong()
    assert 1.0 == TWO.reduce("MEAN", v, axis=None).numpy()


@pytest.mark.parametrize("within", ["run", "scope", "function"])
def test_a_variable_is_not_changed_while_another_strategy_is_in_force(within: str) -> None:
    v, other = variable(), D.OneDeviceStrategy("/cpu:0")

    def change() -> None:
        with other.scope():
            v.assign_add(1.0)

    calls: dict[str, Callable[[], Any]] = {
        "run": lambda: other.run(lambda: v.assign_add(1.0)),
        "scope": change,
        "function": tf.function(lambda: other.run(lambda: v.assign_add(1.0))),
    }

    with pytest.raises(RuntimeError, match="Mixing different tf"):
        calls[within]()
    assert parts(v) == [1.0, 1.0]
