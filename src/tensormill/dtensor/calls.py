"""How tensors come to a mesh, move on it, and leave it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from ..core import context, tree
from ..core.values import TensorLike
from ..eager.arrays import canonical
from ..eager.convert import convert_to_tensor
from ..eager.tensor import EagerTensor, is_symbolic, wrap
from ..errors import InvalidArgumentError, NotFoundError, UnimplementedError, UnknownError
from ..ops.bind import bind
from ..ops.control.layouts import Relayout, RelayoutLike
from .layout import MATCH, UNSHARDED, Layout
from .mesh import Mesh
from .placement import default, is_placed, on_mesh
from .tensors import DEVICE, DTensor, part, placed_tensor, unknown


def device_name() -> str:
    """The name of the device that stands for all meshes.

    >>> tf.experimental.dtensor.device_name()
    '/job:localhost/replica:0/task:0/device:CUSTOM:0'
    """
    return DEVICE


def default_mesh(mesh: Mesh) -> AbstractContextManager[Any]:
    """A block in which operations run on a mesh, also those without operands that lie there.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> with dtensor.default_mesh(mesh):
    ...     print(dtensor.is_dtensor(tf.ones([2])))
    True

    Raises:
        ValueError: it is no Mesh.
    """
    if not isinstance(mesh, Mesh):
        raise ValueError(f"Expect `mesh` to be `Mesh`, got {type(mesh)}")
    return on_mesh(mesh)


def run_on(mesh: Mesh) -> AbstractContextManager[Any]:
    """An older name of `default_mesh`.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> with dtensor.run_on(mesh):
    ...     print(dtensor.get_default_mesh() == mesh)
    True

    Raises:
        ValueError: it is no Mesh.
    """
    return default_mesh(mesh)


def get_default_mesh() -> Mesh | None:
    """The mesh of the `default_mesh` block around; None outside.

    >>> print(tf.experimental.dtensor.get_default_mesh())
    None
    """
    return default.get()


def relayout(tensor: Any, layout: Layout, name: str | None = None) -> Any:
    """The tensor, laid out as `layout` says; its value is the same.

    tensor: with a layout or without; in a function, any. `MATCH` in `layout` stands for what the
    tensor has along this axis.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> moved = dtensor.relayout(tf.ones([2, 2]), dtensor.Layout.batch_sharded(mesh, "x", rank=2))
    >>> dtensor.fetch_layout(moved).sharding_specs
    ['x', 'unsharded']

    Raises:
        UnknownError: an axis cannot be divided so.
        InvalidArgumentError: the layout has another rank.
    """
    value = convert_to_tensor(tensor)
    if not is_symbolic(value):
        layout = _matched(value, layout)
    require_divisible(value.shape, layout)
    if is_symbolic(value) or context.top().recorders:
        return bind(Relayout, value, layout=layout.to_string(), name=name)
    return _laid_out(value, layout)


def _laid_out(value: Any, layout: Layout) -> DTensor:
    return placed_tensor(value._array, layout.mesh, layout, "Relayout")


def _matched(value: Any, layout: Layout) -> Layout:
    if MATCH not in layout.sharding_specs:
        return layout
    own = fetch_layout(value).sharding_specs if is_dtensor(value) else [UNSHARDED] * layout.rank
    pairs = zip(layout.sharding_specs, own, strict=True)
    return Layout([mine if spec == MATCH else spec for spec, mine in pairs], layout.mesh)


def require_divisible(shape: Any, layout: Layout) -> None:
    """Refuse a layout that a tensor of this shape cannot have.

    Raises:
        InvalidArgumentError: it has another rank.
        UnknownError: a size is no multiple of the number of parts.
        UnimplementedError: its parts are of several sizes, or it is of one device.
    """
    if not isinstance(layout, Layout):
        raise TypeError(f"a Layout is wanted, not {layout!r}")
    layout.require_equal_parts()
    if shape.rank is None:
        return
    if shape.rank != layout.rank:
        raise InvalidArgumentError(
            f"a tensor of shape {shape} has no layout of rank {layout.rank}: {layout}"
        )
    for axis, (size, parts) in enumerate(zip(shape.as_list(), layout.parts(), strict=True)):
        if size is not None and size % parts:
            raise UnknownError(
                f"axis {axis} has the size {size}, which is not divisible by the {parts} parts "
                f"that {layout.sharding_specs} makes of it"
            )


def relayout_like(tensor: Any, layout_tensor: Any, name: str | None = None) -> Any:
    """The tensor, laid out as another one is.

    Both are of any dtype, and of one rank; the result has the shape and dtype of `tensor`.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> other = dtensor.relayout([1.0], dtensor.Layout(["x"], mesh))
    >>> dtensor.fetch_layout(dtensor.relayout_like([2.0], other)).sharding_specs
    ['x']

    Raises:
        NotFoundError: the other one has no layout.
    """
    value, like = convert_to_tensor(tensor), convert_to_tensor(layout_tensor)
    if is_symbolic(value) or is_symbolic(like):
        return bind(RelayoutLike, value, like, name=name)
    if not is_dtensor(like):
        raise NotFoundError(
            "RelayoutLike needs a DTensor whose layout it can take: use dtensor.relayout to say one"
        )
    return relayout(value, fetch_layout(like), name)


def copy_to_mesh(tensor: Any, layout: Layout, source_layout: Layout | None = None) -> Any:
    """A tensor on a mesh, laid out as `layout` says. `source_layout` changes nothing.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> dtensor.copy_to_mesh([1.0, 2.0], dtensor.Layout.replicated(mesh, rank=1)).numpy()
    array([1., 2.], dtype=float32)

    Raises:
        UnknownError: an axis cannot be divided so.
        InvalidArgumentError: the layout has another rank, and divides axes; one that leaves all of
            them whole is only asked for its mesh.
    """
    rank = convert_to_tensor(tensor).shape.rank
    if rank is not None and rank != layout.rank and layout.is_fully_replicated():
        layout = Layout.replicated(layout.mesh, rank)
    return relayout(tensor, layout)


def pack(tensors: Sequence[Any], layout: Layout) -> Any:
    """One tensor of the parts that the devices of a mesh have, in their order.

    tensors: of any dtype, of one shape; the result has as many axes.

    The parts are one value for each device; those of devices that have the same part must be equal,
    and of these the first one counts.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 2)], devices=["CPU:0", "CPU:1"])
    >>> packed = dtensor.pack([[1, 2], [3, 4]], dtensor.Layout(["x"], mesh))
    >>> packed.shape
    TensorShape([4])

    Raises:
        RuntimeError: a function is being traced.
        InvalidArgumentError: another number of parts than of devices, or of another rank.
        UnimplementedError: parts of several shapes.
    """
    if context.building_graph():
        raise RuntimeError("`pack` must be called eagerly.")
    layout.require_equal_parts()
    mesh = layout.mesh
    parts = [convert_to_tensor(one) for one in tensors]
    if len(parts) != mesh.num_local_devices():
        raise InvalidArgumentError(
            f"DTensorPack: the mesh has {mesh.num_local_devices()} devices, but {len(parts)} parts "
            "are given"
        )
    if any(is_dtensor(one) for one in parts):
        raise InvalidArgumentError("DTensorPack: a part lies on a mesh already; pack plain tensors")
    first = parts[0]
    if any(one.shape != first.shape for one in parts):
        raise UnimplementedError(
            "Components of a PackedTensor must currently all have the same shape"
        )
    if any(one.dtype is not first.dtype for one in parts):
        raise InvalidArgumentError("Components of a PackedTensor must all have the same dtype")
    if first.shape.rank != layout.rank:
        raise InvalidArgumentError(
            "Packed layout should have the same rank as the rank for each component. The rank of "
            f"each component is: {first.shape.rank}, while layout has rank: {layout.rank}"
        )
    return placed_tensor(_joined([one._array for one in parts], layout), mesh, layout)


def _joined(arrays: list[Any], layout: Layout) -> Any:
    """Devices that hold the same part are believed alike: the first of them has it."""
    shape: Any = layout.global_shape_from_local_shape(arrays[0].shape)
    whole = np.empty(shape, arrays[0].dtype)
    places = list(layout.mesh.unravel_index().values())
    for array, place in reversed(list(zip(arrays, places, strict=True))):
        starts = zip(layout.part_of(place), array.shape, strict=True)
        whole[tuple(slice(at * size, (at + 1) * size) for at, size in starts)] = array
    return canonical(whole)


def unpack(tensor: Any) -> list[Any]:
    """The parts of a tensor that the devices of its mesh have, in their order.

    tensor: of any shape and dtype, which the parts have.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 2)], devices=["CPU:0", "CPU:1"])
    >>> divided = dtensor.relayout([1, 2, 3, 4], dtensor.Layout(["x"], mesh))
    >>> [one.numpy().tolist() for one in dtensor.unpack(divided)]
    [[1, 2], [3, 4]]
    >>> dtensor.unpack(divided)[1].device
    '/job:localhost/replica:0/task:0/device:CPU:1'

    Raises:
        RuntimeError: a function is being traced.
        InvalidArgumentError: the tensor has no layout.
    """
    if context.building_graph():
        raise RuntimeError("`unpack` must be called eagerly.")
    value = convert_to_tensor(tensor)
    if not isinstance(value, DTensor):
        raise InvalidArgumentError(
            f"DTensorUnpack expects a tensor placed on the DTensor device: {DEVICE}, but input was "
            f"placed on device: {value.device}"
        )
    layout = fetch_layout(value)
    mesh = layout.mesh
    places = zip(mesh.unravel_index().values(), mesh.local_devices(), strict=True)
    return [wrap(canonical(part(value._array, layout, at)), device) for at, device in places]


def fetch_layout(tensor: Any) -> Layout:
    """How a tensor or variable is laid out.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> dtensor.fetch_layout(dtensor.relayout([1.0], dtensor.Layout(["x"], mesh))).sharding_specs
    ['x']

    Raises:
        RuntimeError: a function is being traced.
        InvalidArgumentError: it has no layout.
        UnimplementedError: it is not known, as TensorFlow refuses the operation that made it.
    """
    if context.building_graph():
        raise RuntimeError("`fetch_layout` must be called eagerly.")
    layout = getattr(tensor, "layout", None)
    if isinstance(layout, Layout):
        return layout
    if not isinstance(tensor, DTensor):
        raise InvalidArgumentError("FetchLayout expects a tensor placed on the layout device.")
    if tensor.placed is None:
        raise unknown(tensor)
    return tensor.placed


def is_dtensor(tensor: Any) -> bool:
    """Whether this is a tensor or variable with a layout.

    >>> tf.experimental.dtensor.is_dtensor(tf.constant(1))
    False

    Raises:
        RuntimeError: a function is being traced.
    """
    if context.building_graph():
        raise RuntimeError("`is_dtensor` must be called eagerly.")
    return is_placed(tensor) or isinstance(getattr(tensor, "layout", None), Layout)


def check_layout(tensor: Any, layout: Layout) -> None:
    """See to it that a tensor is laid out as `layout` says.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> x = dtensor.Layout(["x"], mesh)
    >>> dtensor.check_layout(dtensor.relayout([1.0], x), x)

    Raises:
        ValueError: it is not.
        InvalidArgumentError: it has no layout.
    """
    own = fetch_layout(tensor)
    if own != layout:
        raise ValueError(f"Layout of tensor: {own} did not match expected layout: {layout}.")


def call_with_layout(
    fn: Callable[..., Any], layout: Layout | None, *args: Any, **kwargs: Any
) -> Any:
    """`fn(*args, **kwargs)`, all tensors of which are laid out as `layout` says; None: as they are.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> made = dtensor.call_with_layout(tf.ones, dtensor.Layout(["x"], mesh), shape=[2])
    >>> dtensor.fetch_layout(made).sharding_specs
    ['x']

    Raises:
        InvalidArgumentError: a tensor has other axes than the layout.
        AttributeError: it is no layout. What `fn` raises comes through.
    """
    if layout is None:
        return fn(*args, **kwargs)
    with default_mesh(layout.mesh):
        results = fn(*args, **kwargs)
    return tree.map_structure(
        lambda one: relayout(one, layout) if isinstance(one, (TensorLike, EagerTensor)) else one,
        results,
    )
