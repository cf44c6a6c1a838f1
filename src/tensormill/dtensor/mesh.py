"""`Mesh`: devices in a grid whose axes have names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..core.device_specs import DeviceSpec
from ..core.process.named_tuples import NamedTuple
from ..eager.arrays import canonical
from ..eager.tensor import wrap
from ..errors import NotFoundError
from ..graph.proto.messages import message

MESH_TEXT: Final = re.compile(
    r"(?P<name>[^|]*)\|(?P<dims>[^|]*)\|(?P<ids>[\d,]*)\|(?P<local>[\d,]*)\|(?P<devices>[^|]*)"
    r"(\|(?P<spmd>use_xla_spmd)?.*)?"
)


class MeshDimension(NamedTuple):
    """One axis of a mesh."""

    name: str
    size: int


class Mesh:
    """Devices in a grid, of which each axis has a name.

    dim_names: the names of the axes. global_device_ids: an array of the numbers of all devices, as
    many axes as there are names. local_device_ids, local_devices: the numbers and names of those
    that this process has; all have one kind. mesh_name: what it is called. global_devices: the
    names of all devices. use_xla_spmd: whether XLA divides programs, which it does for TPUs alone.

    >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> mesh.dim_names, mesh.shape(), mesh.size
    (['x'], [1], 1)

    Raises:
        ValueError: the parts do not fit each other; no devices, or of several kinds; `use_xla_spmd`
            of others than TPUs.
    """

    __slots__ = (
        "_dims", "_divided_by_xla", "_global", "_global_devices", "_local", "_local_devices",
        "_name", "_only",
    )  # fmt: skip

    def __init__(
        self, dim_names: Sequence[str], global_device_ids: Any, local_device_ids: Sequence[int],
        local_devices: Sequence[Any], mesh_name: str = "", global_devices: Any = None,
        use_xla_spmd: bool = False,
    ) -> None:  # fmt: skip
        ids = _in_order(global_device_ids)
        if ids.ndim != len(dim_names):
            raise ValueError(
                f"global_device_ids of shape {ids.shape} do not have one axis for each of the "
                f"names {list(dim_names)}"
            )
        if len(local_device_ids) != len(local_devices):
            raise ValueError(
                f"{len(local_device_ids)} local_device_ids do not name {len(local_devices)} "
                "local_devices one by one"
            )
        self._dims: Final = tuple(map(MeshDimension, map(str, dim_names), ids.shape))
        self._global: Final = ids
        self._local: Final = tuple(int(one) for one in local_device_ids)
        self._local_devices: Final = tuple(full_name(one) for one in local_devices)
        self._global_devices: Final = tuple(map(full_name, global_devices or ()))
        self._name: Final = mesh_name
        self._only: Final = ""
        kind = _common_kind(self._local_devices)
        if use_xla_spmd and kind != "TPU":
            raise ValueError(
                f"XLA divides programs over TPUs alone (use_xla_spmd), not a {kind} mesh"
            )
        self._divided_by_xla: Final = use_xla_spmd

    @classmethod
    def from_device(cls, device: str) -> Mesh:
        """The mesh without axes that is one device.

        >>> mesh = tf.experimental.dtensor.Mesh.from_device("CPU:0")
        >>> mesh.is_single_device(), mesh.dim_names, mesh.device_type()
        (True, [], 'CPU')

        Raises:
            ValueError: it is called "".
        """
        if not device:
            raise ValueError("Single device is empty.")
        made: Any = cls.__new__(cls)
        made._dims = made._local = made._local_devices = made._global_devices = ()
        made._global = np.zeros(0, np.int64)
        made._name, made._only, made._divided_by_xla = "", device, False
        return made

    @classmethod
    def from_proto(cls, proto: Any) -> Mesh:
        """The mesh that a MeshProto says.

        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> tf.experimental.dtensor.Mesh.from_proto(mesh.as_proto()) == mesh
        True

        Raises:
            TypeError: it is no MeshProto.
            ValueError: it says no mesh.
        """
        if getattr(getattr(proto, "DESCRIPTOR", None), "name", "") != "MeshProto":
            raise TypeError(f"a MeshProto is wanted, got {type(proto).__name__}")
        if proto.single_device:
            return cls.from_device(proto.single_device)
        dims = [(dim.name, dim.size) for dim in proto.mesh_dimensions]
        ids = np.array(proto.global_device_ids, np.int64).reshape([size for _, size in dims])
        return cls(
            [name for name, _ in dims], ids, list(proto.local_device_ids),
            list(proto.local_devices), proto.name, list(proto.global_devices), proto.use_xla_spmd,
        )  # fmt: skip

    def as_proto(self) -> Any:
        """All of it as a MeshProto, which `from_proto` reads.

        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> [(dim.name, dim.size) for dim in mesh.as_proto().mesh_dimensions]
        [('x', 1)]
        """
        return message("MeshProto")(
            mesh_dimensions=[{"name": dim.name, "size": dim.size} for dim in self._dims],
            global_device_ids=self._global.reshape(-1).tolist(), local_device_ids=self._local,
            local_devices=self._local_devices, global_devices=self._global_devices,
            name=self._name, use_xla_spmd=self._divided_by_xla, single_device=self._only,
        )  # fmt: skip

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
        spmd = found["spmd"] is not None
        return cls(names, ids, local, devices, found["name"], use_xla_spmd=spmd)

    # ---- axes
    @property
    def dim_names(self) -> list[str]:
        """The names of the axes."""
        return [dim.name for dim in self._dims]

    def shape(self) -> list[int]:
        """The sizes of the axes."""
        return [dim.size for dim in self._dims]

    @property
    def size(self) -> int:
        """How many devices there are."""
        return int(self._global.size)

    @property
    def strides(self) -> list[int]:
        """How far devices are apart, along each axis, in the list of them; of one device [1]."""
        if self._only:
            return [1]
        return [int(np.prod(self.shape()[axis + 1 :], dtype=np.int64)) for axis in range(len(self))]

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
        places = np.ndindex(*self.shape())
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
        return [int(one) for one in np.unravel_index(device_idx, self.shape())]

    # ---- devices
    @property
    def name(self) -> str:
        """What it is called."""
        return self._name

    def is_single_device(self) -> bool:
        """Whether it is one device without axes."""
        return bool(self._only)

    @property
    def single_device(self) -> str:
        """The name of the device of a mesh without axes; of others ""."""
        return self._only

    def global_device_ids(self) -> Any:
        """The numbers of all devices, in an array of the mesh's shape."""
        return self._global.copy()

    def local_device_ids(self) -> list[int]:
        """The numbers of the devices of this process."""
        return list(self._local)

    def local_devices(self) -> list[str]:
        """The full names of the devices of this process."""
        return list(self._local_devices)

    def global_devices(self) -> list[str]:
        """The full names of all devices, where they were given."""
        return list(self._global_devices)

    def local_device_locations(self) -> list[dict[str, int]]:
        """Where the devices of this process are on each axis."""
        if self._only:
            return []
        found, first = self.unravel_index(), self.min_global_device_id()
        return [found[one - first] for one in self._local]

    def num_local_devices(self) -> int:
        """How many devices this process has."""
        return len(self._local_devices)

    def min_global_device_id(self) -> int:
        """The least number of a device.

        Raises:
            ValueError: it is one device without a number.
        """
        if self._only:
            raise ValueError(f"the mesh of {self._only} alone has no numbers of devices")
        return int(self._global.min())

    def device_type(self) -> str:
        """The kind of its devices, as "CPU"."""
        return kind_of(spelled(self._only) if self._only else self._local_devices[0])

    def is_remote(self) -> bool:
        """Whether another process has its devices."""
        return not self._local_devices and not self._only

    def use_xla_spmd(self) -> bool:
        """Whether XLA divides programs for its TPUs."""
        return self._divided_by_xla

    def host_mesh(self) -> Mesh:
        """The CPUs of the same hosts, in the same places.

        Raises:
            ValueError: it is one device without axes.
        """
        if self._only:
            raise ValueError(f"the mesh of {self._only} alone has no mesh of hosts")
        cpus = [re.sub(r"(?<=/device:)\w+", "CPU", one) for one in self._local_devices]
        return Mesh(self.dim_names, self._global, self._local, cpus)

    # ---- text
    def to_string(self) -> str:
        """All of it in one line, which `from_string` reads; of a mesh without axes its device."""
        if self._only:
            return self._only
        dims = ",".join(f"{dim.name}={dim.size}" for dim in self._dims)
        ids = ",".join(map(str, self._global.reshape(-1).tolist()))
        local = ",".join(map(str, self._local))
        devices = ",".join(self._local_devices)
        spmd = "|use_xla_spmd" if self._divided_by_xla else ""
        return f"{self._name}|{dims}|{ids}|{local}|{devices}{spmd}"

    def __repr__(self) -> str:
        return f"Mesh.from_string({self.to_string()})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __reduce__(self) -> Any:
        return (Mesh.from_device if self._only else Mesh.from_string), (self.to_string(),)


def _in_order(ids: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The numbers of devices, each of which is one more than the last."""
    if not isinstance(ids, np.ndarray):
        raise ValueError("Variable global_device_ids must be an ndarray.")
    found = np.asarray(ids, np.int64)
    flat = found.reshape(-1)
    if not flat.size or not np.array_equal(flat, np.arange(flat[0], flat[0] + flat.size)):
        raise ValueError(f"global_device_ids must increase by one, not {flat.tolist()}")
    return found


def _common_kind(devices: Sequence[str]) -> str:
    kinds = {kind_of(one) for one in devices}
    if not kinds:
        raise ValueError("Empty list of devices not allowed.")
    if len(kinds) > 1:
        raise ValueError(f"devices of a mesh must be of one kind, not {sorted(kinds)}")
    return kinds.pop()


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
