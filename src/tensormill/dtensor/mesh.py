"""`Mesh`: devices in a grid whose axes have names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ..core.device_specs import DeviceSpec
from ..eager.arrays import canonical
from ..eager.tensor import wrap
from ..errors import NotFoundError

MESH_TEXT: Final = re.compile(
    r"(?P<name>[^|]*)\|(?P<dims>[^|]*)\|(?P<ids>[\d,]*)\|(?P<local>[\d,]*)\|(?P<devices>[^|]*)(\|.*)?"
)


class MeshDimension(NamedTuple):
    """One axis of a mesh."""

    name: str
    size: int


class Mesh:
    """Devices in a grid, of which each axis has a name.

    dim_names: the names of the axes. global_device_ids: an array of the numbers of all devices, as
    many axes as there are names. local_device_ids, local_devices: the numbers and names of those
    that this process has; all have one kind. mesh_name: what it is called.

    >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> mesh.dim_names, mesh.shape, mesh.size
    (['x'], [1], 1)

    Raises:
        ValueError: the parts do not fit each other; devices of several kinds.
    """

    __slots__ = ("_dims", "_global", "_global_devices", "_local", "_local_devices", "_name")

    def __init__(
        self, dim_names: Sequence[str], global_device_ids: Any, local_device_ids: Sequence[int],
        local_devices: Sequence[Any], mesh_name: str = "", global_devices: Any = None,
        use_xla_spmd: bool = False,
    ) -> None:  # fmt: skip
        if not isinstance(global_device_ids, np.ndarray):
            raise ValueError("Variable global_device_ids must be an ndarray.")
        ids = np.asarray(global_device_ids, np.int64)
        if ids.ndim != len(dim_names) or not ids.size:
            raise ValueError(
                f"global_device_ids of shape {ids.shape} do not have one axis, and a device, for "
                f"each of the names {list(dim_names)}"
            )
        if len(local_device_ids) != len(local_devices):
            raise ValueError(
                f"{len(local_device_ids)} local_device_ids do not name {len(local_devices)} "
                "local_devices one by one"
            )
        flat = ids.reshape(-1)
        if not np.array_equal(flat, np.arange(flat[0], flat[0] + flat.size)):
            raise ValueError(f"global_device_ids must increase by one, not {flat.tolist()}")
        self._dims: Final = tuple(map(MeshDimension, map(str, dim_names), ids.shape))
        self._global: Final = ids
        self._local: Final = tuple(int(one) for one in local_device_ids)
        self._local_devices: Final = tuple(full_name(one) for one in local_devices)
        self._global_devices: Final = tuple(map(full_name, global_devices or ()))
        self._name: Final = mesh_name
        kinds = {kind_of(one) for one in self._local_devices}
        if len(kinds) > 1:
            raise ValueError(f"devices of a mesh must be of one kind, not {sorted(kinds)}")

    @classmethod
    def from_string(cls, mesh_str: str) -> Mesh:
        """The mesh that `to_string` wrote.

        Raises:
            ValueError: it wrote no such text.
        """
        found = MESH_TEXT.fullmatch(mesh_str)
        if found is None:
            raise ValueError(f"no mesh: {mesh_str!r}; wanted is what Mesh.to_string gives")
        try:
            dims = [pair.split("=") for pair in found["dims"].split(",")]
            names = [name for name, _ in dims]
            shape = [int(size) for _, size in dims]
            ids = np.array([int(one) for one in found["ids"].split(",")]).reshape(shape)
            local = [int(one) for one in found["local"].split(",") if one]
        except ValueError as error:
            raise ValueError(f"no mesh: {mesh_str!r} ({error})") from None
        devices = [one for one in found["devices"].split(",") if one]
        return cls(names, ids, local, devices, found["name"])

    # ---- axes
    @property
    def dim_names(self) -> list[str]:
        """The names of the axes."""
        return [dim.name for dim in self._dims]

    @property
    def shape(self) -> list[int]:
        """The sizes of the axes."""
        return [dim.size for dim in self._dims]

    @property
    def size(self) -> int:
        """How many devices there are."""
        return int(self._global.size)

    @property
    def strides(self) -> list[int]:
        """How far devices are apart, along each axis, in the list of them."""
        return [int(np.prod(self.shape[axis + 1 :], dtype=np.int64)) for axis in range(len(self))]

    def __len__(self) -> int:
        return len(self._dims)

    def contains_dim(self, dim_name: str) -> bool:
        """Whether an axis has this name."""
        return dim_name in self.dim_names

    def __contains__(self, dim_name: object) -> bool:
        return dim_name in self.dim_names

    def dim_size(self, dim_name: str) -> int:
        """The size of an axis.

        Raises:
            NotFoundError: no axis has this name.
        """
        for dim in self._dims:
            if dim.name == dim_name:
                return dim.size
        raise NotFoundError(
            f"a mesh with the axes {', '.join(self.dim_names)} has none called {dim_name!r}"
        )

    def __getitem__(self, dim_name: str) -> MeshDimension:
        """One axis.

        Raises:
            KeyError: no axis has this name.
        """
        if dim_name not in self.dim_names:
            raise KeyError(f"Dimension {dim_name} not defined in mesh: {self.dim_names}")
        return MeshDimension(dim_name, self.dim_size(dim_name))

    def unravel_index(self) -> dict[int, dict[str, int]]:
        """Where each device is: from its place in the list to its place on each axis."""
        places = np.ndindex(*self.shape)
        return {k: dict(zip(self.dim_names, place, strict=True)) for k, place in enumerate(places)}

    def coords(self, device_idx: int) -> Any:
        """Where a device is on each axis: an int32 vector.

        Raises:
            ValueError: there is no such device.
        """
        return wrap(canonical(np.array(self.device_location(device_idx), np.int32)))

    def device_location(self, device_idx: int) -> list[int]:
        """Where a device is on each axis, as a list.

        Raises:
            ValueError: there is no such device.
        """
        if not 0 <= device_idx < self.size:
            raise ValueError(f"a mesh of {self.size} devices has none numbered {device_idx}")
        return [int(one) for one in np.unravel_index(device_idx, self.shape)]

    # ---- devices
    @property
    def name(self) -> str:
        """What it is called."""
        return self._name

    @property
    def is_single_device(self) -> bool:
        """Whether it is one device without axes: meshes have some."""
        return False

    @property
    def single_device(self) -> str:
        """The name of the device of a mesh without axes: ""."""
        return ""

    @property
    def global_device_ids(self) -> Any:
        """The numbers of all devices, in an array of the mesh's shape."""
        return self._global.copy()

    @property
    def local_device_ids(self) -> list[int]:
        """The numbers of the devices of this process."""
        return list(self._local)

    @property
    def local_devices(self) -> list[str]:
        """The full names of the devices of this process."""
        return list(self._local_devices)

    @property
    def global_devices(self) -> list[str]:
        """The full names of all devices, where they were given."""
        return list(self._global_devices)

    @property
    def local_device_locations(self) -> list[dict[str, int]]:
        """Where the devices of this process are on each axis."""
        found, first = self.unravel_index(), self.min_global_device_id
        return [found[one - first] for one in self._local]

    @property
    def num_local_devices(self) -> int:
        """How many devices this process has."""
        return len(self._local_devices)

    @property
    def min_global_device_id(self) -> int:
        """The least number of a device."""
        return int(self._global.min())

    @property
    def device_type(self) -> str:
        """The kind of its devices, as "CPU"."""
        return kind_of(self._local_devices[0])

    @property
    def is_remote(self) -> bool:
        """Whether another process has its devices."""
        return not self._local_devices

    @property
    def use_xla_spmd(self) -> bool:
        """Whether XLA divides programs: it does not."""
        return False

    def host_mesh(self) -> Mesh:
        """The CPUs of the same hosts: a mesh of CPUs itself."""
        return self

    # ---- text
    def to_string(self) -> str:
        """All of it in one line, which `from_string` reads."""
        dims = ",".join(f"{dim.name}={dim.size}" for dim in self._dims)
        ids = ",".join(map(str, self._global.reshape(-1).tolist()))
        local = ",".join(map(str, self._local))
        return f"{self._name}|{dims}|{ids}|{local}|{','.join(self._local_devices)}"

    def __repr__(self) -> str:
        return f"Mesh.from_string({self.to_string()})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __reduce__(self) -> Any:
        return Mesh.from_string, (self.to_string(),)


def full_name(device: Any) -> str:
    """The name of a device with the job and task of this process, where it says none."""
    spec = device if isinstance(device, DeviceSpec) else DeviceSpec.from_string(spelled(device))
    whole = DeviceSpec.from_string("/job:localhost/replica:0/task:0")
    return whole.make_merged_spec(spec).to_string()


def spelled(device: str) -> str:
    """`CPU:0` as a name that says what it is."""
    return device if device.startswith("/") else f"/device:{device}"


def kind_of(device: str) -> str:
    return str(DeviceSpec.from_string(device).device_type)
