"""Random code of replicas: devices of XLA's that share it give what one processor gives.

JAX counts its devices once in a process: a child with three of them tries the programs.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import tensormill as tf
from tensormill import backends
from tests.sources import ROOT

REPLICAS: Final = 3
AGGREGATION, ON_READ = tf.VariableAggregation, tf.VariableSynchronization.ON_READ


class Replicas:
    """A strategy, its variables, and what its replicas may do with a vector."""

    def __init__(self) -> None:
        self.strategy: Any = tf.distribute.MirroredStrategy()
        some = AGGREGATION.SUM, AGGREGATION.MEAN, AGGREGATION.ONLY_FIRST_REPLICA
        start = np.full(4, 0.5, np.float32)
        with self.strategy.scope():
            self.variables: list[Any] = [tf.Variable(start)]
            self.variables += [tf.Variable(start, aggregation=one) for one in some]
            self.variables += [
                tf.Variable(start, aggregation=one, synchronization=ON_READ) for one in some
            ]
        self.plain = tf.Variable(start)

    def values(self) -> list[Any]:
        """All parts of all variables."""
        parts = [part for one in self.variables for part in one.values]
        return [one.numpy() for one in (*parts, self.plain)]

    def changed(self, a: Any, n: int) -> Any:
        self.variables[n % 7].assign_add(tf.tanh(a) * 0.1)
        return a

    def plainly_changed(self, a: Any, n: int) -> Any:
        self.plain.assign_add(tf.tanh(a) * 0.1)
        return a + self.plain

    def differing(self, a: Any, n: int) -> Any:
        return a * 3.0 if context().number == n % REPLICAS else tf.abs(a)

    def repeated(self, a: Any, n: int) -> Any:
        return tf.while_loop(lambda k, _: k < n % 4, lambda k, b: (k + 1, tf.tanh(b)), (0, a))[1]

    def differentiated(self, a: Any, n: int) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(a)
            total = context().all_reduce("SUM", a)
            loss = tf.reduce_sum(tf.sin(a) * self.variables[n % 7] * total)
        return tape.gradient(loss, a)

    def merged(self, a: Any, n: int) -> Any:
        return context().merge_call(lambda above, b: above.reduce("SUM", b, axis=None), (a,)) * 0.1

    def gathered(self, a: Any, n: int) -> Any:
        return tf.reduce_sum(context().all_gather(tf.stack([a] * (n % 2 + 1)), 0), 0) * 0.1

    def branching(self, a: Any, n: int) -> Any:
        return tf.cond(tf.reduce_sum(a) > n % 5, lambda: a * 0.5, lambda: a - 1.0)


def context() -> Any:
    return tf.distribute.get_replica_context()


def number() -> Any:
    return context().replica_id_in_sync_group


DEEDS: Final[list[Callable[[Replicas, Any, int], Any]]] = [
    Replicas.changed, Replicas.plainly_changed, Replicas.differing, Replicas.repeated,
    Replicas.differentiated, Replicas.merged, Replicas.gathered, Replicas.branching,
    lambda own, a, n: tf.sin(a) + own.variables[n % 7],
    lambda own, a, n: context().all_reduce(("SUM", "MEAN")[n % 2], a),
    lambda own, a, n: a + tf.random.uniform([4]),
    lambda own, a, n: tf.nn.dropout(a, 0.3),
    lambda own, a, n: a * tf.cast(number() + 1, tf.float32),
    lambda own, a, n: a + tf.gather(own.variables[n % 7], number()),
]  # fmt: skip


def told(seed: str) -> list[Any]:
    """All that a program with this seed gives, and its variables afterwards."""
    draw = random.Random(seed)
    tf.random.set_seed(draw.randrange(100))
    plan = [(draw.choice(DEEDS), draw.randrange(99)) for _ in range(draw.randrange(3, 12))]
    is_uneven, in_loop = draw.random() < 0.4, draw.random() < 0.3
    own, strategy = (replicas := Replicas()), replicas.strategy

    def replica(x: Any) -> Any:
        found = [tf.reduce_mean(x, 0)]
        for deed, n in plan:
            found.append(deed(own, found[n % len(found)], n))
        return found[-1], found[len(found) // 2], x * 2.0

    @tf.function
    def step(x: Any) -> Any:
        if in_loop:
            for _ in tf.range(2):
                strategy.run(replica, args=(x,))
        last, other, rows = strategy.run(replica, args=(x,))
        return last, other, rows, strategy.reduce("SUM", rows, axis=0), strategy.gather(last, 0)

    rows = np.random.default_rng(draw.randrange(100)).random((9, 4)).astype(np.float32)
    parts = np.split(rows, [2, 5] if is_uneven else [3, 6])
    x = strategy.experimental_distribute_values_from_function(
        lambda about: tf.constant(parts[about.replica_id_in_sync_group])
    )
    results = [one for _ in range(2) for one in tf.nest.flatten(step(x), expand_composites=True)]
    return [*(one.numpy() for one in results), *own.values()]


def differs(seed: str) -> str:
    """Where the devices give something else; "" where they do not."""
    found: list[Sequence[Any]] = []
    for name in ("cpu", "xla"):
        with backends.using(name):
            try:
                found.append(told(seed))
            except (ValueError, NotImplementedError) as error:  # what a strategy refuses
                found.append([f"{type(error).__name__}: {error}"])
    for place, (one, other) in enumerate(zip(*found, strict=False)):
        is_error = isinstance(one, str) or isinstance(other, str)
        same = one == other if is_error else np.allclose(one, other, rtol=1e-3, atol=1e-5)
        if not same:
            return f"value {place}: {one} and {other}"
    return ""


def attack(count: int, seed: int) -> list[str]:
    """Try `count` programs; a finding names the seed and the first value that differs."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    environment = os.environ | {"PYTHONPATH": path, "TENSORMILL_EFFORT": "0"}
    command = [sys.executable, "-m", "tests.attack.replicas", str(count), str(seed)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return ended.stdout.splitlines() + ([] if ended.returncode == 0 else [ended.stderr[-2000:]])


def main(count: int, seed: int) -> None:
    (cpu,) = tf.config.list_physical_devices("CPU")
    parts = [tf.config.LogicalDeviceConfiguration()] * REPLICAS
    tf.config.set_logical_device_configuration(cpu, parts)
    for one in range(count):
        if found := differs(f"{seed}/{one}"):
            print(f"seed {seed}, number {one}: {found}".replace("\n", " "), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
