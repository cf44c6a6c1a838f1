"""The elements of a TensorArray in a function that is being traced: a list value of its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..graph.builder import current_graph
from ..ops import list_contents, lists
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.flow import identity

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
        return lists.length_of(self.tensor)

    def read(self, array: TensorArray, index: Any) -> Any:
        shape = lists.shape_operand(array.element_shape)
        return lists.get_item(self.tensor, index, array.dtype, shape)

    def write(self, array: TensorArray, index: Any, tensor: Any) -> None:
        self.tensor = lists.set_item(self.tensor, index, tensor, array.dynamic_size)

    def stack(self, array: TensorArray) -> Any:
        shape = lists.shape_operand(array.element_shape)
        return list_contents.stack(self.tensor, array.dtype, shape, array.known_size)

    def gather(self, array: TensorArray, indices: Any) -> Any:
        shape = lists.shape_operand(array.element_shape)
        return list_contents.gather(self.tensor, indices, array.dtype, shape)

    def concat(self, array: TensorArray) -> Any:
        shape = array.element_shape
        if shape.dims:
            shape = type(shape)((None, *shape.dims[1:]))
        values, _ = list_contents.concat(self.tensor, array.dtype, lists.shape_operand(shape))
        return values

    def unstack(self, array: TensorArray, tensor: Any) -> None:
        self._replace(array, list_contents.from_tensor(tensor), tensor.shape[0])

    def scatter(self, array: TensorArray, indices: Any, tensor: Any) -> None:
        before = self.tensor
        self.tensor = bind(list_contents.TensorListScatterIntoExistingList, before, tensor, indices)
        if not array.dynamic_size:
            limit = lists.length_of(before)
            self.tensor = bind(list_contents.TensorListWithin, self.tensor, limit, by_index=True)

    def split(self, array: TensorArray, tensor: Any, lengths: Any) -> None:
        shape = lists.shape_operand(array.element_shape)
        pieces = bind(list_contents.TensorListSplit, tensor, shape, lengths)
        self._replace(array, pieces, lengths.shape[0])

    def _replace(self, array: TensorArray, items: Any, count: int | None) -> None:
        """Other elements altogether; no more than there are, in an array of fixed size."""
        before = array.known_size
        fits = array.dynamic_size or (None not in (before, count) and (count or 0) <= (before or 0))
        if not fits:
            items = bind(list_contents.TensorListWithin, items, lists.length_of(self.tensor))
        self.tensor = items
        if count is None or count != before:
            array.forget_size()


def reserved(array: TensorArray, size: Any) -> TracedElements:
    shape = lists.shape_operand(array.element_shape)
    return TracedElements(lists.reserve(shape, size, array.dtype))
