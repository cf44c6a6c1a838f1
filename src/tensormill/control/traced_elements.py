"""The elements of a TensorArray in a function that is being traced: a list value of its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..graph.builder import current_graph
from ..ops.bind import bind
from ..ops.control.flow import identity
from ..ops.conversion import as_tensor
from ..ops.lists import list_elements, whole_lists

if TYPE_CHECKING:
    from .tensor_array import TensorArray


class TracedElements:
    """A list tensor, replaced by another one whenever the array changes."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor

    def inside(self, array: TensorArray) -> TracedElements:
        """These elements; in a branch or body inside of their function a copy of their own.

        What happens there must not be seen outside: the branch may not run.
        """
        graph = current_graph()
        if graph is not None and self.tensor.op.belongs_to(graph):
            return self
        return TracedElements(as_tensor(self.tensor))

    def flow(self, array: TensorArray) -> Any:
        return self.tensor

    def copied(self) -> TracedElements:
        return TracedElements(identity(self.tensor))

    def size(self) -> Any:
        return list_elements.length_of(self.tensor)

    def read(self, array: TensorArray, index: Any) -> Any:
        shape = list_elements.shape_operand(array.element_shape)
        return list_elements.get_item(self.tensor, index, array.dtype, shape)

    def write(self, array: TensorArray, index: Any, tensor: Any) -> None:
        self.tensor = list_elements.set_item(self.tensor, index, tensor, array.dynamic_size)

    def stack(self, array: TensorArray) -> Any:
        shape = list_elements.shape_operand(array.element_shape)
        return whole_lists.stack(self.tensor, array.dtype, shape, array.known_size)

    def gather(self, array: TensorArray, indices: Any) -> Any:
        shape = list_elements.shape_operand(array.element_shape)
        return whole_lists.gather(self.tensor, indices, array.dtype, shape)

    def concat(self, array: TensorArray) -> Any:
        shape = array.element_shape
        if shape.entries:
            shape = type(shape)((None, *shape.entries[1:]))
        values, _ = whole_lists.concat(self.tensor, array.dtype, list_elements.shape_operand(shape))
        return values

    def unstack(self, array: TensorArray, tensor: Any) -> None:
        self._replace(array, whole_lists.from_tensor(tensor), tensor.shape[0])

    def scatter(self, array: TensorArray, indices: Any, tensor: Any) -> None:
        before = self.tensor
        self.tensor = bind(whole_lists.TensorListScatterIntoExistingList, before, tensor, indices)
        if not array.dynamic_size:
            limit = list_elements.length_of(before)
            self.tensor = bind(whole_lists.TensorListWithin, self.tensor, limit, by_index=True)

    def split(self, array: TensorArray, tensor: Any, lengths: Any) -> None:
        shape = list_elements.shape_operand(array.element_shape)
        pieces = bind(whole_lists.TensorListSplit, tensor, shape, lengths)
        self._replace(array, pieces, lengths.shape[0])

    def _replace(self, array: TensorArray, items: Any, count: int | None) -> None:
        """Other elements altogether; no more than there are, in an array of fixed size."""
        before = array.known_size
        fits = array.dynamic_size or (None not in (before, count) and (count or 0) <= (before or 0))
        if not fits:
            items = bind(whole_lists.TensorListWithin, items, list_elements.length_of(self.tensor))
        self.tensor = items
        if count is None or count != before:
            array.forget_size()


def reserved(array: TensorArray, size: Any) -> TracedElements:
    shape = list_elements.shape_operand(array.element_shape)
    return TracedElements(list_elements.reserve(shape, size, array.dtype))
