"""What tensors and variables say of where they are, on a CPU of three logical devices.

The devices are those that TensorFlow tells of the same programs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.eager.devices import choices


@pytest.fixture(autouse=True)
def _three_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "soft_placement", True)
    monkeypatch.setattr(choices, "has_listed_devices", False)
    monkeypatch.setattr(choices, "logical_cpus", None)
    (cpu,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 3)


def place(x: Any) -> str:
    return x.device.removeprefix("/job:localhost/replica:0/task:0/device:")


def memory(x: Any) -> str:
    return x.backing_device.removeprefix("/job:localhost/replica:0/task:0/device:")


def test_results_are_where_operations_were_meant_for() -> None:
    x = tf.constant(1.0)
    with tf.device("CPU:1"):
        y = tf.constant(2.0)
        with tf.device("/device:CPU:2"):
            z = x + y
        with tf.device(None):
            usual = x + y
        with tf.device(""), tf.device("/job:localhost"):
            same = x + y
        first, _ = tf.split(tf.range(4), 2)
        copies = tf.identity(x), tf.convert_to_tensor(np.ones(2)), tf.zeros([2]), x[None]

    assert ["CPU:0", "CPU:1", "CPU:2", "CPU:0"] == [place(one) for one in (x, y, z, usual)]
    assert {"CPU:1"} == {place(one) for one in (same, first, *copies)}
    assert ["CPU:0", "CPU:0"] == [place(x), place(y * 2.0)]


def test_variables_stay_where_they_were_made() -> None:
    with tf.device(tf.DeviceSpec(device_type="CPU", device_index=1)):
        v = tf.Variable([1.0, 2.0])

    said = v, v.assign_add([1.0, 1.0]), v.value(), v.handle
    assert ["CPU:1"] * 4 == [place(one) for one in said]
    assert [2.0, 3.0] == v.numpy().tolist()
    assert "CPU:0" == place(v.read_value())


def test_traces_make_variables_where_they_say_or_are_called() -> None:
    made: list[Any] = []

    @tf.function
    def f() -> Any:
        if not made:
            with tf.device("CPU:1"):
                made.append(tf.Variable(1.0))
            made.append(tf.Variable(2.0))
            with tf.init_scope():
                made.append(tf.Variable(3.0))
        return tf.add_n([one.read_value() for one in made])

    with tf.device("CPU:2"):
        assert 6.0 == f().numpy()

    assert ["CPU:1", "CPU:2", "CPU:2"] == [place(one) for one in made]


def test_functions_give_results_where_they_are_called() -> None:
    @tf.function
    def f(x: Any) -> tuple[Any, Any]:
        with tf.device("CPU:1"):
            y = x + 1.0
        return x, y

    x = tf.constant(1.0)
    outside = f(x)
    with tf.device("CPU:2"):
        within = f(x)

    assert ["CPU:0", "CPU:0"] == [place(one) for one in outside]
    assert ["CPU:2", "CPU:2"] == [place(one) for one in within]
    assert ["CPU:0", "CPU:1"] == [memory(one) for one in outside]
    assert ["CPU:2", "CPU:1"] == [memory(one) for one in within]
    assert "CPU:0" == place(x)
    assert [1.0, 2.0] == [float(one) for one in within]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("const", "CPU:1"), ("identity", "CPU:1"), ("loop", "CPU:1"), ("call", "CPU:1"),
        ("argument", "CPU:0"), ("then", "CPU:0"), ("inner", "CPU:0"), ("branch", "CPU:0"),
        ("dead", "CPU:0"), ("absent", "CPU:0"),
    ],
)  # fmt: skip
def test_results_say_in_whose_memory_they_are(kind: str, expected: str) -> None:
    def within(x: Any) -> Any:
        with tf.device("CPU:1"):
            return x * 2.0

    def turning(x: Any) -> Any:
        with tf.device("CPU:1"):
            return tf.while_loop(lambda x: x < 9.0, lambda x: (x * 2.0,), (x,))[0]

    def absent(x: Any) -> Any:
        with tf.device("CPU:9"):
            return x * 2.0

    def on_first(call: Any) -> Any:
        with tf.device("CPU:1"):
            return call()

    bodies = {
        "const": lambda x: on_first(lambda: tf.constant(1.0)),
        "identity": lambda x: on_first(lambda: tf.identity(x)),
        "loop": turning,
        "call": lambda x: on_first(lambda: tf.function(lambda x: x * 2.0)(x)),
        "argument": lambda x: on_first(lambda: x),
        "then": lambda x: within(x) + 1.0,
        "inner": lambda x: tf.function(within)(x),
        "branch": lambda x: tf.cond(x > 0.0, lambda: within(x), lambda: x),
        "dead": lambda x: (within(x), x)[1],
        "absent": absent,
    }
    f = tf.function(bodies[kind])

    results = [f(tf.constant(1.0)) for _ in range(3)]
    assert [("CPU:0", expected)] * 3 == [(place(one), memory(one)) for one in results]


def test_gradients_are_taken_there_as_elsewhere() -> None:
    with tf.device("CPU:1"):
        v = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v * 3.0)
        gradient = tape.gradient(y, v)

    assert [3.0, 3.0] == gradient.numpy().tolist()
    assert "CPU:1" == place(gradient)


@pytest.mark.parametrize("name", ["/GPU:0", "CPU:7"])
def test_no_other_device_is_taken_where_that_is_forbidden(name: str) -> None:
    known, x = tf.function(lambda x: x + 1.0), tf.constant(1.0)
    known(x)
    tf.config.set_soft_device_placement(False)
    device = f"device:{name.strip('/')}"
    refused = pytest.raises(tf.errors.InvalidArgumentError, match=f"specification '.*{device}'")

    with tf.device(name):
        with refused:
            tf.constant(1.0)
        with refused:
            tf.Variable(np.ones(2))
        with refused:
            known(x)
    traced = tf.function(lambda: within(name)).get_concrete_function()
    with refused:
        traced()


def within(name: str) -> Any:
    with tf.device(name):
        return tf.constant(1.0) + 1.0


def test_there_is_no_gpu_to_copy_to() -> None:
    with pytest.raises(RuntimeError, match="GPU:0 unknown device"):
        tf.constant(1.0).gpu()
    with tf.device("CPU:1"):
        x = tf.constant(1.0)
    assert ["CPU:0", "CPU:1"] == [place(x.cpu()), place(x)]
