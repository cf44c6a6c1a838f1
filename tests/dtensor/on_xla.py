"""A program on four devices of XLA's: it tells, as JSON, what became of each claim's values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

import tensormill as tf
from tensormill import backends
from tests.dtensor.programs import MESH, laid_out, layout, letters_of

dtensor = tf.experimental.dtensor
ROWS = np.arange(16, dtype=np.float32).reshape(4, 4) / 8


def on_device(variable: Any) -> Any:
    """The array of JAX's that a variable is in between two calls."""
    return variable._storage.array.device_array


def spec_of(variable: Any) -> list[Any]:
    return list(on_device(variable).sharding.spec)


def places(variable: Any) -> list[int]:
    """Where the parts of a variable lie in memory."""
    return [one.data.unsafe_buffer_pointer() for one in on_device(variable).addressable_shards]


def step_in_place() -> Any:
    """A step changes a divided variable, and a plain one that counts."""
    weights = dtensor.DVariable(ROWS, layout=layout(".y"))
    count = tf.Variable(0)

    @tf.function
    def step(x: Any) -> Any:
        product = tf.matmul(x, weights)
        weights.assign_sub(0.1 * tf.matmul(x, product, transpose_a=True))
        count.assign_add(1)
        return product, tf.reduce_sum(product)

    x = laid_out((4, 4), "x.")
    step(x)
    before = places(weights)
    product, total = step(x)
    stays = places(weights) == before
    count.assign_add(5)  # eagerly, in between
    step(x)
    plain = tf.function(lambda: count * 2)()  # a program of one device reads what four had
    kept = dtensor.relayout(weights.read_value(), layout(".."))
    return {
        "stays": stays, "spec": spec_of(weights), "letters": letters_of(product),
        "total": letters_of(total), "count": int(plain), "weights": kept.numpy().tolist(),
        "report": str(step.report()).splitlines()[-1],
        "parts": [list(one.data.shape) for one in on_device(weights).addressable_shards],
    }  # fmt: skip


def relayout_within() -> Any:
    """What a function lays out itself is divided although its operands are not."""

    @tf.function
    def moved(x: Any) -> Any:
        return dtensor.relayout(x * 2, layout("xy")) + 1

    found = moved(tf.constant(ROWS))
    return letters_of(found), dtensor.relayout(found, layout("..")).numpy().tolist()


def captured_and_cut() -> Any:
    """A captured tensor, a step of Python in between, a loop and a gradient."""
    captured = laid_out((4, 4), ".y")

    @tf.function
    def mixed(x: Any) -> Any:
        for _ in tf.range(3):
            x = tf.matmul(x, captured) / 8
        x = tf.numpy_function(lambda a: a + 1, [x], tf.float32)
        return tf.reduce_sum(tf.ensure_shape(x, [4, 4]) * captured)

    return float(mixed(laid_out((4, 4), "x."))), len(mixed.report().callbacks)


def texts() -> Any:
    """Strings stay where they are, beside numbers that are divided."""
    words = dtensor.copy_to_mesh(np.array([b"a", b"bcd"]), layout("x"))
    numbers = dtensor.copy_to_mesh(np.array([3, 4], np.int32), layout("x"))
    sums = tf.function(lambda w, n: tf.strings.length(w) + n * 2)(words, numbers)
    return dtensor.relayout(sums, layout(".")).numpy().tolist()


def laid_out_by_call() -> Any:
    made = dtensor.call_with_layout(tf.function(lambda: tf.ones([4, 4])), layout("xy"))
    return letters_of(made)


def larger_mesh() -> Any:
    """JAX has four devices: a function on eight runs undivided."""
    names = [f"CPU:{k}" for k in range(8)]
    mesh = dtensor.create_mesh([("x", 8)], devices=names)
    x = dtensor.copy_to_mesh(np.ones(8, np.float32), dtensor.Layout(["x"], mesh))
    doubled = tf.function(lambda v: tf.reduce_sum(v) * 2)
    return float(doubled(x)), str(doubled.report()).splitlines()[-1]


PROGRAMS: list[Callable[[], Any]] = [
    step_in_place, relayout_within, captured_and_cut, texts, laid_out_by_call, larger_mesh,
]  # fmt: skip


def main() -> None:
    assert MESH.size == 4
    (cpu,) = tf.config.list_physical_devices("CPU")
    parts = [tf.config.LogicalDeviceConfiguration()] * 4
    tf.config.set_logical_device_configuration(cpu, parts)
    with backends.using("xla"):
        divided = {one.__name__: one() for one in PROGRAMS}
    print(json.dumps(divided))


if __name__ == "__main__":
    main()
