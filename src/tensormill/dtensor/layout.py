"""`Layout`: which axis of a tensor is divided along which axis of a mesh."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

from ..core.shapes import as_shape
from ..errors import UnimplementedError
from ..graph.proto.messages import message
from ..ops.dispatch.divisions import WHOLE, Division
from .mesh import Mesh

UNSHARDED: Final = WHOLE
MATCH: Final = "match"
LAYOUT_TEXT: Final = re.compile(
    r"(?P<kind>sharding_specs|parted):(?P<specs>.*?) mesh:(?P<mesh>.*)", re.DOTALL
)

Specs = tuple[str, ...]


class LayoutType(Enum):
    """What kind of layout it is: with parts of one size, or of several, or on one device."""

    STATIC = 1
    PARTED = 2
    SINGLE_DEVICE = 3


class Layout:
    """How a tensor lies on a mesh: for each of its axes, along which axis of the mesh it is
    divided, or `UNSHARDED`.

    sharding_specs: the names of axes of `mesh`, one for each axis of the tensor. Over the other
    axes of the mesh the tensor is repeated.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> dtensor.Layout(["x", dtensor.UNSHARDED], mesh).num_shards(0)
    1

    Raises:
        ValueError: a name is none of the mesh's, or comes twice; `mesh` is no Mesh.
    """

    __slots__ = ("_mesh", "_specs", "_type")

    def __init__(self, sharding_specs: Sequence[str], mesh: Mesh) -> None:
        if not isinstance(mesh, Mesh):
            raise ValueError(f"mesh is not a valid Mesh object: {mesh!r}")
        if isinstance(sharding_specs, str):
            raise TypeError(
                f"sharding_specs must be a list with a name for each axis, not {sharding_specs!r}"
            )
        self._mesh: Final = mesh
        self._specs: Final[Specs] = tuple(sharding_specs)
        self._type = LayoutType.STATIC
        if mesh.is_single_device():
            raise ValueError(f"the mesh of {mesh.single_device} alone divides nothing")
        self._check(mesh)

    def _check(self, mesh: Mesh) -> None:
        named = [spec for spec in self._specs if spec not in (UNSHARDED, MATCH)]
        for spec in named:
            if named.count(spec) > 1:
                raise ValueError(
                    f"Mesh dimension {spec} was repeated in sharding specification "
                    f"{list(self._specs)}. Mesh dimensions must be unique in a layout."
                )
            if not mesh.contains_dim(spec):
                raise ValueError(
                    f"{spec}: A dimension sharding must either be a valid mesh dimension or "
                    f"UNSHARDED; the mesh has {mesh.dim_names}"
                )

    @classmethod
    def replicated(cls, mesh: Mesh, rank: int) -> Layout:
        """The layout of a tensor that every device has as a whole.

        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> tf.experimental.dtensor.Layout.replicated(mesh, rank=2).sharding_specs
        ['unsharded', 'unsharded']
        """
        return cls([UNSHARDED] * rank, mesh)

    @classmethod
    def batch_sharded(cls, mesh: Mesh, batch_dim: str, rank: int, axis: int = 0) -> Layout:
        """The layout of a tensor that is divided along `axis`, its first, over an axis of the mesh.

        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> tf.experimental.dtensor.Layout.batch_sharded(mesh, "x", rank=2).sharding_specs
        ['x', 'unsharded']

        Raises:
            ValueError: the mesh has no such axis.
        """
        specs = [UNSHARDED] * rank
        specs[axis] = batch_dim
        return cls(specs, mesh)

    @classmethod
    def inner_sharded(cls, mesh: Mesh, inner_dim: str, rank: int) -> Layout:
        """The layout of a tensor that is divided along its last axis.

        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> tf.experimental.dtensor.Layout.inner_sharded(mesh, "x", rank=2).sharding_specs
        ['unsharded', 'x']

        Raises:
            ValueError: the mesh has no such axis.
        """
        return cls.batch_sharded(mesh, inner_dim, rank, axis=rank - 1)

    @classmethod
    def from_single_device_mesh(cls, mesh: Mesh) -> Layout:
        """The layout of what lies on one device.

        mesh: one that `Mesh.from_device` made.

        >>> mesh = tf.experimental.dtensor.Mesh.from_device("CPU:0")
        >>> tf.experimental.dtensor.Layout.from_single_device_mesh(mesh).is_single_device()
        True

        Raises:
            ValueError: it has axes.
        """
        if not mesh.is_single_device():
            raise ValueError("type is single device, but mesh is not single device")
        made: Any = cls.__new__(cls)
        made._mesh, made._specs, made._type = mesh, (), LayoutType.SINGLE_DEVICE
        return made

    @classmethod
    def from_device(cls, device: str) -> Layout:
        """The layout of what lies on one device, by its name.

        >>> tf.experimental.dtensor.Layout.from_device("CPU:0").mesh.single_device
        'CPU:0'

        Raises:
            ValueError: it is called "".
        """
        return cls.from_single_device_mesh(Mesh.from_device(device))

    @classmethod
    def from_proto(cls, layout_proto: Any) -> Layout:
        """The layout that a LayoutProto says.

        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> layout = tf.experimental.dtensor.Layout(["x"], mesh)
        >>> tf.experimental.dtensor.Layout.from_proto(layout.as_proto()) == layout
        True

        Raises:
            TypeError: it is no LayoutProto.
            ValueError: it says no layout.
        """
        if getattr(getattr(layout_proto, "DESCRIPTOR", None), "name", "") != "LayoutProto":
            raise TypeError(f"a LayoutProto is wanted, got {type(layout_proto).__name__}")
        mesh = Mesh.from_proto(layout_proto.mesh_config)
        if layout_proto.type == LayoutType.SINGLE_DEVICE.value:
            return cls.from_single_device_mesh(mesh)
        made = cls([one.sharding_spec for one in layout_proto.sharding_specs], mesh)
        return made.to_parted() if layout_proto.type == LayoutType.PARTED.value else made

    def as_proto(self) -> Any:
        """All of it as a LayoutProto, which `from_proto` reads.

        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> proto = tf.experimental.dtensor.Layout(["x"], mesh).as_proto()
        >>> [one.sharding_spec for one in proto.sharding_specs]
        ['x']
        """
        return message("LayoutProto")(
            sharding_specs=[{"sharding_spec": spec} for spec in self._specs],
            mesh_config=self._mesh.as_proto(), type=self._type.value,
        )  # fmt: skip

    def to_parted(self) -> Layout:
        """The same layout, with parts that may be of several sizes. Tensors have none such here.

        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> tf.experimental.dtensor.Layout(["x"], mesh).to_parted().type.name
        'PARTED'

        Raises:
            ValueError: it is of one device.
        """
        self._require_axes()
        made = Layout(self._specs, self._mesh)
        made._type = LayoutType.PARTED
        return made

    @classmethod
    def from_string(cls, layout_str: str) -> Layout:
        """The layout that `to_string` wrote.

        Raises:
            ValueError: it wrote no such text.
        """
        found = LAYOUT_TEXT.fullmatch(layout_str)
        if found is None:
            raise ValueError(f"no layout: {layout_str!r}; wanted is what Layout.to_string gives")
        specs = [spec for spec in found["specs"].split(",") if spec]
        made = cls(specs, Mesh.from_string(found["mesh"]))
        return made.to_parted() if found["kind"] == "parted" else made

    # ---- what it says
    @property
    def mesh(self) -> Mesh:
        """The mesh that tensors lie on."""
        return self._mesh

    @property
    def type(self) -> LayoutType:
        """What kind it is: `STATIC` unless it came from `to_parted` or is of one device."""
        return self._type

    @property
    def sharding_specs(self) -> list[str]:
        """For each axis of a tensor, the axis of the mesh or `UNSHARDED`."""
        return list(self._specs)

    @property
    def rank(self) -> int:
        """How many axes tensors have."""
        return len(self._specs)

    @property
    def shape(self) -> list[int]:
        """The sizes of the axes of the mesh."""
        return self._mesh.shape()

    def parts(self) -> list[int]:
        """Into how many parts each axis of a tensor is divided."""
        return [self.num_shards(axis) for axis in range(self.rank)]

    def num_shards(self, idx: int) -> int:
        """Into how many parts an axis is divided."""
        spec = self._specs[idx]
        return 1 if spec in (UNSHARDED, MATCH) else self._mesh.dim_size(spec)

    def is_fully_replicated(self) -> bool:
        """Whether every device has the whole tensor."""
        return math.prod(self.parts()) == 1 and not self.is_single_device()

    def is_batch_parallel(self) -> bool:
        """Whether no axis but the first is divided."""
        return math.prod(self.parts()[1:]) == 1 and not self.is_single_device()

    def is_single_device(self) -> bool:
        """Whether it is of one device, whose mesh has no axes."""
        return self._type is LayoutType.SINGLE_DEVICE

    def delete(self, dims: Sequence[int]) -> Layout:
        """The layout of a tensor without these axes.

        Raises:
            ValueError: it is of one device.
        """
        self._require_axes()
        gone = {axis % max(self.rank, 1) for axis in dims}
        return Layout([s for axis, s in enumerate(self._specs) if axis not in gone], self._mesh)

    def _require_axes(self) -> None:
        if self.is_single_device():
            raise ValueError("what lies on a single device, whose mesh has no axes, has no parts")

    def require_equal_parts(self) -> None:
        """Refuse a layout that tensors have in TensorFlow alone.

        Raises:
            UnimplementedError: its parts may be of several sizes, or it is of one device.
        """
        if self._type is not LayoutType.STATIC:
            raise UnimplementedError(
                f"tensors are divided into parts of one size (LayoutType.STATIC), not as {self} "
                "says; use the layout that it was made from, or Layout.replicated"
            )

    def division(self) -> Division:
        """The same in the words of back ends."""
        axes = tuple(None if spec == UNSHARDED else spec for spec in self._specs)
        return Division(tuple(self._mesh.dim_names), tuple(self._mesh.shape()), axes)

    # ---- sizes and places
    def global_shape_from_local_shape(self, local_shape: Any) -> tuple[int | None, ...]:
        """The shape of a tensor of which every device has a part of this shape.

        Raises:
            ValueError: it has another rank.
        """
        return self._scaled(local_shape, lambda size, parts: size * parts)

    def local_shape_from_global_shape(self, global_shape: Any) -> tuple[int | None, ...]:
        """The shape of the parts of a tensor.

        Raises:
            ValueError: it has another rank.
        """
        return self._scaled(global_shape, lambda size, parts: size // parts)

    def _scaled(self, shape: Any, scale: Any) -> tuple[int | None, ...]:
        sizes = as_shape(shape).as_list()
        if self.is_single_device():  # of tensors of any rank
            return tuple(sizes)
        if len(sizes) != self.rank:
            raise ValueError(f"a layout of rank {self.rank} does not fit the shape {sizes}")
        pairs = zip(sizes, self.parts(), strict=True)
        return tuple(None if size is None else scale(size, parts) for size, parts in pairs)

    def offset_to_shard(self) -> list[tuple[int, ...]]:
        """For each device of the mesh, which part it has along each axis."""
        return [self.part_of(place) for place in self._mesh.unravel_index().values()]

    def part_of(self, place: dict[str, int]) -> tuple[int, ...]:
        """Which part the device at a place has, along each axis."""
        return tuple(place.get(spec, 0) for spec in self._specs)

    def offset_tuple_to_global_index(self, offset_tuple: Sequence[int]) -> int:
        """The number of a part, counted along the last axis first."""
        index = 0
        for offset, parts in zip(offset_tuple, self.parts(), strict=True):
            index = index * parts + offset
        return index

    # ---- text
    def to_string(self) -> str:
        """All of it in one line, which `from_string` reads unless it is of one device."""
        if self.is_single_device():
            return f"maximal:true, mesh:{self._mesh.to_string()}"
        specs = "".join(f"{spec}," for spec in self._specs)
        kind = "parted" if self._type is LayoutType.PARTED else "sharding_specs"
        return f"{kind}:{specs} mesh:{self._mesh.to_string()}"

    def __repr__(self) -> str:
        return f"Layout.from_string({self.to_string()})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return False
        return (self._specs, self._type, self._mesh) == (other._specs, other._type, other._mesh)

    def __hash__(self) -> int:
        return hash((self._specs, self._type, self._mesh))

    def __reduce__(self) -> Any:
        if self.is_single_device():
            return Layout.from_single_device_mesh, (self._mesh,)
        return Layout.from_string, (self.to_string(),)
