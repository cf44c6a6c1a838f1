"""Lists of tensors as a whole: made of a tensor, joined to one, taken apart.

`list_elements.py` has what is done to single elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.shapes import UNKNOWN, TensorShape
from ...core.specs import ListSpec, TensorSpec
from ...errors import ListIndexError, ShapeMismatchError
from ..bind import bind
from ..lowering import NotStatic
from ..op import ANY, INDEX, Attr, In, Op, Out, as_lower
from ..origins import Origin
from ..sizes import statically_equal
from .list_elements import (
    demand_element,
    demand_reading,
    demand_shape,
    element_sizes,
    element_spec,
    length_of,
    shape32,
    shape_operand,
    stated_shape,
    zeros_of,
)
from .list_value import TOO_FAR_TO_READ, TOO_FAR_TO_WRITE, ListValue, as_element_shape


class TensorListStack(Op):
    """All elements along a new first axis."""

    input_handle = In("variant")
    element_shape = In("i32 ...")
    tensor = Out("element_dtype ...")
    element_dtype = Attr()
    num_elements = Attr(-1)
    xla = as_lower

    def demands(self, sizes: Any) -> None:
        demand_reading(sizes, self)
        if self.num_elements >= 0:
            wanted, length = self.num_elements, sizes.length(self.input_handle)
            fits = sizes.equal(length, wanted)
            sizes.require(fits, ShapeMismatchError, OTHER_LENGTH, wanted, length)

    def infer(self) -> TensorSpec:
        element = element_spec(self.input_handle)
        count = None if self.num_elements < 0 else self.num_elements
        shape = element.shape.merge_with(stated_shape(self.element_shape))
        return TensorSpec(TensorShape((count,)).concatenate(shape), self.element_dtype)

    def eager(self, np: Any) -> Any:
        return self.input_handle.stack(as_element_shape(self.element_shape))

    def lower(self, loops: Any) -> Any:
        sizes = element_sizes(loops, self.element_shape, self.input_handle)
        return loops.list_stack(self.input_handle, self.element_dtype, sizes)

    def vjp(self, dtensor: Any) -> Any:
        return from_tensor(dtensor), None

    def jvp(self, dlist: Any, dshape: Any) -> Any:
        shape = shape32(self.tensor)[1:]
        return stack(dlist, self.element_dtype, shape, self.tensor.shape[0])


OTHER_LENGTH = "Operation expected a list with {} elements but got a list with {} elements."


def rows_of(array: Any, np: Any) -> Iterator[Any]:
    """The slices of an array along its first axis, arrays even where they are strings."""
    for place in range(len(array)):
        row = array[place, ...]
        yield np.ascontiguousarray(row).reshape(row.shape)


class TensorListFromTensor(Op):
    """A list of the slices of a tensor along its first axis."""

    tensor = In("element_dtype n *s")
    element_shape = In("shape_type ...")
    output_handle = Out("variant")
    element_dtype = ANY
    shape_type = INDEX
    linear = True
    xla = as_lower

    def demands(self, sizes: Any) -> None:
        demand_shape(sizes, self.element_shape)
        sizes.require(sizes.rank(self.tensor) > 0, ShapeMismatchError, NO_ROWS)

    def infer(self) -> ListSpec:
        shape = self.tensor.shape
        stated = stated_shape(self.element_shape)
        return ListSpec(TensorSpec(shape[1:].merge_with(stated), self.tensor.dtype))

    def eager(self, np: Any) -> ListValue:
        dtype = dtypes.as_dtype(self.tensor.dtype)
        return ListValue(dtype, as_element_shape(self.element_shape), rows_of(self.tensor, np))

    def lower(self, loops: Any) -> Any:
        return loops.list_from_array(self.tensor)

    def vjp(self, dlist: Any) -> Any:
        shape = shape32(self.tensor)
        return stack(dlist, self.tensor.dtype, shape[1:], self.tensor.shape[0]), None


NO_ROWS = "a list cannot be made of a scalar: it has no first axis"


class TensorListGather(Op):
    """The elements at `indices`, along a new first axis."""

    input_handle = In("variant")
    indices = In("i32 n")
    element_shape = In("i32 ...")
    values = Out("element_dtype ...")
    element_dtype = Attr()

    def demands(self, sizes: Any) -> None:
        demand_reading(sizes, self)
        length, message = sizes.length(self.input_handle), TOO_FAR_TO_READ.format("{it}", "{0}")
        sizes.each(self.indices, lambda k: (k >= 0) & (k < length), ListIndexError, message, length)

    def infer(self) -> TensorSpec:
        element = element_spec(self.input_handle)
        shape = element.shape.merge_with(stated_shape(self.element_shape))
        return TensorSpec(self.indices.shape.concatenate(shape), self.element_dtype)

    def eager(self, np: Any) -> Any:
        shape = as_element_shape(self.element_shape)
        items = [self.input_handle.get(index, shape) for index in self.indices.tolist()]
        return self.input_handle.with_items(items).stack(shape)

    def lower(self, loops: Any) -> Any:
        places = self.indices
        sizes = element_sizes(loops, self.element_shape, self.input_handle)
        rows = loops.list_stack(self.input_handle, self.element_dtype, sizes)
        shape = (*places.shape, *rows.shape[1:])

        def element(k: Any, *rest: Any) -> Any:
            return rows[[loops.scalars.cast(places[[k]], dtypes.int64), *rest]]

        return loops.map(shape, self.element_dtype, element)

    def xla(self, xla: Any) -> Any:
        sizes = element_sizes(xla, self.element_shape, self.input_handle)
        return xla.list_rows(self.input_handle, sizes)[self.indices]

    def vjp(self, dvalues: Any) -> Any:
        from ..math.segments import unsorted_segment_sum

        count = length_of(self.input_handle)
        return from_tensor(unsorted_segment_sum(dvalues, self.indices, count)), None, None

    def jvp(self, dlist: Any, dindices: Any, dshape: Any) -> Any:
        return gather(dlist, self.indices, self.element_dtype, shape32(self.values)[1:])


class TensorListScatterIntoExistingList(Op):
    """A list in which the slices of `tensor` stand at `indices`; it grows to the largest index."""

    input_handle = In("variant")
    tensor = In("element_dtype n *s")
    indices = In("i32 n")
    output_handle = Out("variant")
    element_dtype = ANY
    linear = True

    def demands(self, sizes: Any) -> None:
        length, message = sizes.length(self.input_handle), TOO_FAR_TO_WRITE.format("{it}", "{0}")
        sizes.each(self.indices, lambda k: k >= 0, ListIndexError, message, length)
        demand_element(sizes, self, self.tensor, outer=1)
        (rows, *_), (count,) = sizes.shape(self.tensor), sizes.shape(self.indices)
        sizes.require_late(sizes.equal(rows, count), ShapeMismatchError, OTHER_COUNT, rows, count)

    def infer(self) -> ListSpec:
        return ListSpec(element_spec(self.input_handle))

    def eager(self, np: Any) -> ListValue:
        items = self.input_handle
        for index, row in zip(self.indices.tolist(), rows_of(self.tensor, np), strict=True):
            items = items.set(index, row)
        return items

    def xla(self, xla: Any) -> Any:
        items, places = self.input_handle, xla.constant_of(self.indices, "where it writes")
        for k, place in enumerate(places.tolist()):
            items = xla.list_set(items, place, self.tensor[k], True)
        return items

    def vjp(self, dlist: Any) -> Any:
        shape = shape32(self.tensor)
        dtensor = gather(dlist, self.indices, self.tensor.dtype, shape[1:])
        zeros = zeros_of(shape, self.tensor.dtype)
        cleared = bind(TensorListScatterIntoExistingList, dlist, zeros, self.indices)
        return cleared, dtensor, None


OTHER_COUNT = "Invalid number of rows in input tensor: {} for {} indices"


class TensorListConcatV2(Op):
    """All elements joined along their first axis, and the length of each.

    `leading_dims` says how long elements are that were never written.
    """

    input_handle = In("variant")
    element_shape = In("shape_type ...")
    leading_dims = In("i64 ...")
    tensor = Out("element_dtype ...")
    lengths = Out("i64 n")
    element_dtype = Attr()
    shape_type = INDEX
    takes_none = True
    xla = as_lower

    def demands(self, sizes: Any) -> None:
        demand_reading(sizes, self)

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        element = element_spec(self.input_handle)
        shape = element.shape.merge_with(stated_shape(self.element_shape))
        if shape.rank == 0:
            raise ShapeMismatchError("Concat saw a scalar shape but requires at least vectors")
        joined = UNKNOWN if shape.entries is None else TensorShape((None, *shape.entries[1:]))
        return TensorSpec(joined, self.element_dtype), TensorSpec((None,), dtypes.int64)

    def eager(self, np: Any) -> Any:
        shape = as_element_shape(self.element_shape)
        return self.input_handle.concat(shape, self.leading_dims.tolist())

    def lower(self, loops: Any) -> Any:
        sizes = element_sizes(loops, self.element_shape, self.input_handle)
        if not statically_equal(self.leading_dims.shape[0], 0):
            raise NotStatic("some elements may never have been written")
        rank = element_spec(self.input_handle).shape.rank if sizes is None else len(sizes)
        return loops.list_concat(self.input_handle, self.element_dtype, rank)

    def vjp(self, dtensor: Any, dlengths: Any) -> Any:
        return bind(TensorListSplit, dtensor, self.element_shape, self.lengths), None, None


class TensorListSplit(Op):
    """A list of pieces of a tensor along its first axis; `lengths` says how long each is."""

    tensor = In("element_dtype n *s")
    element_shape = In("shape_type ...")
    lengths = In("i64 k")
    output_handle = Out("variant")
    element_dtype = ANY
    shape_type = INDEX
    linear = True

    def demands(self, sizes: Any) -> None:
        demand_shape(sizes, self.element_shape)

    def infer(self) -> ListSpec:
        # Pieces are as long as the lengths say, whatever is stated.
        length = _only_one(self.lengths.sizes)
        piece, stated = self.tensor.shape, stated_shape(self.element_shape)
        shapes = [
            one if one.entries is None else TensorShape((length, *one.entries[1:]))
            for one in (piece, stated)
        ]
        return ListSpec(TensorSpec(shapes[0].merge_with(shapes[1]), self.tensor.dtype))

    def eager(self, np: Any) -> ListValue:
        lengths = self.lengths.tolist()
        if sum(lengths) != len(self.tensor) or min(lengths, default=0) < 0:
            raise ShapeMismatchError(
                f"Expected lengths to sum to {len(self.tensor)} (values are not all consumed): "
                f"{lengths}"
            )
        bounds = np.cumsum(lengths)[:-1] if lengths else []
        pieces = np.split(self.tensor, bounds) if lengths else []
        dtype = dtypes.as_dtype(self.tensor.dtype)
        whole = (np.ascontiguousarray(piece) for piece in pieces)
        return ListValue(dtype, as_element_shape(self.element_shape), whole)

    def vjp(self, dlist: Any) -> Any:
        dtensor, _ = concat(dlist, self.tensor.dtype, self.element_shape, self.lengths)
        return dtensor, None, None


def _only_one(lengths: Sequence[int | None] | None) -> int | None:
    """The length that all have, where there is one and it is known."""
    found = set(lengths or ())
    return found.pop() if len(found) == 1 else None


class TensorListResize(Op):
    """A list cut to `size` elements, or with new ones that were not written yet."""

    input_handle = In("variant")
    size = In("i32")
    output_handle = Out("variant")
    linear = True
    xla = as_lower

    def demands(self, sizes: Any) -> Any:
        """How many elements there will be."""
        (count,) = sizes.numbers(self.size)
        sizes.possible((count,))
        return count

    def infer(self) -> ListSpec:
        return ListSpec(element_spec(self.input_handle))

    def eager(self, np: Any) -> ListValue:
        return self.input_handle.resize(self.found)

    def lower(self, loops: Any) -> Any:
        return loops.list_resize(self.input_handle, self.found)

    def vjp(self, dlist: Any) -> Any:
        return bind(TensorListResize, dlist, length_of(self.input_handle)), None


class TensorListWithin(Op):
    """The list itself, after a check that it has at most `limit` elements.

    Our own operation: arrays of fixed size do not grow, eagerly or traced.
    """

    input_handle = In("variant")
    limit = In("i32")
    output_handle = Out("variant")
    by_index = Attr(False)
    origin = Origin.GRAPHS
    xla = as_lower

    def demands(self, sizes: Any) -> None:
        count, (limit,) = sizes.length(self.input_handle), sizes.numbers(self.limit)
        shown = count - 1 if self.by_index else count
        error: type[Exception] = ListIndexError if self.by_index else ShapeMismatchError
        message = TOO_FAR_TO_WRITE if self.by_index else TOO_MANY_ROWS
        sizes.require(count <= limit, error, message, shown, limit)

    def infer(self) -> ListSpec:
        return ListSpec(element_spec(self.input_handle))

    def eager(self, np: Any) -> ListValue:
        return self.input_handle

    def lower(self, loops: Any) -> Any:
        return self.input_handle

    def vjp(self, dlist: Any) -> Any:
        return dlist, None

    def jvp(self, dlist: Any, dlimit: Any) -> Any:
        return dlist


TOO_MANY_ROWS = "Cannot unstack {} tensors into a TensorArray of static size {}"


class TensorListOfRank(Op):
    """The list itself, of whose elements more is known: what is written to it has this rank.

    Our own operation: the compiler finds out (compiler/list_ranks.py) what no trace says. `number`
    tells what it assumes from what it assumes elsewhere.
    """

    input_handle = In("variant")
    output_handle = Out("variant")
    rank = Attr()
    number = Attr(0)
    origin = Origin.GRAPHS
    differentiable = False

    def infer(self) -> ListSpec:
        element = element_spec(self.input_handle)
        known = element.shape.merge_with(TensorShape((None,) * self.rank))
        return ListSpec(TensorSpec(known, element.dtype))

    def eager(self, np: Any) -> ListValue:
        return self.input_handle

    def lower(self, loops: Any) -> Any:
        return loops.list_of_rank(self.input_handle, self.rank)

    def xla(self, xla: Any) -> Any:
        return self.input_handle


def of_rank(items: Any, rank: int, number: int) -> Any:
    return bind(TensorListOfRank, items, rank=rank, number=number)


def stack(items: Any, dtype: Any, element_shape: Any, count: int | None = None) -> Any:
    number = -1 if count is None else count
    return bind(TensorListStack, items, element_shape, element_dtype=dtype, num_elements=number)


def from_tensor(tensor: Any) -> Any:
    return bind(TensorListFromTensor, tensor, shape_operand(tensor.shape[1:]))


def gather(items: Any, indices: Any, dtype: Any, element_shape: Any) -> Any:
    return bind(TensorListGather, items, indices, element_shape, element_dtype=dtype)


def concat(items: Any, dtype: Any, element_shape: Any, lengths: Any = None) -> Any:
    given = np.zeros(0, np.int64) if lengths is None else lengths
    return bind(TensorListConcatV2, items, element_shape, given, element_dtype=dtype)
