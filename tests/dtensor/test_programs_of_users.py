"""Training, variables, datasets and checkpoints on meshes, as guides show them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.eager import devices

from .programs import MESH, dtensor, laid_out, layout, letters_of

X = np.linspace(-1, 1, 32, dtype=np.float32).reshape(8, 4)
Y = (np.arange(8) % 3).astype(np.int32)


def trained(placed: bool) -> list[float]:
    """Losses of a network whose second axis of weights is divided along y, examples along x."""

    def on_mesh(value: Any, letters: str) -> Any:
        return dtensor.relayout(value, layout(letters)) if placed else tf.constant(value)

    def variable(value: Any, letters: str) -> Any:
        return dtensor.DVariable(on_mesh(value, letters)) if placed else tf.Variable(value)

    w1 = variable(np.sin(np.arange(16, dtype=np.float32)).reshape(4, 4), ".y")
    w2 = variable(np.cos(np.arange(12, dtype=np.float32)).reshape(4, 3), "y.")
    b = variable(np.zeros(4, np.float32), "y")

    @tf.function
    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b), w2)
            found = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
            loss = tf.reduce_mean(found)
        variables = [w1, w2, b]
        for one, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            one.assign_sub(0.5 * gradient)
        return loss

    x, y = on_mesh(X, "x."), on_mesh(Y, "x")
    return [float(step(x, y)) for _ in range(4)]


def test_training_on_a_mesh_is_training_on_one_device() -> None:
    assert trained(placed=True) == trained(placed=False)


def test_a_variable_keeps_its_layout() -> None:
    v = dtensor.DVariable(laid_out((4, 4), "x."))
    v.assign_add(laid_out((4, 4), ".y"))
    found = tf.function(lambda: v * 2)()
    assert (letters_of(v), letters_of(v.read_value()), letters_of(found)) == ("x.", "x.", "x.")


def test_a_function_lays_tensors_out() -> None:
    @tf.function
    def moved(x: Any) -> Any:
        return dtensor.relayout(x * 2, layout("xy"))

    assert letters_of(moved(laid_out((4, 4), ".."))) == "xy"
    for _ in range(2):
        assert letters_of(moved(tf.ones([4, 4]))) == "xy"


def test_parts_are_those_of_the_layout() -> None:
    whole = dtensor.relayout(tf.reshape(tf.range(8), [4, 2]), layout("xy"))
    parts = dtensor.unpack(whole)
    assert [one.numpy().ravel().tolist() for one in parts] == [[0, 2], [1, 3], [4, 6], [5, 7]]
    assert [one.device for one in parts] == layout("xy").mesh.local_devices()
    again = dtensor.relayout(dtensor.pack(parts, layout("xy")), layout(".."))
    assert again.numpy().tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_a_divided_tensor_has_no_value_that_numpy_could_hold() -> None:
    with pytest.raises(tf.errors.UnimplementedError, match="non-replicated DTensor"):
        laid_out((4,), "x").numpy()


def test_larger_tensors_come_to_a_mesh_by_copy_to_mesh_only() -> None:
    with pytest.raises(tf.errors.UnimplementedError, match="got a regular tensor for input 1"):
        _ = laid_out((4,), "x") + tf.ones([4])
    assert letters_of(laid_out((4,), "x") + 1.0) == "x"


def test_batches_of_a_dataset_are_laid_out() -> None:
    numbers = tf.data.Dataset.from_tensor_slices((X, Y))
    data = dtensor.DTensorDataset(
        numbers,
        mesh=MESH,
        layouts=(layout("x."), layout("x")),
        global_batch_size=4,
        batch_dim="x",
    )
    found = [(letters_of(x), dtensor.unpack(y)[2].numpy().tolist()) for x, y in data]
    assert found == [("x.", [2, 0]), ("x.", [0, 1])]


def test_checkpoints_keep_values_whatever_the_layout(tmp_path: Path) -> None:
    v = dtensor.DVariable(laid_out((4,), "x"))
    path = dtensor.DTensorCheckpoint(MESH, v=v).save(str(tmp_path / "kept"))
    other = dtensor.DVariable(dtensor.relayout(tf.zeros([4]), layout(".")))
    tf.train.Checkpoint(v=other).restore(path).assert_consumed()
    assert other.numpy().tolist() == [1, 2, 3, 4]


def test_meshes_and_layouts_are_read_from_their_texts() -> None:
    both = layout("x.")
    assert dtensor.Layout.from_string(both.to_string()) == both
    device = "/job:localhost/replica:0/task:0/device:CPU:"
    names = ",".join(f"{device}{k}" for k in range(4))
    expected = f"sharding_specs:x,unsharded, mesh:|x=2,y=2|0,1,2,3|0,1,2,3|{names}"
    assert both.to_string() == expected


def test_a_layout_names_each_axis_of_the_mesh_once() -> None:
    with pytest.raises(ValueError, match="Mesh dimension x was repeated"):
        dtensor.Layout(["x", "x"], MESH)
    with pytest.raises(ValueError, match="z: A dimension sharding must"):
        dtensor.Layout(["z"], MESH)


def test_operations_need_one_mesh() -> None:
    other = dtensor.create_mesh([("x", 4)], devices=[f"CPU:{k}" for k in range(4)])
    there = dtensor.copy_to_mesh([1.0] * 4, dtensor.Layout(["x"], other))
    with pytest.raises(tf.errors.UnknownError, match="same mesh"):
        _ = laid_out((4,), "x") + there


def test_bfloat16_is_what_checkpoints_hold_where_it_is_wished(tmp_path: Path) -> None:
    v = dtensor.DVariable([1.001, 2.0], layout=layout("."))
    dtensor.enable_save_as_bf16([v])
    path = tf.train.Checkpoint(v=v).save(str(tmp_path / "short"))
    tf.train.Checkpoint(v=v).restore(path)
    assert v.numpy().tolist() == [1.0, 2.0]


def test_operators_in_a_default_mesh_give_what_lies_on_it() -> None:
    with dtensor.default_mesh(MESH):
        found = [dtensor.is_dtensor(one) for one in (tf.ones([2]) + 1, tf.constant(1.0))]
    assert found == [True, False]


def test_the_cpu_is_divided_before_its_parts_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "choices", devices.Choices())
    (cpu,) = tf.config.list_physical_devices("CPU")
    three = [tf.config.LogicalDeviceConfiguration()] * 3
    tf.config.set_logical_device_configuration(cpu, three)
    assert [one.name for one in tf.config.list_logical_devices("CPU")] == [
        "/device:CPU:0",
        "/device:CPU:1",
        "/device:CPU:2",
    ]
    assert tf.config.get_logical_device_configuration(cpu) == three
    assert dtensor.create_mesh({"x": 3}).size == 3
    with pytest.raises(RuntimeError, match="cannot be modified"):
        tf.config.set_logical_device_configuration(cpu, three[:2])


@pytest.mark.parametrize("name", ["matmul", "roll", "prod", "sort", "pad"])
def test_gradients_go_through_relayouts_from_where_no_layout_is_known(name: str) -> None:
    functions: dict[str, Any] = {
        "matmul": lambda x: x @ tf.transpose(x), "roll": lambda x: tf.roll(x, 1, 0),
        "prod": lambda x: tf.reduce_prod(x, 0), "sort": lambda x: tf.sort(x, 1),
        "pad": lambda x: tf.pad(x, [[1, 1], [0, 0]]),
    }  # fmt: skip

    def slope(x: Any, lie: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(functions[name](lie(x)) ** 2)
        return tape.gradient(total, x)

    divided = laid_out((4, 4), "x.")
    whole = tf.constant(dtensor.relayout(divided, layout("..")).numpy())
    found = tf.function(slope)(divided, lambda x: dtensor.relayout(x, layout("xy")))

    assert letters_of(found) == "x."
    there = dtensor.relayout(found, layout("..")).numpy()
    np.testing.assert_allclose(there, slope(whole, tf.identity).numpy(), rtol=1e-5)


def test_gradients_go_through_relayouts_twice() -> None:
    x = laid_out((4, 4), "x.")
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            cubes = tf.reduce_sum(dtensor.relayout(x, layout(".y")) ** 3)
        first = inner.gradient(cubes, x)
    second = outer.gradient(first, x)
    assert (letters_of(first), letters_of(second)) == ("x.", "x.")
    there = [dtensor.relayout(one, layout("..")).numpy() for one in (x, first, second)]
    np.testing.assert_allclose(there[1:], [3 * there[0] ** 2, 6 * there[0]])
