"""Programs for several devices, on a CPU of three: it tells, as JSON, where JAX has their arrays.

With "GPU" the second and the third stand in for GPUs, which JAX does not have where this runs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import tensormill as tf
from tensormill.backends.device_operations import device_operations
from tensormill.core.process.accelerators import accelerators
from tensormill.xla.device_places import place_on
from tensormill.xla.scope import first_visible

PARTS = [tf.config.LogicalDeviceConfiguration()] * 3
DRAWING = "StatelessRandom", "StatelessTruncated"
TURNS = 3  # the first call is made slowly, others by the quick way


def on(device: str | None, call: Callable[[], Any]) -> Any:
    with tf.device(device):
        return call()


def holder(x: Any) -> str:
    """The device of JAX's that has a tensor or variable; "" where NumPy has it.

    A small tensor that the CPU has made comes there with the first program that wants it.
    """
    array = x._storage.array if isinstance(x, tf.Variable) else x._away
    if array is None and (there := x.__dict__.get("_memory")) is not None:
        return str(place_on(there) or first_visible())
    if array is None or isinstance(array, np.ndarray):
        return ""
    found = array.device_array if isinstance(x, tf.Variable) else array[1]
    return ",".join(sorted(str(one) for one in found.devices()))


def told(x: Any) -> list[Any]:
    """Who has a tensor, what it says, and its value."""
    where = holder(x)  # before somebody looks
    return [where, x.device.rpartition("device:")[2], value_of(x)]


def value_of(x: Any) -> Any:
    value = np.asarray(x.numpy())
    found = (value.astype(str) if value.dtype == object else value).tolist()
    return found.decode() if isinstance(found, bytes) else found


def each_told(call: Callable[[], Any]) -> Any:
    """The same of all results of each of some calls, which are alike."""
    first, *others = [[told(x) for x in tf.nest.flatten(call())] for _ in range(TURNS)]
    assert all(one == first for one in others), (first, others)
    return first


@tf.function
def double(x: Any) -> Any:
    return x * 2.0


@tf.function
def by_parts(x: Any) -> Any:
    with tf.device("CPU:1"):
        y = x + 1.0
    with tf.device("CPU:2"):
        z = y * 2.0
    return y, z, z + y


@tf.function
def turning(x: Any) -> Any:
    for _ in tf.range(3):
        with tf.device("CPU:1"):
            x = x + 1.0
        with tf.device("CPU:2"):
            x = x * 2.0
    return x


@tf.function
def choosing(x: Any) -> Any:
    with tf.device("CPU:1"):
        return tf.cond(x[0] > 0.0, lambda: x + 1.0, lambda: x - 1.0)


@tf.function
def calling(x: Any) -> Any:
    with tf.device("CPU:2"):
        return double(x)


def functions() -> dict[str, Any]:
    x = tf.constant([1.0, 2.0])
    away = on("CPU:2", lambda: double(x))
    return {
        "outside": each_told(lambda: double(x)),
        "within": each_told(lambda: on("CPU:1", lambda: double(x))),
        "from_elsewhere": each_told(lambda: on("CPU:1", lambda: double(away))),
        "back": each_told(lambda: double(away)),
        "by_parts": each_told(lambda: by_parts(x)),
        "turning": each_told(lambda: turning(x)),
        "choosing": each_told(lambda: choosing(x)),
        "calling": each_told(lambda: calling(x)),
        "absent": each_told(lambda: on("GPU:0", lambda: double(x))),
        "report": str(turning.report()),
    }


def variables() -> dict[str, Any]:
    v = on("CPU:1", lambda: tf.Variable([1.0, 2.0]))
    w = on("CPU:2", lambda: tf.Variable([1.0, 1.0]))
    u = tf.Variable([1.0, 1.0])
    add = tf.function(lambda x: v.assign_add(x))
    both = tf.function(lambda: v.assign_add(w) + u)
    one = tf.constant([1.0, 1.0])
    found: dict[str, Any] = {"made": [told(x) for x in (v, w, u)]}
    for k in range(TURNS):
        found[f"at_home {k}"] = [told(add(one)), told(v)]
    for k in range(TURNS):
        found[f"visited {k}"] = [told(on("CPU:2", lambda: add(one))), told(v)]
    for k in range(TURNS):
        found[f"several {k}"] = [told(both()), told(v), told(w), told(u)]
    return found


def training() -> Any:
    """A few steps of a small model whose variables are on one device, called from another."""
    kernel = on("CPU:1", lambda: tf.Variable([[0.5], [-0.5]]))
    bias = on("CPU:2", lambda: tf.Variable([0.0]))

    @tf.function
    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.matmul(x, kernel) + bias - y) ** 2)
        for one, gradient in zip((kernel, bias), tape.gradient(loss, [kernel, bias]), strict=True):
            one.assign_sub(0.1 * gradient)
        return loss

    x, y = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0], [2.0]])
    losses = [float(step(x, y)) for _ in range(4)]
    return losses, told(kernel), told(bias)


def made_in_traces() -> Any:
    made: list[Any] = []

    @tf.function
    def f() -> Any:
        if not made:
            with tf.device("CPU:1"):
                made.append(tf.Variable([1.0]))
            made.append(tf.Variable([2.0]))
        return made[0] + made[1]

    result = on("CPU:2", f)
    return [told(result), *map(told, made)]


def on_gpus() -> dict[str, Any]:
    """The same names where there are two GPUs."""
    x, v = tf.constant([1.0, 2.0]), tf.Variable([1.0, 1.0])
    w = on("GPU:1", lambda: tf.Variable([1.0, 1.0]))
    add = tf.function(lambda: v.assign_add([1.0, 2.0]))
    add_there = tf.function(lambda: w.assign_add([1.0, 2.0]))

    @tf.function
    def mixed(x: Any) -> Any:
        with tf.device("/CPU:0"):
            y = x + 1.0
        return y, y * 2.0

    return {
        "usual": each_told(lambda: double(x)),
        "second": each_told(lambda: on("/GPU:1", lambda: double(x))),
        "first": each_told(lambda: on("/GPU:0", lambda: double(x))),
        "cpu": each_told(lambda: on("/CPU:0", lambda: double(x))),
        "mixed": each_told(lambda: mixed(x)),
        "variable": [told(add()), told(v)],
        "variable_there": [told(add_there()), told(w)],
    }


def eagerly() -> dict[str, Any]:
    """Eager operations on tensors and variables of GPUs."""
    x, v = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([[1.0, 1.0], [1.0, 1.0]])
    add = tf.function(lambda x: v.assign_add(x))
    add(x)

    def first() -> Any:
        return double(x)

    def second() -> Any:
        return on("GPU:1", first)

    def slope() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(v * first()))
        return loss, tape.gradient(loss, v)

    def change() -> Any:
        v.assign(first())
        v.assign_sub(0.5 * slope()[1])
        return v

    def sized() -> Any:
        x = first()
        return (
            tf.reshape(x, [4]),
            tf.reduce_sum(x, 0),
            x[1],
            tf.tile(x, [1, 2]),
            tf.pad(x, [[0, 1]] * 2),
        )

    found = each_told(lambda: on("GPU:1", sized))
    made = device_operations()._made.items()
    return {
        "sized": found,
        "programs": sorted({key[0].__name__ for key, one in made if one is not None}),
        "sizes made": each_told(lambda: on("GPU:1", lambda: tf.shape(first()))),
        "checked": each_told(lambda: tf.debugging.check_numerics(first(), "numbers")),
        "wrong": refused(lambda: tf.debugging.check_numerics(first() / 0.0, "these numbers")),
        "nowhere": each_told(lambda: on("CPU:0", lambda: on(None, lambda: second() + 1.0))),
        "sums": each_told(lambda: (first() + 1.0, first() + second(), x - second(), -first())),
        "rows": each_told(lambda: (first()[1], *first(), tf.stack([first(), x])[:, 0, 1])),
        "shapes": each_told(lambda: (tf.reshape(first(), [4]), tf.reduce_sum(first(), 0))),
        "products": each_told(lambda: (first() @ first(), tf.transpose(second()))),
        "variables": each_told(lambda: (v * 2.0, v.value(), v @ first())),
        "slope": each_told(slope),
        "changed": each_told(change),
        "sizes": [len(first()), first().shape.as_list(), first().dtype.name, holder(first()[:1])],
        "cpu": each_told(lambda: (tf.where(first() > 2.0), tf.strings.as_string(first()))),
        "copies": each_told(lambda: (first().gpu(1), second().gpu(), second().cpu())),
        "moved": each_told(lambda: on("GPU:1", lambda: tf.identity(first()))),
        "made": each_told(lambda: on("GPU:1", lambda: (tf.constant([1.0]) + 1.0, tf.zeros([1])))),
        "back": each_told(lambda: on("CPU:0", lambda: first() + 1.0)),
        "refused": refused(lambda: first() + tf.ones([3])) + refused(lambda: first().gpu(2)),
    }


def usually() -> dict[str, Any]:
    """Eager operations where nobody names a device, and no program has been."""
    x, large = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant(np.ones([80, 80], np.float32))
    v, kernel = tf.Variable([1.0, 2.0]), tf.Variable(tf.eye(80))
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(tf.square(x) * v)
    slope = tape.gradient(loss, x)
    made = device_operations()._made
    few = sorted({key[0].__name__ for key in made})
    large.numpy()  # somebody looks
    product = large @ kernel
    drawn = tf.random.stateless_uniform([80, 80], [1, 2])
    seen = [holder(product), product.device[-5:], holder(drawn), drawn.device[-5:]]
    v.assign_add([1.0, 1.0])
    kernel.assign_sub(product)
    count = tf.raw_ops.StatelessWhile(
        input=[large, tf.constant(0)],
        cond=tf.function(lambda _, k: k < 3).get_concrete_function(large, tf.constant(0)),
        body=tf.function(lambda a, k: (a * 2.0, k + 1)).get_concrete_function(
            large, tf.constant(0)
        ),
    )
    return {
        "constants": [told(x), told(tf.constant([1, 2])), told(tf.constant("a"))],
        "whole": [one.device[-5:] for one in (tf.range(3), tf.shape(x), tf.constant(1) + 1)],
        "filled": [told(tf.zeros([2])), told(tf.fill([2], 3.0)), told(tf.cast([1, 2], tf.float32))],
        "sums": [told(x + 1.0), told(x @ x), told(x[1]), told(tf.stack([x[0], x[1]]))],
        "slope": told(slope),
        "memory": [x.backing_device[-5:], tf.constant(1).backing_device[-5:]],
        "drawn": [[holder(one), one.device[-5:]] for one in (tf.random.normal([2]), drawn)],
        "few": few,
        "large": seen,
        "many": sorted({key[0].__name__ for key in made}),
        "variables": [told(v), told(v.read_value()), told(v + 1.0), v.device[-5:]],
        "kernel": [holder(kernel), holder(kernel + 1.0), float(tf.reduce_sum(kernel))],
        "loop": [holder(count[0]), float(tf.reduce_sum(count[0])), int(count[1])],
        "loops made": [key[0].__name__ for key, one in made.items() if "While" in key[0].__name__],
        "texts": told(tf.strings.as_string(x[0])),
        "copied": [told(one) for one in (x.cpu(), *on("CPU:0", lambda: (x + 1.0, +x)))],
    }


def drawn() -> dict[str, Any]:
    """Numbers that the device draws, and who has them: the streams go on from turn to turn."""
    tf.random.set_seed(7)
    generator = tf.random.Generator.from_seed(3)
    rows = tf.reshape(tf.range(10_000.0), [100, 100])
    calls: dict[str, Callable[[], Any]] = {
        "uniform": lambda: tf.random.uniform([100, 100]),
        "seeded": lambda: tf.random.uniform([100, 100], seed=4),
        "of its stream, too": lambda: tf.random.uniform([90, 90], seed=4),
        "normal": lambda: tf.random.normal([100, 100], 2.0, 3.0),
        "whole": lambda: tf.random.uniform([100, 100], 0, 1000, tf.int32),
        "truncated": lambda: tf.random.truncated_normal([100, 100]),
        "order": lambda: tf.random.shuffle(rows),
        "dropout": lambda: tf.nn.dropout(rows, 0.5),
        "generator": lambda: generator.normal([100, 100]),
        "few": lambda: tf.random.normal([3]),
    }
    found: dict[str, Any] = {name: [] for name in calls}
    for _ in range(TURNS):
        for name, call in calls.items():
            x = call()
            found[name].append([holder(x), np.asarray(x).ravel()[:3].tolist()])
    made = [key[0].__name__ for key, one in device_operations()._made.items() if one is not None]
    keyed = [one for one in made if one.startswith(DRAWING) and one.endswith("V2")]
    return {"numbers": found, "programs": len(keyed)}


def refused(call: Callable[[], Any]) -> list[str]:
    try:
        call()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return []


def main() -> dict[str, Any]:
    (cpu,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(cpu, PARTS)
    if sys.argv[1:]:
        return {
            "usually": usually(), "functions": on_gpus(), "eagerly": eagerly(), "drawn": drawn(),
        }  # fmt: skip
    return {
        "functions": functions(),
        "variables": variables(),
        "training": training(),
        "made_in_traces": made_in_traces(),
    }


if __name__ == "__main__":
    import jax

    jax.config.update("jax_num_cpu_devices", 3)  # before JAX is asked for stand-ins
    if sys.argv[1:]:
        accelerators.source = lambda kind: jax.devices("cpu")[1:] if kind == "GPU" else ()
    print(json.dumps(main()))
