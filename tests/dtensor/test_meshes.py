"""What meshes and layouts say of themselves, as they say it with TensorFlow."""

from __future__ import annotations

import pickle
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


def test_messages_of_meshes_and_layouts_are_those_that_tensorflow_writes() -> None:
    """The bytes are those of TensorFlow 2.21 for the same mesh and layout."""
    device = DEVICES[0].encode()
    mesh = dtensor.Mesh(["x"], np.arange(1), [0], DEVICES[:1], "m")
    layout = dtensor.Layout([dtensor.UNSHARDED, "x"], mesh)
    expected = b'\n\x05\n\x01x\x10\x01\x12\x01\x00\x1a\x01m"\x01\x00*,' + device

    assert expected == mesh.as_proto().SerializeToString()
    assert dtensor.Mesh.from_proto(mesh.as_proto()) == mesh
    said = layout.as_proto()
    assert b"\n\x0b\x12\tunsharded\n\x03\x12\x01x\x12\x3e" + expected + b"\x18\x01" == (
        said.SerializeToString()
    )
    for one in (layout, layout.to_parted(), dtensor.Layout.from_device("CPU:0")):
        assert dtensor.Layout.from_proto(one.as_proto()) == pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(TypeError):
        dtensor.Layout.from_proto(mesh.as_proto())
    with pytest.raises(TypeError):
        dtensor.Mesh.from_proto(said)


def test_one_device_is_a_mesh_without_axes() -> None:
    mesh = dtensor.Mesh.from_device("CPU:0")
    layout = dtensor.Layout.from_single_device_mesh(mesh)

    said = mesh.is_single_device(), mesh.single_device, mesh.device_type(), mesh.to_string()
    assert (True, "CPU:0", "CPU", "CPU:0") == said
    assert ([], 0, [], [1], [], False) == (
        mesh.shape(), mesh.size, mesh.dim_names, mesh.strides, mesh.local_devices(),
        mesh.is_remote(),
    )  # fmt: skip
    assert ("maximal:true, mesh:CPU:0", 0, [], "SINGLE_DEVICE", True, False, False) == (
        layout.to_string(), layout.rank, layout.sharding_specs, layout.type.name,
        layout.is_single_device(), layout.is_fully_replicated(), layout.is_batch_parallel(),
    )  # fmt: skip
    for refused in (
        lambda: dtensor.Mesh.from_device(""),
        lambda: dtensor.Layout.from_single_device_mesh(mesh_of()),
        lambda: dtensor.Layout.replicated(mesh, 2),
        layout.to_parted,
        lambda: layout.delete([0]),
    ):
        with pytest.raises(ValueError, match=r"(?i)single device|alone"):
            refused()


def test_parted_layouts_differ_and_are_refused_for_tensors() -> None:
    layout = dtensor.Layout(["x"], mesh_of())
    parted = layout.to_parted()

    assert ("STATIC", "PARTED") == (layout.type.name, parted.type.name)
    assert f"parted:x, mesh:{TEXT}" == parted.to_string()
    assert parted == dtensor.Layout.from_string(parted.to_string()) != layout
    with pytest.raises(tf.errors.UnimplementedError, match="parts of one size"):
        dtensor.relayout([1.0, 2.0], parted)
    with pytest.raises(tf.errors.UnimplementedError, match="parts of one size"):
        dtensor.pack([[1.0], [2.0]], parted)


def test_variables_tell_how_they_are_saved_and_made() -> None:
    mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    variable = dtensor.DVariable([1.0], layout=dtensor.Layout(["x"], mesh))

    assert not variable.save_as_bf16
    variable.save_as_bf16 = True
    assert variable.save_as_bf16
    assert tf.resource is variable.handle.dtype
    with pytest.raises(RuntimeError):
        _ = variable.create


def test_a_layout_that_divides_nothing_is_asked_for_its_mesh_alone() -> None:
    mesh = dtensor.create_mesh([("x", 2)], devices=["CPU:0", "CPU:1"])

    found = dtensor.copy_to_mesh([[1.0, 2.0]], dtensor.Layout.replicated(mesh, 3))

    assert dtensor.fetch_layout(found) == dtensor.Layout.replicated(mesh, 2)
    with pytest.raises(tf.errors.InvalidArgumentError):
        dtensor.copy_to_mesh([[1.0, 2.0]], dtensor.Layout(["x", "unsharded", "unsharded"], mesh))
