"""Lists of tensors: what a TensorArray is in a graph, and where loops keep what gradients need.

A list is a value like any other: an operation that changes one gives a new list. Compiled code
changes it in place where the old one is not used afterwards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.shapes import UNKNOWN, TensorShape
from ...core.specs import Known, ListSpec, TensorSpec
from ...errors import (
    DTypeMismatchError,
    InvalidArgumentError,
    ListIndexError,
    ShapeMismatchError,
)
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..families import Rephrased
from ..lowering import NotStatic
from ..op import ANY, INDEX, Attr, In, Op, Out, as_lower
from ..origins import Origin
from ..sizes import scalar
from .list_value import TOO_FAR_TO_READ, TOO_FAR_TO_WRITE, ListValue, as_element_shape

NEGATIVE_COUNT = "The number of elements to reserve must not be negative, but is {}"


def element_spec(handle: Any) -> TensorSpec:
    """What is known of each element of a list operand, whoever reads the rule."""
    spec = handle.spec
    if not isinstance(spec, ListSpec):
        raise DTypeMismatchError(f"a list of tensors is wanted here, but this is a {spec.short}")
    return spec.element


def stated_shape(element_shape: Known) -> TensorShape:
    """What an `element_shape` operand says while tracing (a scalar -1: unknown rank)."""
    if element_shape.rank != 1:
        return UNKNOWN
    return element_shape.as_shape()


def element_sizes(loops: Any, element_shape: Any, items: Any) -> Any:
    """An `element_shape` operand of a reader of `items` as sizes; None where it says nothing.

    The compiler needs to know the rank of elements, by the operand or by the list.
    """
    if not element_shape.shape:
        if items.spec.element.shape.rank is None:  # demands have asked whether it is a list
            raise NotStatic("the rank of the elements of a list is not known")
        return None
    return _sizes(loops, element_shape)


def _sizes(loops: Any, element_shape: Any) -> Any:
    try:
        return tuple(loops.static(element_shape))
    except NotStatic:
        return loops.sizes(element_shape)


def demand_shape(sizes: Any, element_shape: Any) -> None:
    """An `element_shape` operand is a vector, or a scalar for an unknown rank."""
    rank = sizes.rank(element_shape)
    sizes.require(rank <= 1, ShapeMismatchError, NO_SHAPE, rank)


def demand_dtype(list_dtype: DType, dtype: DType, op: Op) -> None:
    """What is read from a list, or written to it, has the dtype of its elements."""
    if list_dtype is not dtype:
        refuse(DTypeMismatchError, OTHER_DTYPE, op.name, list_dtype.name, dtype.name)


def demand_reading(sizes: Any, op: Any) -> None:
    """An operation reads elements of the dtype that they have, and states their shape."""
    demand_dtype(element_spec(op.input_handle).dtype, op.element_dtype, op)
    demand_shape(sizes, op.element_shape)


def demand_element(sizes: Any, op: Any, item: Any, outer: int = 0) -> None:
    """`item`, without its `outer` first axes, may be an element of a list."""
    element = element_spec(op.input_handle)
    demand_dtype(element.dtype, sizes.dtype(item), op)
    wanted = element.shape.entries
    if wanted is not None:
        shape = sizes.shape(item, outer + len(wanted))[outer:]
        sizes.compatible(shape, wanted, ShapeMismatchError, OTHER_SHAPE, op.name)


def demand_place(sizes: Any, op: Any, message: str, grows: bool = False) -> Any:
    """The index of an element that a list has, or which it may get."""
    (place,), length = sizes.numbers(op.index), sizes.length(op.input_handle)
    inside = place >= 0 if grows else (place >= 0) & (place < length)
    sizes.require_late(inside, ListIndexError, message, place, length)
    return place


NO_SHAPE = "the shape of a list's elements must be at most rank 1, and is of rank {}"
OTHER_DTYPE = "{}: Invalid data types; TensorArray dtype is {} but Op is trying to write dtype {}"
OTHER_SHAPE = (
    "{0}: Tried to set a tensor with incompatible shape at a list index. Incompatible shape for "
    "value {1}, expected {2} (Inconsistent shapes: saw {1} but expected {2})"
)


class NewList(Op, abstract=True):
    """Makes a list, of which nothing was written yet."""

    element_shape = In("shape_type ...")
    handle = Out("variant")
    element_dtype = Attr()
    shape_type = INDEX
    differentiable = False
    xla = as_lower

    def demands(self, sizes: Any) -> Any:
        demand_shape(sizes, self.element_shape)

    def infer(self) -> ListSpec:
        return ListSpec(TensorSpec(stated_shape(self.element_shape), self.element_dtype))


class EmptyTensorList(NewList):
    """A list without elements."""

    max_num_elements = In("i32")

    def eager(self, np: Any) -> ListValue:
        return ListValue(self.element_dtype, as_element_shape(self.element_shape), ())

    def lower(self, loops: Any) -> Any:
        return loops.list_reserve(0, self.element_dtype, _maybe_sizes(loops, self.element_shape))


class TensorListReserve(NewList):
    """A list of `num_elements` elements that were not written yet."""

    num_elements = In("i32")

    def demands(self, sizes: Any) -> Any:
        """How many elements there are."""
        demand_shape(sizes, self.element_shape)
        (count,) = sizes.numbers(self.num_elements)
        sizes.require(count >= 0, InvalidArgumentError, NEGATIVE_COUNT, count)
        return count

    def eager(self, np: Any) -> ListValue:
        empty = ListValue(self.element_dtype, as_element_shape(self.element_shape), ())
        return empty.resize(self.found)

    def lower(self, loops: Any) -> Any:
        return loops.list_reserve(
            self.found, self.element_dtype, _maybe_sizes(loops, self.element_shape)
        )


def _maybe_sizes(loops: Any, element_shape: Any) -> Any:
    return _sizes(loops, element_shape) if element_shape.shape else None


class TensorListLength(Op):
    """How many elements a list has, written or not."""

    input_handle = In("variant")
    length = Out("i32")
    differentiable = False

    def infer(self) -> TensorSpec:
        element_spec(self.input_handle)
        return TensorSpec((), dtypes.int32)

    def eager(self, np: Any) -> Any:
        return np.asarray(len(self.input_handle), np.int32)

    def lower(self, loops: Any) -> Any:
        length = loops.list_length(self.input_handle)
        return loops.scalar(loops.scalars.cast(length, dtypes.int32))

    def xla(self, xla: Any) -> Any:
        length = xla.list_length(self.input_handle)
        is_known = isinstance(length, int)
        return np.asarray(length, np.int32) if is_known else length.astype(np.int32)


class TensorListElementShape(Rephrased):
    """What was said of the shape of elements where a list was made: -1 for any size, or for all.

    Of a list that a loop carries, or that a branch or another function made, what tracing knows.
    """

    input_handle = In("variant")
    element_shape = Out("shape_type ...")
    shape_type = Attr(allowed=INDEX)
    differentiable = False

    def infer(self) -> TensorSpec:
        element_spec(self.input_handle)
        return TensorSpec(UNKNOWN, self.shape_type)

    def expand(self) -> Any:
        from ..math.cast import cast

        stated = said_where_made(self.input_handle)
        if stated is None:
            stated = as_tensor(shape_operand(element_of(self.input_handle).shape))
        return cast(stated, self.shape_type)


def said_where_made(items: Any) -> Any:
    """The operand `element_shape` of what made a list in this graph; None where nothing did."""
    while items.symbolic and (kind := items.op.kind) is not None:
        operands = {
            field.name: one for field, one in zip(kind.inputs, items.op.inputs, strict=False)
        }
        if "input_handle" not in operands and kind.name != "Identity":
            return operands.get("element_shape")
        items = items.op.inputs[0]
    return None


class TensorListGetItem(Op):
    """One element; zeros of `element_shape` where it was never written."""

    input_handle = In("variant")
    index = In("i32")
    element_shape = In("i32 ...")
    item = Out("element_dtype ...")
    element_dtype = Attr()
    xla = as_lower

    def demands(self, sizes: Any) -> Any:
        demand_reading(sizes, self)
        return demand_place(sizes, self, TOO_FAR_TO_READ)

    def infer(self) -> TensorSpec:
        wanted = stated_shape(self.element_shape)
        shape = element_spec(self.input_handle).shape.merge_with(wanted)
        return TensorSpec(shape, self.element_dtype)

    def eager(self, np: Any) -> Any:
        return self.input_handle.get(self.found, as_element_shape(self.element_shape))

    def lower(self, loops: Any) -> Any:
        sizes = element_sizes(loops, self.element_shape, self.input_handle)
        index = scalar(loops, self.found)
        return loops.list_get(self.input_handle, index, self.element_dtype, sizes)

    def vjp(self, ditem: Any) -> Any:
        return ListElements(self.input_handle, ((self.index, ditem),)), None, None

    def jvp(self, dlist: Any, dindex: Any, dshape: Any) -> Any:
        return get_item(dlist, self.index, self.element_dtype, shape32(self.item))


class TensorListSetItem(Op):
    """A list with another element at `index`."""

    input_handle = In("variant")
    index = In("i32")
    item = In("element_dtype ...")
    output_handle = Out("variant")
    resize_if_index_out_of_bounds = Attr(False)
    element_dtype = ANY
    linear = True
    xla = as_lower

    def demands(self, sizes: Any) -> Any:
        demand_element(sizes, self, self.item)
        return demand_place(sizes, self, TOO_FAR_TO_WRITE, self.resize_if_index_out_of_bounds)

    def infer(self) -> ListSpec:
        return ListSpec(element_spec(self.input_handle))

    def eager(self, np: Any) -> ListValue:
        return self.input_handle.set(self.found, self.item)

    def lower(self, loops: Any) -> Any:
        index, grow = scalar(loops, self.found), self.resize_if_index_out_of_bounds
        return loops.list_set(self.input_handle, index, self.item, grow)

    def vjp(self, dlist: Any) -> Any:
        shape = shape32(self.item)
        ditem = get_item(dlist, self.index, self.item.dtype, shape)
        cleared = set_item(dlist, self.index, zeros_of(shape, self.item.dtype), False)
        return cleared, None, ditem


class TensorListAddItem(Op):
    """A list in which `item` is added to the element at `index`: how gradients gather up.

    Our own operation: adding lists as TensorFlow does costs their whole length per read.
    """

    input_handle = In("variant")
    index = In("i32")
    item = In("element_dtype ...")
    output_handle = Out("variant")
    origin = Origin.GRAPHS
    element_dtype = ANY
    linear = True
    xla = as_lower

    def demands(self, sizes: Any) -> Any:
        demand_element(sizes, self, self.item)
        return demand_place(sizes, self, TOO_FAR_TO_WRITE)

    def infer(self) -> ListSpec:
        return ListSpec(element_spec(self.input_handle))

    def eager(self, np: Any) -> ListValue:
        before = self.input_handle.items[self.found]
        total = self.item if before is None else np.asarray(before + self.item)
        return self.input_handle.set(self.found, total)

    def lower(self, loops: Any) -> Any:
        return loops.list_add(self.input_handle, scalar(loops, self.found), self.item)

    def vjp(self, dlist: Any) -> Any:
        return dlist, None, get_item(dlist, self.index, self.item.dtype, shape32(self.item))


class TensorListAdd(Op):
    """The sums of the elements of two lists, one by one: the gradient of a list used twice."""

    input_a = In("variant")
    input_b = In("variant")
    output = Out("variant")
    origin = Origin.GRAPHS
    linear = True

    def demands(self, sizes: Any) -> None:
        demand_dtype(element_spec(self.input_a).dtype, element_spec(self.input_b).dtype, self)

    def infer(self) -> ListSpec:
        a, b = element_spec(self.input_a), element_spec(self.input_b)
        return ListSpec(TensorSpec(a.shape.merge_with(b.shape), a.dtype))

    def eager(self, np: Any) -> ListValue:
        return self.input_a.add(self.input_b)

    def xla(self, xla: Any) -> Any:
        return xla.list_sum(self.input_a, self.input_b)

    def vjp(self, doutput: Any) -> Any:
        return doutput, doutput


class TensorListPushBack(Op):
    """A list with one more element at its end."""

    input_handle = In("variant")
    tensor = In("element_dtype ...")
    output_handle = Out("variant")
    element_dtype = ANY
    linear = True
    xla = as_lower

    def demands(self, sizes: Any) -> None:
        demand_element(sizes, self, self.tensor)

    def infer(self) -> ListSpec:
        return ListSpec(element_spec(self.input_handle))

    def eager(self, np: Any) -> ListValue:
        return self.input_handle.set(len(self.input_handle), self.tensor)

    def lower(self, loops: Any) -> Any:
        return loops.list_push(self.input_handle, self.tensor)

    def vjp(self, dlist: Any) -> Any:
        return pop_back(dlist, self.tensor.dtype, shape32(self.tensor))


class TensorListPopBack(Op):
    """A list without its last element, and that element."""

    input_handle = In("variant")
    element_shape = In("i32 ...")
    output_handle = Out("variant")
    tensor = Out("element_dtype ...")
    element_dtype = Attr()
    takes_none = True
    xla = as_lower

    def demands(self, sizes: Any) -> None:
        demand_reading(sizes, self)
        sizes.require_late(sizes.length(self.input_handle) > 0, ListIndexError, NOTHING_LEFT)

    def infer(self) -> tuple[ListSpec, TensorSpec]:
        element = element_spec(self.input_handle)
        shape = element.shape.merge_with(stated_shape(self.element_shape))
        return ListSpec(element), TensorSpec(shape, self.element_dtype)

    def eager(self, np: Any) -> Any:
        items = self.input_handle
        last = items.get(len(items) - 1, as_element_shape(self.element_shape))
        return items.with_items(items.items[:-1]), last

    def lower(self, loops: Any) -> Any:
        sizes = element_sizes(loops, self.element_shape, self.input_handle)
        return loops.list_pop(self.input_handle, self.element_dtype, sizes)

    def vjp(self, dlist: Any, dtensor: Any) -> Any:
        shape = shape32(self.tensor)
        if dlist is None:
            dlist = unwritten_like(self.output_handle)
        if dtensor is None:
            dtensor = zeros_of(shape, self.element_dtype)
        return bind(TensorListPushBack, dlist, dtensor), None

    def jvp(self, dlist: Any, dshape: Any) -> Any:
        return pop_back(dlist, self.element_dtype, shape32(self.tensor))


NOTHING_LEFT = "Trying to pop from an empty list."


# ---- what gradients and TensorArrays say with them


def reserve(element_shape: Any, count: Any, dtype: Any) -> Any:
    return bind(TensorListReserve, element_shape, count, element_dtype=dtype)


def length_of(items: Any) -> Any:
    return bind(TensorListLength, items)


def get_item(items: Any, index: Any, dtype: Any, element_shape: Any) -> Any:
    return bind(TensorListGetItem, items, index, element_shape, element_dtype=dtype)


def set_item(items: Any, index: Any, item: Any, grow: bool) -> Any:
    return bind(TensorListSetItem, items, index, item, resize_if_index_out_of_bounds=grow)


def push_back(items: Any, tensor: Any) -> Any:
    return bind(TensorListPushBack, items, tensor)


def pop_back(items: Any, dtype: Any, element_shape: Any) -> Any:
    return bind(TensorListPopBack, items, element_shape, element_dtype=dtype)


def shape_operand(shape: TensorShape) -> Any:
    """A static shape as an `element_shape` operand (int32)."""
    if shape.entries is None:
        return np.array(-1, np.int32)
    return np.array([-1 if size is None else size for size in shape.entries], np.int32)


def unwritten_like(items: Any) -> Any:
    """A list as long as `items` of which nothing was written: the zero among gradients of lists."""
    element = element_of(items)
    return reserve(shape_operand(element.shape), length_of(items), element.dtype)


def element_of(items: Any) -> TensorSpec:
    """What is known of each element of a list, eager or traced."""
    return (items._known.spec if items.symbolic else items._array.spec).element


def shape32(tensor: Any) -> Any:
    from ..array.shapes import shape_of

    if tensor.shape.is_fully_defined():
        return shape_operand(tensor.shape)
    return shape_of(tensor)


def zeros_of(shape: Any, dtype: Any) -> Any:
    from ..array.fill import zeros

    return zeros(shape, dtype)


class ListElements:
    """The gradient of a list of which some elements were read: values at indices, else nothing.

    An index may occur more than once: its values add up.
    """

    __slots__ = ("items", "read")

    def __init__(self, items: Any, read: tuple[tuple[Any, Any], ...]) -> None:
        self.items = items
        self.read = read  # pairs of an index and a value

    def and_those_of(self, other: ListElements) -> ListElements:
        return ListElements(self.items, self.read + other.read)

    def added_to(self, total: Any) -> Any:
        """A list: `total` (None: nothing so far) with these elements added."""
        if total is None:
            total = unwritten_like(self.items)
        for index, value in self.read:
            total = bind(TensorListAddItem, total, index, value)
        return total
