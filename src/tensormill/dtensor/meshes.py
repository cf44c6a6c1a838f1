"""How meshes are made."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextvars import ContextVar
from math import prod
from typing import Any, Final

import numpy as np

from ..core.process.with_blocks import block
from .accelerators import local_devices, preferred_device_type, system
from .mesh import Mesh, full_name, kind_of


class WrongAxes(ValueError):
    """A mesh has other axes than the one that is planned."""


class PlannedMeshes:
    """The sizes of meshes that programs make with others, and the names of their axes."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes: Final = tuple(sizes)
        self.met: Final[list[tuple[str, ...]]] = []

    def instead_of(self, pairs: Sequence[Any]) -> tuple[list[str], list[Any]]:
        """Devices, and the axes with their sizes."""
        names = tuple(str(name) for name, _ in pairs)
        if len(names) != len(self._sizes):
            raise WrongAxes(
                f"the script makes a mesh of the axes {', '.join(names)}, for which "
                f"{'x'.join(map(str, self._sizes))} is no mesh"
            )
        self.met.append(names)
        devices = [full_name(f"CPU:{number}") for number in range(prod(self._sizes))]
        return devices, list(zip(names, self._sizes, strict=True))


_plan: Final[ContextVar[PlannedMeshes | None]] = ContextVar("planned_meshes", default=None)


@block
def planned(sizes: Sequence[int]) -> Generator[list[tuple[str, ...]]]:
    """A block in which `create_mesh` takes these sizes, whatever it is told: a program is planned
    for more devices than it was written on. The result gets the names of axes of each mesh.
    """
    meshes = PlannedMeshes(sizes)
    before = _plan.set(meshes)
    try:
        yield meshes.met
    finally:
        _plan.reset(before)


def create_mesh(
    mesh_dims: Any = None, mesh_name: str = "", devices: Sequence[str] | None = None,
    device_type: str | None = None, use_xla_spmd: bool = False,
) -> Mesh:  # fmt: skip
    """A mesh of devices of this process.

    mesh_dims: pairs of the name and the size of each axis, or a dict; without it, one axis `x` of
    all devices. devices: their names, as "CPU:0"; without it, all of `device_type`.

    >>> mesh = tf.experimental.dtensor.create_mesh([("x", 2), ("y", 1)], devices=["CPU:0", "CPU:1"])
    >>> mesh.global_device_ids().tolist()
    [[0], [1]]

    Raises:
        ValueError: there are more or fewer devices than places; or devices of another type;
            `use_xla_spmd` of others than TPUs.
    """
    names = _devices(devices, device_type)
    dims = [("x", len(names))] if mesh_dims is None else mesh_dims
    pairs = list(dims.items()) if isinstance(dims, dict) else list(dims)
    if (plan := _plan.get()) is not None:
        names, pairs = plan.instead_of(pairs)
    shape = [int(size) for _, size in pairs]
    if int(np.prod(shape, dtype=np.int64)) != len(names):
        raise ValueError(
            f"length of devices ({len(names)}) must be equal to total size of the mesh of shape "
            f"{shape}"
        )
    ids = np.arange(len(names)).reshape(shape)
    return Mesh(
        [name for name, _ in pairs], ids, range(len(names)), names, mesh_name, None, use_xla_spmd
    )


def _devices(devices: Sequence[str] | None, device_type: str | None) -> list[str]:
    if devices is None:
        kind = device_type or preferred_device_type()
        return [one.to_string() for one in local_devices(kind)]
    names = [full_name(one) for one in devices]
    kinds = {kind_of(name) for name in names}
    if device_type is not None and kinds != {device_type.upper()}:
        raise ValueError(
            f"Conflicting devices {list(devices)} and device_type {device_type}: "
            "give one of them, or devices of this type"
        )
    return names


def create_distributed_mesh(
    mesh_dims: Any, mesh_name: str = "", local_devices: Sequence[str] | None = None,
    device_type: str | None = None, use_xla_spmd: bool = False,
) -> Mesh:  # fmt: skip
    """A mesh of the devices of all processes: of one process, what `create_mesh` gives.

    >>> dtensor = tf.experimental.dtensor
    >>> _ = dtensor.initialize_accelerator_system("CPU")
    >>> dtensor.create_distributed_mesh([("x", 1)], device_type="CPU").size
    1
    >>> dtensor.shutdown_accelerator_system()

    Raises:
        ValueError: `initialize_accelerator_system` has not been called, or there are more or fewer
            devices than places.
    """
    if not system.is_ready:
        raise ValueError(
            "Accelerators are uninitialized, please run "
            "dtensor.initialize_accelerator_system() first."
        )
    return create_mesh(mesh_dims, mesh_name, local_devices, device_type, use_xla_spmd)


def barrier(mesh: Mesh, barrier_name: str | None = None, timeout_in_ms: int | None = None) -> None:
    """Wait until all devices of a mesh are here: whoever calls this is the only one.

    >>> tf.experimental.dtensor.barrier(tf.experimental.dtensor.create_mesh([("x", 1)]))

    Raises:
        TypeError: `mesh` is no Mesh.
    """
    if not isinstance(mesh, Mesh):
        raise TypeError(f"barrier waits for the devices of a Mesh, not of {mesh!r}")
