"""The elements of a TensorArray in eager execution: a Python list of tensors, or None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..core import context, dtypes
from ..core.shapes import TensorShape
from ..eager.tensor import wrap, wrap_handle
from ..errors import ElementIndexError, GatheredIndexError, ShapeMismatchError
from ..ops.array import concatenation
from ..ops.lists import list_elements
from ..ops.lists.list_value import TOO_FAR_TO_READ, TOO_FAR_TO_WRITE, ListValue, dims_of_unwritten
from .traced_elements import TracedElements

if TYPE_CHECKING:
    from .tensor_array import TensorArray


class EagerElements:
    """Changed in place; tapes see what is done with the tensors themselves."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items: Final = items

    def inside(self, array: TensorArray) -> Any:
        """These elements; as a list in the graph where a function is being traced."""
        return TracedElements(captured(self, array)) if context.building_graph() else self

    def flow(self, array: TensorArray) -> Any:
        return captured(self, array) if context.building_graph() else as_list(self, array)

    def copied(self) -> EagerElements:
        return EagerElements(list(self.items))

    def size(self) -> Any:
        return wrap(np.array(len(self.items), np.int32))

    def read(self, array: TensorArray, index: Any) -> Any:
        place = int(index)
        if not 0 <= place < len(self.items):
            raise ElementIndexError(TOO_FAR_TO_READ.format(place, len(self.items)))
        item = self.items[place]
        return self._zeros(array) if item is None else item

    def write(self, array: TensorArray, index: Any, tensor: Any) -> None:
        place, items = int(index), self.items
        if place < 0 or (place >= len(items) and not array.dynamic_size):
            raise ElementIndexError(TOO_FAR_TO_WRITE.format(place, len(items)))
        items.extend([None] * (place + 1 - len(items)))
        items[place] = tensor

    def stack(self, array: TensorArray) -> Any:
        if not self.items:
            dims = tuple(size or 0 for size in array.element_shape.entries or ())
            return _constant((0, *dims), array.dtype)
        elements = self._written(array)
        odd = next((one for one in elements if one.shape != elements[0].shape), None)
        if odd is not None:
            raise ShapeMismatchError(
                f"Shapes of all elements must match to be stacked: {elements[0].shape} and "
                f"{odd.shape} (Incompatible shapes)"
            )
        return concatenation.stack(elements)

    def gather(self, array: TensorArray, indices: Any) -> Any:
        places, count = indices.numpy().tolist(), len(self.items)
        for place in places:
            if not -count <= place < count:
                raise GatheredIndexError(TOO_FAR_TO_READ.format(place, count))
        return EagerElements([self.read(array, place % count) for place in places]).stack(array)

    def concat(self, array: TensorArray) -> Any:
        elements = self._written(array)
        scalar = next((k for k, one in enumerate(elements) if one.shape.rank == 0), None)
        if scalar is not None:
            raise ShapeMismatchError(
                f"Concat saw a scalar shape at index {scalar} but requires at least vectors"
            )
        if not elements:
            dims = array.element_shape.entries or (0,)
            return _constant((0, *(size or 0 for size in dims[1:])), array.dtype)
        return concatenation.concat(elements, 0)

    def unstack(self, array: TensorArray, tensor: Any) -> None:
        self._replace(array, concatenation.unstack(tensor))

    def scatter(self, array: TensorArray, indices: Any, tensor: Any) -> None:
        places, rows = indices.numpy().tolist(), concatenation.unstack(tensor)
        if len(places) != len(rows):
            raise ShapeMismatchError(
                f"Invalid number of rows in input tensor: {len(rows)} for {len(places)} indices"
            )
        for place, row in zip(places, rows, strict=True):
            self.write(array, place, row)

    def split(self, array: TensorArray, tensor: Any, lengths: Any) -> None:
        sizes = lengths.numpy().tolist()
        if sum(sizes) != tensor.shape[0] or min(sizes, default=0) < 0:
            raise ShapeMismatchError(
                f"the lengths {sizes} are {sum(sizes)} rows together, but the shape of the values "
                f"is {tensor.shape}"
            )
        self._replace(array, concatenation.split(tensor, sizes) if sizes else [])

    def _replace(self, array: TensorArray, tensors: list[Any]) -> None:
        if len(tensors) > len(self.items) and not array.dynamic_size:
            raise ShapeMismatchError(
                f"Cannot unstack {len(tensors)} tensors into a TensorArray of static size "
                f"{len(self.items)} "
            )
        self.items[:] = tensors

    def _written(self, array: TensorArray) -> list[Any]:
        if all(one is not None for one in self.items):
            return self.items
        zeros = self._zeros(array)
        return [zeros if one is None else one for one in self.items]

    def _zeros(self, array: TensorArray) -> Any:
        """An element that was never written."""
        return _constant(dims_of_unwritten(array.element_shape, self.items, "array"), array.dtype)


def _constant(dims: Any, dtype: Any) -> Any:
    if dtype is dtypes.string:
        return wrap(np.full(dims, b"", object))
    return wrap(np.zeros(dims, dtype.storage))


def as_list(elements: EagerElements, array: TensorArray) -> Any:
    """The elements as an eager list; recorders see how it was made of them."""
    shape = array.element_shape
    if not context.top().recorders:
        items = [None if one is None else one._array for one in elements.items]
        return wrap_handle(ListValue(array.dtype, shape, items), dtypes.variant)
    result = list_elements.reserve(
        list_elements.shape_operand(shape), len(elements.items), array.dtype
    )
    for place, item in enumerate(elements.items):
        if item is not None:
            result = list_elements.set_item(result, place, item, False)
    return result


def captured(elements: EagerElements, array: TensorArray) -> Any:
    """The elements as a list of the function that is being traced."""
    here: Any = context.top()
    with context.init_scope():
        outside = as_list(elements, array)
    return here.interpreter.convert(outside, None, None)


def from_list(handle: Any) -> EagerElements:
    """The elements of an eager list, as tensors that recorders know."""
    value = handle._array
    if not context.top().recorders:
        return EagerElements([None if one is None else wrap(one) for one in value.items])
    shape = list_elements.shape_operand(TensorShape(None))
    return EagerElements([
        None if one is None else list_elements.get_item(handle, place, value.dtype, shape)
        for place, one in enumerate(value.items)
    ])  # fmt: skip
