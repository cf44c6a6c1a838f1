"""Replicas on four devices of XLA's: a program tells, as JSON, what became of each claim."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tensormill as tf
from tensormill import backends
from tensormill.xla.replicas.program import ReplicatedProgram

AGGREGATION, ON_READ = tf.VariableAggregation, tf.VariableSynchronization.ON_READ
ROWS = np.random.RandomState(0).rand(8, 3).astype(np.float32)
TARGETS = ROWS.sum(1, keepdims=True)


def strategy() -> Any:
    return tf.distribute.MirroredStrategy([f"CPU:{k}" for k in range(4)])


def values_of(mirrored: Any, arrays: Any) -> Any:
    """A tensor for each replica."""

    def value(context: Any) -> Any:
        return tf.constant(arrays[context.replica_id_in_sync_group])

    return mirrored.experimental_distribute_values_from_function(value)


def told(mirrored: Any, value: Any) -> list[Any]:
    return [one.numpy().tolist() for one in mirrored.experimental_local_results(value)]


def parts_of(variable: Any) -> list[Any]:
    return [one.numpy().tolist() for one in variable.values]


def whole_of(variable: Any) -> Any:
    """The array over all devices, of which each part of a variable is a row."""
    return variable.values[0]._storage.array.device_array.whole


def places_of(variable: Any) -> list[int]:
    """Where the parts of a variable lie in memory."""
    return [one.data.unsafe_buffer_pointer() for one in whole_of(variable).addressable_shards]


class Regression:
    """A linear model, its loss and its step, by hand."""

    def __init__(self, mirrored: Any) -> None:
        self.strategy = mirrored
        with mirrored.scope():
            self.weights = tf.Variable(np.zeros((3, 1), np.float32))
            self.steps = tf.Variable(0, aggregation=AGGREGATION.ONLY_FIRST_REPLICA)
            self.seen = tf.Variable(0.0, synchronization=ON_READ, aggregation=AGGREGATION.SUM)

    def replica_step(self, x: Any, y: Any) -> Any:
        context = tf.distribute.get_replica_context()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((x @ self.weights - y) ** 2) / 8.0
        gradient = context.all_reduce("SUM", tape.gradient(loss, self.weights))
        self.weights.assign_sub(0.1 * gradient)
        self.steps.assign_add(1)
        self.seen.assign_add(tf.cast(tf.shape(x)[0], tf.float32))
        return loss

    @tf.function
    def step(self, x: Any, y: Any) -> Any:
        losses = self.strategy.run(self.replica_step, args=(x, y))
        return self.strategy.reduce("SUM", losses, axis=None)

    def fed(self, sizes: list[int]) -> list[Any]:
        """The rows and their targets, of which replicas get so many each."""
        ends = np.cumsum(sizes)[:-1]
        return [values_of(self.strategy, np.split(one, ends)) for one in (ROWS, TARGETS)]


def shared_step() -> Any:
    model = Regression(strategy())
    fed = model.fed([2, 2, 2, 2])
    losses = [float(model.step(*fed)) for _ in range(2)]
    before = [
        one.data.unsafe_buffer_pointer() for one in whole_of(model.weights).addressable_shards
    ]
    losses.append(float(model.step(*fed)))
    shards = whole_of(model.weights).addressable_shards
    return {
        "losses": losses,
        "parts": parts_of(model.weights),
        "devices": [one.device.id for one in shards],
        "shapes": [list(one.data.shape) for one in shards],
        "stays": places_of(model.weights) == before,
        "exchanges": exchanges_of_programs(),
        "report": str(model.step.report()).splitlines()[-1],
        "steps": int(model.steps), "seen": parts_of(model.seen),
    }  # fmt: skip


def exchanges_of_programs() -> list[str]:
    """The sums over devices in the programs that XLA has made."""
    programs = [one for one in gc.get_objects() if type(one) is ReplicatedProgram]
    lines = [line for one in programs for line in one.compiled.as_text().splitlines()]
    return [line for line in lines if " all-reduce(" in line]


def uneven() -> Any:
    model = Regression(strategy())
    even, odd = model.fed([2, 2, 2, 2]), model.fed([3, 2, 2, 1])
    losses = [float(model.step(*fed)) for fed in (even, odd, even)]
    return (
        losses,
        parts_of(model.weights),
        parts_of(model.seen),
    )


def exchanges() -> Any:
    mirrored = strategy()

    def replica(x: Any, some: Any) -> Any:
        context = tf.distribute.get_replica_context()
        total = context.merge_call(
            lambda all_of_them, v: all_of_them.reduce("SUM", v, axis=None), (x,)
        )
        return {
            "sum": context.all_reduce("SUM", x), "mean": context.all_reduce("MEAN", x),
            "rows": context.all_gather(x[None], 0), "uneven": context.all_gather(some, 0),
            "merged": total, "number": context.replica_id_in_sync_group,
        }  # fmt: skip

    @tf.function
    def all_of_them(x: Any, some: Any) -> Any:
        found = mirrored.run(replica, args=(x, some))
        return found, mirrored.gather(found["rows"], 1), mirrored.reduce("MEAN", some, axis=0)

    x = values_of(mirrored, np.arange(8, dtype=np.float32).reshape(4, 2))
    some = values_of(mirrored, [np.full(k, k, np.int32) for k in range(1, 5)])
    found, joined, mean = all_of_them(x, some)
    return (
        {name: told(mirrored, one) for name, one in found.items()},
        told(mirrored, joined),
        float(mean),
    )


BITS = {
    "float32": np.array([0, 0x7FC01234, 0xFFC00001, 0xFF800000, 1], np.uint32),
    "float64": np.array([0, 0x7FF8 << 48 | 3, 0xFFF0 << 48, 1, 1 << 63], np.uint64),
    "float16": np.array([0, 0x7E01, 0xFC00, 1, 0x8000], np.uint16),
    "complex64": np.array([0, 1 << 31, 0x7FC01234, 0], np.uint32),
}


def sent_bits() -> Any:
    """What one replica has, above all: zeros with signs, subnormal numbers, those that are none."""
    mirrored = strategy()

    @tf.function
    def above(values: Any) -> Any:
        each = mirrored.run(lambda v: tf.nest.map_structure(tf.negative, v), args=(values,))
        found = {}
        for name, value in each.items():
            locally = mirrored.experimental_local_results(value)
            found[name] = tf.stack([locally[k] for k in (2, 0, 1, 3)])
        return found

    def of_all(name: str) -> Any:
        own = BITS[name].view(name)
        return values_of(mirrored, [own, np.ones_like(own), own[::-1], np.ones_like(own)])

    found = above({name: of_all(name) for name in BITS})
    bits = {name: one.numpy().view(BITS[name].dtype).tolist() for name, one in found.items()}
    return bits, str(above.report()).splitlines()[-1]


def each_its_own() -> Any:
    """Replicas that do different things, draw numbers, and work in branches and loops."""
    mirrored = strategy()
    tf.random.set_seed(7)
    with mirrored.scope():
        own = tf.Variable(0.0, synchronization=ON_READ, aggregation=AGGREGATION.SUM)

    def replica(x: Any) -> Any:
        number = tf.distribute.get_replica_context().number
        y = tf.nn.softmax(x) if number == 1 else x * 2.0
        while tf.reduce_sum(y) < 10.0:
            y = y + tf.cast(number + 1, tf.float32)
        if tf.reduce_sum(x) > 5.0:
            y = -y
        own.assign_add(tf.reduce_sum(y))
        return y, tf.random.uniform([2]), tf.random.stateless_normal([2], [1, 2])

    @tf.function
    def all_of_them(x: Any) -> Any:
        return mirrored.run(replica, args=(x,)), own.read_value()

    x = values_of(mirrored, np.arange(8, dtype=np.float32).reshape(4, 2))
    all_of_them(x)
    found, total = all_of_them(x)
    return [told(mirrored, one) for one in found], float(total), parts_of(own)


def sizes_of_each() -> Any:
    """A function that all replicas call, with sizes that are constants of each: it writes first."""
    mirrored = strategy()
    with mirrored.scope():
        calls = tf.Variable(0.0, synchronization=ON_READ, aggregation=AGGREGATION.SUM)

    @tf.function
    def ones(size: Any) -> Any:
        calls.assign_add(1.0)
        return tf.reduce_sum(tf.ones([size, 2]))

    @tf.function
    def step(x: Any) -> Any:
        def replica(x: Any) -> Any:
            return ones(tf.constant(tf.distribute.get_replica_context().number + 1)) + x

        return mirrored.run(replica, args=(x,))

    found = step(values_of(mirrored, np.arange(4, dtype=np.float32)))
    return told(mirrored, found), parts_of(calls), str(step.report()).splitlines()[-1]


def steps_in_a_loop() -> Any:
    model = Regression(strategy())

    @tf.function
    def steps(x: Any, y: Any) -> Any:
        loss = 0.0
        for _ in tf.range(3):
            losses = model.strategy.run(model.replica_step, args=(x, y))
            loss = model.strategy.reduce("SUM", losses, axis=None)
        return loss

    loss = float(steps(*model.fed([2, 2, 2, 2])))
    return loss, parts_of(model.weights), int(model.steps)


def failing() -> Any:
    """A check fails in one replica: no part is changed behind it."""
    mirrored = strategy()
    with mirrored.scope():
        variable = tf.Variable([1.0, 2.0], aggregation=AGGREGATION.SUM)

    @tf.function
    def step(index: Any) -> Any:
        def replica(index: Any) -> None:
            variable.assign_add(tf.stack([tf.gather([1.0, 2.0, 3.0], index), 0.0]))

        mirrored.run(replica, args=(index,))

    step(values_of(mirrored, np.array([0, 1, 2, 0], np.int32)))
    before = parts_of(variable)
    try:
        step(values_of(mirrored, np.array([0, 1, 7, 0], np.int32)))
    except tf.errors.InvalidArgumentError as error:
        return before, parts_of(variable), "7" in str(error)
    return "nothing failed"


def asserting() -> Any:
    """What an assertion of one replica prints, which failed there: in a function that all call."""
    mirrored = strategy()

    @tf.function
    def asserted(x: Any) -> Any:
        tf.Assert(tf.reduce_sum(x) < 50.0, [x])
        return x * 2.0

    @tf.function
    def step(x: Any) -> Any:
        return mirrored.run(lambda x: asserted(x), args=(x,))

    rows = np.array([[1.0, 2.0], [3.0, 4.0], [70.0, 80.0], [5.0, 6.0]], np.float32)
    try:
        step(values_of(mirrored, rows))
    except tf.errors.InvalidArgumentError as error:
        return str(error), str(step.report()).split("\n")[-1]
    return "nothing failed"


def failing_apart() -> Any:
    """A check fails in one replica: what others change in branches and loops of theirs is kept."""
    mirrored = strategy()
    with mirrored.scope():
        turn, branch, loop, inside, above = [
            tf.Variable(0.0, synchronization=ON_READ, aggregation=AGGREGATION.SUM) for _ in range(5)
        ]

    def checked_before(index: Any) -> None:
        value = tf.gather([1.0, 2.0, 3.0], index)
        if tf.distribute.get_replica_context().number == 1:
            turn.assign_sub(value)
        else:
            turn.assign_add(value * 2.0)
        if value > -1.0:
            branch.assign_add(value)
        for _ in tf.range(2):
            loop.assign_add(value)

    def checked_inside(index: Any) -> None:
        for k in tf.range(2):
            inside.assign_add(tf.gather([1.0, 2.0, 3.0], index + k * 0))

    def checked_in_a_loop_above(index: Any) -> None:
        value = tf.gather([1.0, 2.0, 3.0], index)
        above.assign_add(tf.distribute.get_replica_context().all_reduce("SUM", value))

    def told_of(replica: Any, turns: int, *variables: Any) -> Any:
        @tf.function
        def step(index: Any) -> None:
            for _ in tf.range(turns):
                mirrored.run(replica, args=(index,))

        step(values_of(mirrored, np.array([0, 1, 2, 0], np.int32)))
        before = [parts_of(one) for one in variables]
        try:
            step(values_of(mirrored, np.array([0, 1, 7, 0], np.int32)))
        except tf.errors.InvalidArgumentError:
            return before, [parts_of(one) for one in variables], str(step.report()).split("\n")[-1]
        return "nothing failed"

    return {
        "before": told_of(checked_before, 1, turn, branch, loop),
        "inside": told_of(checked_inside, 1, inside),
        "above": told_of(checked_in_a_loop_above, 3, above),
    }


def no_replicas() -> Any:
    """Blocks of tf.device, of a user who has no strategy."""
    variables = [tf.Variable([1.0, 2.0]) for _ in range(2)]

    @tf.function
    def step(*values: Any) -> list[Any]:
        found: list[Any] = []
        for number, (variable, value) in enumerate(zip(variables, values, strict=True)):
            with tf.device(f"CPU:{number}"):
                variable.assign_add(value)
                found.append(value * 2.0)
        return found

    found = step(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]))
    return [one.numpy().tolist() for one in (*found, *variables)], str(step.report())


def checkpoints() -> Any:
    folder = Path(sys.argv[1])
    model = Regression(strategy())
    fed = model.fed([2, 2, 2, 2])
    model.step(*fed)
    saved = tf.train.Checkpoint(weights=model.weights, seen=model.seen).save(str(folder / "a"))
    weights, seen = tf.Variable(np.zeros((3, 1), np.float32)), tf.Variable(0.0)
    plain = tf.train.Checkpoint(weights=weights, seen=seen)
    plain.restore(saved)
    weights.assign_add(np.ones((3, 1), np.float32))
    other = plain.save(str(folder / "b"))
    model.step(*fed)
    tf.train.Checkpoint(weights=model.weights, seen=model.seen).restore(other)
    now = parts_of(model.weights)
    return weights.numpy().tolist(), float(seen), now, float(model.step(*fed))


PROGRAMS: list[Callable[[], Any]] = [
    shared_step, uneven, exchanges, sent_bits, each_its_own, sizes_of_each, steps_in_a_loop,
    failing, failing_apart, asserting, no_replicas, checkpoints,
]  # fmt: skip


def main() -> None:
    (cpu,) = tf.config.list_physical_devices("CPU")
    parts = [tf.config.LogicalDeviceConfiguration()] * 4
    tf.config.set_logical_device_configuration(cpu, parts)
    with backends.using("xla"):
        shared = {one.__name__: one() for one in PROGRAMS}
    with backends.using("cpu"):
        shared["drawn_on_cpu"] = each_its_own()[0][1]
    print(json.dumps(shared))


if __name__ == "__main__":
    main()
