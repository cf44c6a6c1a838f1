"""Tensors and handles of variables that know how they are laid out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ..core.dtypes import shown
from ..eager.fast_operators import OPERATORS
from ..eager.indexing import get_item
from ..eager.operators import Operators
from ..eager.tensor import EagerHandle, EagerTensor
from ..errors import UnimplementedError
from .layout import Layout, Specs
from .merging import replicated
from .mesh import Mesh

DEVICE: Final = "/job:localhost/replica:0/task:0/device:CUSTOM:0"


class DTensor(EagerTensor):
    """A tensor that lies on a mesh; its value is the whole one.

    `placed` is how: None where that is not known, as TensorFlow refuses the operation. Whoever
    wants the value of one that is not on every device as a whole is refused, as by TensorFlow.
    """

    mesh: Mesh
    placed: Layout | None
    made_by: str  # the operation, for those whose layout is not known
    is_replaceable = True  # graphs that capture it do not make it a constant, which has no layout

    @property
    def device(self) -> str:
        return DEVICE

    backing_device = device

    def _whole(self) -> Any:
        if self.placed is not None and self.placed.is_fully_replicated():
            return shown(self._array)
        if self.placed is None:
            raise unknown(self)
        raise UnimplementedError(
            "Trying to copy a non-single-device and non-replicated DTensor is not supported; use "
            f"dtensor.relayout to have it on every device first. Input tensor is: {self!s}"
        )

    def numpy(self) -> Any:
        """The value, of a tensor that every device has as a whole.

        Raises:
            UnimplementedError: it is divided, or it is not known how it is laid out.
        """
        array = self._whole()
        return array.copy() if array.ndim else array[()]

    def __bool__(self) -> bool:
        return self._checked().__bool__()

    def __int__(self) -> int:
        return self._checked().__int__()

    def __float__(self) -> float:
        return self._checked().__float__()

    def __complex__(self) -> complex:
        return self._checked().__complex__()

    def __index__(self) -> int:
        return self._checked().__index__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self._checked().__array__(dtype, copy)

    def __dlpack__(self, **options: Any) -> Any:
        return self._checked().__dlpack__(**options)

    def __buffer__(self, flags: int) -> memoryview:
        return self._checked().__buffer__(flags)

    def __reduce__(self) -> Any:
        return placed_tensor, (self._array, self.mesh, self.placed, self.made_by)

    def _checked(self) -> EagerTensor:
        self._whole()
        return plain(self)

    def __getitem__(self, key: Any) -> Any:
        return get_item(self, key)

    def __iter__(self) -> Iterator[Any]:
        if not self._array.ndim:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[index] for index in range(len(self._array)))

    def __repr__(self) -> str:
        return (
            f"<tf.Tensor: shape={self._array.shape}, dtype={self.dtype.name}, "
            f"value={value_text(self)}, layout={layout_text(self)}>"
        )

    def __str__(self) -> str:
        return (
            f"tf.Tensor({value_text(self)}, layout={layout_text(self)}, "
            f"shape={self._array.shape}, dtype={self.dtype.name})"
        )


# Operators find layouts on the way that all operations take, not on the shortest one.
for _name in OPERATORS:
    setattr(DTensor, _name, getattr(Operators, _name))


class DHandle(EagerHandle):
    """The handle of a variable that lies on a mesh."""

    placed: Layout
    made_by = "a variable"

    @property
    def mesh(self) -> Mesh:
        return self.placed.mesh

    @property
    def device(self) -> str:
        return DEVICE


PLACED: Final = (DTensor, DHandle)


def placed_tensor(array: Any, mesh: Mesh, layout: Layout | None, made_by: str = "") -> DTensor:
    """A tensor on a mesh, around a canonical array."""
    tensor = DTensor()
    tensor._array = array
    tensor.mesh, tensor.placed, tensor.made_by = mesh, layout, made_by
    return tensor


def plain(tensor: Any) -> Any:
    """The whole value without a layout; what has none as it is."""
    if type(tensor) is tuple:
        return tuple(map(plain, tensor))
    if type(tensor) is DTensor:
        made = EagerTensor()
        made._array = tensor._array
        return made
    return tensor


def specs_of(tensor: Any) -> Specs | None:
    """How a tensor or variable is divided; one without a layout is everywhere; None: unknown."""
    if not isinstance(tensor, PLACED):
        return replicated(len(tensor.shape))
    return None if tensor.placed is None else tuple(tensor.placed.sharding_specs)


def unknown(tensor: Any) -> UnimplementedError:
    return UnimplementedError(
        f"it is not known how the result of {tensor.made_by or 'this operation'} is laid out, as "
        "TensorFlow does not do this operation for its operands' layouts; use dtensor.relayout to "
        "say it"
    )


def part(array: Any, layout: Layout, place: dict[str, int]) -> Any:
    """What the device at a place of the mesh has of a whole array."""
    index: list[slice] = []
    for size, parts, at in zip(array.shape, layout.parts(), layout.part_of(place), strict=True):
        step = size // parts
        index.append(slice(at * step, (at + 1) * step))
    return np.ascontiguousarray(array[tuple(index)]).reshape([s.stop - s.start for s in index])


def value_text(tensor: Any) -> str:
    """The value as TensorFlow prints it: of a divided tensor the parts, by their devices."""
    array = shown(tensor._array)
    layout = tensor.placed
    if layout is None or layout.is_fully_replicated():
        return _numbers(array)
    mesh = layout.mesh
    names = [name.rpartition("/device:")[2] for name in mesh.local_devices()]
    places = mesh.unravel_index().values()
    shown_parts = [
        f'"{name}": {_numbers(part(array, layout, place))}'
        for name, place in zip(names, places, strict=False)
    ]
    return "{" + ", ".join(shown_parts) + "}"


def _numbers(array: Any) -> str:
    if array.ndim == 0:
        item = array.item()
        return f"{item:.9g}" if isinstance(item, float) else str(item)
    if array.dtype.kind == "f":
        return np.array2string(array, formatter={"float_kind": lambda x: f"{x:.9g}"}, threshold=6)
    return np.array2string(array, threshold=6)


def layout_text(tensor: Any) -> str:
    return "unknown" if tensor.placed is None else f'"{tensor.placed.to_string()}"'
