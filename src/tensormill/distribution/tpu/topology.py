"""Where the cores of TPUs lie in their mesh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...graph.proto.messages import DecodeError, message

# x, y, z and the number of a core in its chip.
AXES: Final = 4


class Topology:
    """A mesh of TPU cores, and which of them each task of a program has.

    mesh_shape: how many cores there are along each of the four axes. device_coordinates:
    int32[tasks, cores of a task, 4]. serialized: both as a message, which goes before them.

    >>> cores = np.array([[[0, 0, 0, 0], [0, 0, 0, 1]]], np.int32)
    >>> topology = tf.tpu.experimental.Topology(mesh_shape=[1, 1, 1, 2], device_coordinates=cores)
    >>> topology.num_tpus_per_task, topology.tpu_device_name_at_coordinates([0, 0, 0, 1])
    (2, '/task:0/device:TPU:1')

    Raises:
        ValueError: the mesh has not four sizes above 0, or the coordinates not as many axes.
        IndexError: a core lies outside the mesh.
    """

    def __init__(
        self,
        serialized: bytes | None = None,
        mesh_shape: Any = None,
        device_coordinates: Any = None,
    ) -> None:
        if serialized is not None:
            mesh_shape, device_coordinates = _parsed(serialized)
        self._shape = _mesh(mesh_shape)
        self._coordinates = _cores(device_coordinates, self._shape)
        self._tasks = np.full(self._shape, -1, np.int32)
        self._ordinals = np.full(self._shape, -1, np.int32)
        for task, cores in enumerate(self._coordinates):
            for ordinal, place in enumerate(cores):
                self._tasks[tuple(place)] = task
                self._ordinals[tuple(place)] = ordinal

    @property
    def mesh_shape(self) -> Any:
        """How many cores there are along each axis."""
        return self._shape

    @property
    def mesh_rank(self) -> int:
        """How many axes the mesh has."""
        return len(self._shape)

    @property
    def device_coordinates(self) -> Any:
        """int32[tasks, cores of a task, axes]: where each core lies."""
        return self._coordinates

    @property
    def missing_devices(self) -> Any:
        """int64[n, axes]: the places of the mesh that no task has."""
        return np.argwhere(self._tasks < 0)

    @property
    def num_tasks(self) -> int:
        """How many tasks there are."""
        return self._coordinates.shape[0]

    @property
    def num_tpus_per_task(self) -> int:
        """How many cores each task has."""
        return self._coordinates.shape[1]

    def task_ordinal_at_coordinates(self, device_coordinates: Sequence[int]) -> int:
        """The number of the task that has a core.

        Raises:
            IndexError: the place lies outside the mesh.
        """
        return self._tasks[tuple(device_coordinates)]

    def tpu_device_ordinal_at_coordinates(self, device_coordinates: Sequence[int]) -> int:
        """The number of a core in its task.

        Raises:
            IndexError: the place lies outside the mesh.
        """
        return self._ordinals[tuple(device_coordinates)]

    def cpu_device_name_at_coordinates(
        self, device_coordinates: Sequence[int], job: str | None = None
    ) -> str:
        """The name of the CPU beside a core.

        Raises:
            IndexError: the place lies outside the mesh.
        """
        return f"{_prefix(job)}/task:{self._tasks[tuple(device_coordinates)]}/device:CPU:0"

    def tpu_device_name_at_coordinates(
        self, device_coordinates: Sequence[int], job: str | None = None
    ) -> str:
        """The name of a core.

        Raises:
            IndexError: the place lies outside the mesh.
        """
        place = tuple(device_coordinates)
        return f"{_prefix(job)}/task:{self._tasks[place]}/device:TPU:{self._ordinals[place]}"

    def serialized(self) -> bytes:
        """The topology as a serialized message, which `Topology(serialized=...)` takes."""
        made = message("TopologyProto")()
        made.mesh_shape[:] = self._shape.tolist()
        made.num_tasks, made.num_tpu_devices_per_task = self._coordinates.shape[:2]
        made.device_coordinates[:] = self._coordinates.ravel().tolist()
        return made.SerializeToString()


def _prefix(job: str | None) -> str:
    return "" if job is None else f"/job:{job}"


def _parsed(serialized: bytes) -> tuple[Any, Any]:
    """The mesh and the coordinates that a message says.

    Raises:
        ValueError: it is no such message, or its numbers do not fit each other.
    """
    found = message("TopologyProto")()
    try:
        found.ParseFromString(serialized)
    except DecodeError as error:
        raise ValueError(f"serialized is no TopologyProto: {error}") from None
    sizes = found.num_tasks, found.num_tpu_devices_per_task, len(found.mesh_shape)
    numbers = list(found.device_coordinates)
    _mesh(found.mesh_shape)
    if min(sizes) < 0 or len(numbers) != sizes[0] * sizes[1] * sizes[2]:
        raise ValueError(
            f"a topology of {sizes[0]} tasks with {sizes[1]} TPUs each needs "
            f"{sizes[0] * sizes[1] * sizes[2]} numbers in `device_coordinates`, got {len(numbers)}"
        )
    return found.mesh_shape, np.array(numbers, np.int32).reshape(sizes)


def _mesh(sizes: Any) -> Any:
    found = np.asarray([] if sizes is None else list(sizes), np.int32)
    if len(found) != AXES or (found < 1).any():
        raise ValueError(f"`mesh_shape` must be a sequence of 4 positive entries; got {found}")
    return found


def _cores(coordinates: Any, mesh: Any) -> Any:
    found = np.asarray([] if coordinates is None else coordinates, np.int32)
    if found.ndim != 3 or found.shape[2] != len(mesh):
        raise ValueError(
            f"`device_coordinates` must be int32[tasks, TPUs of a task, {len(mesh)}], got shape "
            f"{list(found.shape)}"
        )
    outside = (found < 0) | (found >= mesh)
    if outside.any():
        place = found[outside.any(-1)][0].tolist()
        raise IndexError(f"the core at {place} lies outside the mesh of shape {mesh.tolist()}")
    return found
