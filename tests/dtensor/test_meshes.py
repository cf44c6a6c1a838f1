"""What meshes and layouts say of themselves, as they say it with TensorFlow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.dtensor.meshes import WrongAxes, planned

dtensor = tf.experimental.dtensor
DEVICES = [f"/job:localhost/replica:0/task:0/device:CPU:{k}" for k in range(2)]
TEXT = f"m|x=2|0,1|0,1|{','.join(DEVICES)}"


def mesh_of(kind: str = "CPU", **options: Any) -> Any:
    devices = [name.replace("CPU", kind) for name in DEVICES]
    return dtensor.Mesh(["x"], np.arange(2), [0, 1], devices, "m", **options)


@pytest.mark.parametrize(
    ("member", "expected"),
    {
        "device_type": "CPU",
        "global_devices": [],
        "is_remote": False,
        "is_single_device": False,
        "local_device_ids": [0, 1],
        "local_device_locations": [{"x": 0}, {"x": 1}],
        "local_devices": DEVICES,
        "min_global_device_id": 0,
        "num_local_devices": 2,
        "shape": [2],
        "to_string": TEXT,
        "unravel_index": {0: {"x": 0}, 1: {"x": 1}},
        "use_xla_spmd": False,
    }.items(),
)
def test_a_mesh_tells_when_it_is_called(member: str, expected: Any) -> None:
    assert expected == getattr(mesh_of(), member)()
    assert expected == getattr(dtensor.Mesh.from_string(TEXT), member)()


def test_the_numbers_of_devices_are_an_array() -> None:
    np.testing.assert_array_equal([0, 1], mesh_of().global_device_ids())


def test_names_and_sizes_are_attributes_of_a_mesh() -> None:
    mesh = mesh_of()

    said = mesh.dim_names, mesh.name, mesh.single_device, mesh.size, mesh.strides

    assert (["x"], "m", "", 2, [1]) == said


@pytest.mark.parametrize("kind", ["CPU", "TPU"])
def test_hosts_of_a_mesh_are_cpus_without_a_name(kind: str) -> None:
    assert TEXT.removeprefix("m") == mesh_of(kind).host_mesh().to_string()


def test_only_tpus_have_programs_that_xla_divides() -> None:
    with pytest.raises(ValueError, match="CPU mesh"):
        mesh_of(use_xla_spmd=True)
    with pytest.raises(ValueError, match="CPU mesh"):
        dtensor.create_mesh([("x", 1)], devices=["CPU:0"], use_xla_spmd=True)

    text = mesh_of("TPU", use_xla_spmd=True).to_string()

    assert f"{TEXT.replace('CPU', 'TPU')}|use_xla_spmd" == text
    assert dtensor.Mesh.from_string(text).use_xla_spmd()


def test_a_mesh_has_devices() -> None:
    with pytest.raises(ValueError, match="Empty list of devices"):
        dtensor.Mesh(["x"], np.arange(1), [], [])


@pytest.mark.parametrize("specs", [["x", "y"], ["y"], ["unsharded"] * 3, []])
def test_the_shape_of_a_layout_is_that_of_its_mesh(specs: list[str]) -> None:
    mesh = dtensor.create_mesh([("x", 2), ("y", 3)], devices=[f"CPU:{k}" for k in range(6)])
    layout = dtensor.Layout(specs, mesh)

    assert [2, 3] == layout.shape
    assert not layout.is_single_device()


def test_a_planned_mesh_has_other_sizes_and_its_own_axes() -> None:
    with planned((4, 8)) as met:
        mesh = dtensor.create_mesh([("x", 1), ("y", 2)], devices=["CPU:0", "CPU:1"])
        with pytest.raises(WrongAxes, match="axes x, for which 4x8 is no mesh"):
            dtensor.create_mesh([("x", 1)], devices=["CPU:0"])

    assert (mesh.dim_names, mesh.shape(), mesh.num_local_devices()) == (["x", "y"], [4, 8], 32)
    assert met == [("x", "y")]
    assert dtensor.create_mesh([("x", 1)], devices=["CPU:0"]).size == 1
