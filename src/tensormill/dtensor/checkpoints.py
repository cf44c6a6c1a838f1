"""Checkpoints of variables with layouts, and files of named tensors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from ..checkpoint.checkpoint import Checkpoint
from ..core.files.gfile import text
from ..eager.convert import convert_to_tensor
from ..errors import NotFoundError, UnimplementedError
from ..formats.bundle_writer import write_bundle
from ..formats.tensor_bundle import BundleReader
from ..ops.bind import bind
from .calls import fetch_layout, is_dtensor, relayout
from .mesh import Mesh
from .tensors import plain


class DTensorCheckpoint(Checkpoint):
    """A `tf.train.Checkpoint` of objects whose variables lie on a mesh.

    mesh: where they lie. Files are those of any checkpoint and hold whole values, so that meshes
    may differ between saving and restoring.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> v = dtensor.DVariable([1.0], layout=dtensor.Layout(["x"], mesh))
    >>> dtensor.DTensorCheckpoint(mesh, v=v).save("divided/model")
    'divided/model-1'

    Raises:
        ValueError: an argument has no state that could be saved.
    """

    def __init__(self, mesh: Mesh, root: Any = None, **kwargs: Any) -> None:
        super().__init__(root, **kwargs)
        self._mesh = mesh


def name_based_save(
    mesh: Mesh, checkpoint_prefix: Any, name_tensor_dict: Mapping[str, Any]
) -> None:
    """Write tensors with layouts, or variables, under names.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> w = dtensor.relayout([1.0, 2.0], dtensor.Layout(["x"], mesh))
    >>> dtensor.name_based_save(mesh, "named", {"w": w})
    >>> tf.train.load_variable("named", "w")
    array([1., 2.], dtype=float32)

    Raises:
        ValueError: there is nothing to save.
        UnimplementedError: a tensor has no layout.
    """
    if not name_tensor_dict:
        raise ValueError("name_based_save needs a tensor to save, but name_tensor_dict is empty")
    write_bundle(text(checkpoint_prefix), {name: _whole(x) for name, x in name_tensor_dict.items()})


def _whole(tensor: Any) -> Any:
    if not is_dtensor(tensor):
        raise UnimplementedError(
            f"only DTensors are saved so, not {tensor!r}: use dtensor.copy_to_mesh first"
        )
    return plain(convert_to_tensor(tensor))._array


def name_based_restore(
    mesh: Mesh, checkpoint_prefix: Any, name_tensor_dict: Mapping[str, Any]
) -> Any:
    """The tensors of a file of `name_based_save`, laid out as those of `name_tensor_dict` are.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> w = dtensor.relayout([1.0, 2.0], dtensor.Layout(["x"], mesh))
    >>> dtensor.name_based_save(mesh, "named", {"w": w})
    >>> found = dtensor.name_based_restore(mesh, "named", {"w": w})
    >>> dtensor.fetch_layout(found["w"]).sharding_specs
    ['x']

    Raises:
        ValueError: no name is asked for.
        NotFoundError: there is no such file, or no such name in it.
    """
    if not name_tensor_dict:
        raise ValueError("name_based_restore needs a name to restore: name_tensor_dict is empty")
    reader = BundleReader(text(checkpoint_prefix))
    found: OrderedDict[str, Any] = OrderedDict()
    for name, like in name_tensor_dict.items():
        if name not in reader:
            raise NotFoundError(f"{text(checkpoint_prefix)} has no tensor called {name!r}")
        found[name] = relayout(convert_to_tensor(reader.read(name)), fetch_layout(like))
    return found


def sharded_save(
    mesh: Mesh, file_prefix: Any, tensor_names: Sequence[str], shape_and_slices: Sequence[str],
    tensors: Sequence[Any],
) -> None:  # fmt: skip
    """Write tensors with layouts under names: whole ones, for there is one process.

    shape_and_slices: of each tensor, the part that it is of a larger one, or "".

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> w = dtensor.relayout([1.0, 2.0], dtensor.Layout(["x"], mesh))
    >>> dtensor.sharded_save(mesh, "sharded", ["w"], [""], [w])
    >>> tf.train.load_variable("sharded", "w")
    array([1., 2.], dtype=float32)

    Raises:
        UnimplementedError: a tensor has no layout.
    """
    from ..formats.bundle_operations import SaveV2  # the operation, which knows of parts

    values = [convert_to_tensor(_whole(one)) for one in tensors]
    names = convert_to_tensor(list(tensor_names), "string")
    parts = convert_to_tensor(list(shape_and_slices), "string")
    bind(SaveV2, text(file_prefix), names, parts, values)
