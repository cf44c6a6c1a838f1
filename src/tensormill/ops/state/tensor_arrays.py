"""Arrays of tensors and stacks behind handles, as graphs of TensorFlow 1 have them.

`tf.TensorArray` is a list that is handed on (ops/lists); these change where they are. The `flow`
that operations hand on is a number that says nothing: it keeps them in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import DType
from ...core.shapes import UNKNOWN, TensorShape, as_shape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import InvalidArgumentError, UnimplementedError
from ..demands import refuse
from ..effects import World, Writes
from ..op import ANY, Attr, In, Op, Out

Array = numpy_module.ndarray[Any, Any]


class ChangingArray:
    """Elements by their numbers; each is written once, and read once where it is cleared then."""

    def __init__(
        self, size: int, element: TensorSpec, grows: bool, clears: bool, alike: bool
    ) -> None:
        self.spec: Final = ObjectSpec("tensor_array", (element,))
        self.element: Final = element
        self._grows, self._clears, self._alike = grows, clears, alike
        self._elements: list[Array | None] = [None] * size
        self._cleared: set[int] = set()
        self._shape = element.shape
        self.shapes: Final[dict[int, TensorShape]] = {}  # of elements that were written
        self.is_closed = False

    def __len__(self) -> int:
        return len(self._elements)

    def write(self, index: int, value: Array) -> None:
        """Set an element.

        Raises:
            InvalidArgumentError: there is no such one, it was written before, or is of another
                dtype or shape.
        """
        self.require_open()
        if index < 0 or (index >= len(self) and not self._grows):
            size = len(self)
            raise InvalidArgumentError(
                f"Tried to write to index {index} but array is not resizeable and size is: {size}"
            )
        if value.dtype != self.element.dtype.storage:
            raise InvalidArgumentError(
                f"TensorArray dtype is {self.element.dtype.name} but Op is trying to write dtype "
                f"{value.dtype}"
            )
        self._elements += [None] * (index + 1 - len(self))
        self._place(index, value)

    def _place(self, index: int, value: Array) -> None:
        if self._elements[index] is not None or index in self._cleared:
            raise InvalidArgumentError(
                f"Could not write to TensorArray index {index} because it has already been written"
            )
        self._admit(value)
        self._elements[index] = value
        self.shapes[index] = TensorShape(value.shape)

    def _admit(self, value: Array) -> None:
        shape = TensorShape(value.shape)
        if not self._shape.is_compatible_with(shape):
            raise InvalidArgumentError(
                f"TensorArray's elements have the shape {self._shape}, and {shape} was written"
            )
        if self._alike:
            self._shape = self._shape.merge_with(shape)

    def read(self, index: int) -> Array:
        """An element; zeros where it was never written and its shape is known.

        Raises:
            InvalidArgumentError: there is none, or it was cleared.
        """
        self.require_open()
        if not 0 <= index < len(self):
            raise InvalidArgumentError(
                f"Tried to read from index {index} but array size is: {len(self)}"
            )
        if index in self._cleared:
            raise InvalidArgumentError(
                f"Could not read index {index} twice because it was cleared after a previous read "
                "(perhaps try setting clear_after_read = false?)"
            )
        found = self._elements[index]
        if found is None:
            return self._unwritten(index)
        if self._clears:
            self._elements[index] = None
            self._cleared.add(index)
        return found

    def _unwritten(self, index: int) -> Array:
        if not self._shape.is_fully_defined():
            raise InvalidArgumentError(
                f"Could not read from TensorArray index {index}: it has not been written to yet, "
                "and the shape of elements is not known"
            )
        sizes = [size or 0 for size in self._shape.as_list()]
        return numpy_module.zeros(sizes, self.element.dtype.storage)

    def gather(self, indices: Sequence[int]) -> Array:
        """Elements along a new first axis."""
        parts = [self.read(index) for index in indices]
        if not parts:
            sizes = [size or 0 for size in self._shape.as_list()]
            return numpy_module.zeros([0, *sizes], self.element.dtype.storage)
        require_alike(parts, 0)
        return numpy_module.stack(parts)

    def require_open(self) -> None:
        """Refuse what was closed."""
        if self.is_closed:
            raise InvalidArgumentError("TensorArray has already been closed.")

    def keep_size(self) -> None:
        """Let it grow no more."""
        self._grows = False


def require_alike(parts: Sequence[Array], first: int) -> None:
    """Refuse elements of several shapes, from axis `first` on."""
    shapes = {part.shape[first:] for part in parts}
    if len(shapes) > 1:
        raise InvalidArgumentError(f"TensorArray has inconsistent shapes: {sorted(shapes)}")


class OnArray(Op, abstract=True):
    """Reads or changes such an array."""

    handle = In("resource")
    effects = (Writes("handle"), World.PYTHON)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        if getattr(getattr(self.handle, "spec", None), "kind", "") != "tensor_array":
            refuse(InvalidArgumentError, "{}: the handle is not one of a TensorArrayV3", self.name)

    def element(self) -> TensorSpec:
        return self.handle.spec.elements[0]


FLOW: Final = TensorSpec((), dtypes.float32)


class NewArray(Op, abstract=True):
    """Makes an array."""

    effects = (World.PYTHON,)
    differentiable = False
    size: Any
    dtype: Any
    element_shape: Any
    dynamic_size: Any
    clear_after_read: Any

    def spec(self) -> TensorSpec:
        return TensorSpec(as_shape(self.element_shape), self.dtype)

    def new(self, alike: bool) -> ChangingArray:
        flags = self.dynamic_size, self.clear_after_read, alike
        return ChangingArray(int(self.size), self.spec(), *flags)


class TensorArrayV3(NewArray):
    """A new array of `size` elements."""

    size = In("i32")
    handle = Out("resource")
    flow = Out("f32")
    dtype = Attr()
    element_shape = Attr(UNKNOWN)
    dynamic_size = Attr(False)
    clear_after_read = Attr(True)
    identical_element_shapes = Attr(False)
    tensor_array_name = Attr("")

    def infer(self) -> tuple[Any, ...]:
        return ObjectSpec("tensor_array", (self.spec(),)), FLOW

    def eager(self, np: Any) -> tuple[Any, ...]:
        return self.new(alike=self.identical_element_shapes), np.float32(0)


class TensorArrayWriteV3(OnArray):
    """Sets an element."""

    index = In("i32")
    value = In("T ...")
    flow_in = In("f32")
    flow_out = Out("f32")
    T = ANY

    def infer(self) -> TensorSpec:
        return FLOW

    def eager(self, np: Any) -> Any:
        self.handle.write(int(self.index), self.value)
        return np.asarray(self.flow_in)


class TensorArrayReadV3(OnArray):
    """An element."""

    index = In("i32")
    flow_in = In("f32")
    value = Out("dtype ...")
    dtype = Attr()

    def infer(self) -> TensorSpec:
        return TensorSpec(self.element().shape, self.dtype)

    def eager(self, np: Any) -> Any:
        return self.handle.read(int(self.index))


class TensorArrayGatherV3(OnArray):
    """Elements along a new first axis."""

    indices = In("i32 n")
    flow_in = In("f32")
    value = Out("dtype ...")
    dtype = Attr()
    element_shape = Attr(UNKNOWN)

    def infer(self) -> TensorSpec:
        shape = as_shape(self.element_shape).merge_with(self.element().shape)
        count = self.indices.shape[:1] if self.indices.shape.rank else TensorShape((None,))
        return TensorSpec(count.concatenate(shape), self.dtype)

    def eager(self, np: Any) -> Any:
        return self.handle.gather(self.indices.tolist())


class TensorArrayScatterV3(OnArray):
    """Sets elements, each to a row."""

    indices = In("i32 n")
    value = In("T ...")
    flow_in = In("f32")
    flow_out = Out("f32")
    T = ANY

    def infer(self) -> TensorSpec:
        return FLOW

    def eager(self, np: Any) -> Any:
        if self.value.shape[:1] != self.indices.shape:
            raise InvalidArgumentError(
                f"TensorArrayScatterV3: {self.indices.size} indices do not go with rows of shape "
                f"{list(self.value.shape)}"
            )
        for index, row in zip(self.indices.tolist(), self.value, strict=True):
            self.handle.write(index, np.array(row, self.value.dtype))
        return np.asarray(self.flow_in)


class TensorArraySizeV3(OnArray):
    """How many elements there are."""

    flow_in = In("f32")
    size = Out("i32")

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int32)

    def eager(self, np: Any) -> Any:
        return np.int32(len(self.handle))


class TensorArrayConcatV3(OnArray):
    """All elements joined along their first axis, and the length of each."""

    flow_in = In("f32")
    value = Out("dtype ...")
    lengths = Out("i64 n")
    dtype = Attr()
    element_shape_except0 = Attr(UNKNOWN)

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        return TensorSpec(None, self.dtype), TensorSpec((None,), dtypes.int64)

    def eager(self, np: Any) -> Any:
        parts = [self.handle.read(index) for index in range(len(self.handle))]
        if any(part.ndim == 0 for part in parts):
            raise InvalidArgumentError("Concat saw a scalar shape but requires at least vectors")
        require_alike(parts, 1)
        if not parts:
            raise UnimplementedError("TensorArrayConcatV3: there are no elements to join")
        return np.concatenate(parts), np.array([len(part) for part in parts], np.int64)


class TensorArraySplitV3(OnArray):
    """Sets elements to pieces of a tensor, of these lengths."""

    value = In("T ...")
    lengths = In("i64 n")
    flow_in = In("f32")
    flow_out = Out("f32")
    T = ANY

    def infer(self) -> TensorSpec:
        return FLOW

    def eager(self, np: Any) -> Any:
        if not self.value.ndim or int(self.lengths.sum()) != len(self.value):
            raise InvalidArgumentError(
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{int(self.lengths.sum())} and value's shape is: {list(self.value.shape)}"
            )
        pieces = np.split(self.value, np.cumsum(self.lengths)[:-1])
        for index, piece in enumerate(pieces[: self.lengths.size]):
            self.handle.write(index, piece.copy())
        return np.asarray(self.flow_in)


class TensorArrayCloseV3(OnArray):
    """Lets nobody read or write any more."""

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.handle.is_closed = True
        return ()


# ---------------------------------------------------------------- stacks


class TensorStack:
    """Tensors of which the last one in is the first one out; at most `limit`, unless negative."""

    def __init__(self, dtype: DType, limit: int) -> None:
        self.spec: Final = stack_spec(dtype)
        self._limit: Final = limit
        self._elements: list[Array] = []
        self.is_closed = False

    def push(self, element: Array) -> None:
        """Put one on top."""
        self._require_open()
        if 0 <= self._limit <= len(self._elements):
            raise InvalidArgumentError(f"Stack overflowed its max_size ({self._limit})")
        self._elements.append(element)

    def pop(self) -> Array:
        """Take the one on top."""
        self._require_open()
        if not self._elements:
            raise InvalidArgumentError("Stack is empty when calling Pop()")
        return self._elements.pop()

    def _require_open(self) -> None:
        if self.is_closed:
            raise InvalidArgumentError("Stack has already been closed.")


def stack_spec(dtype: DType) -> ObjectSpec:
    return ObjectSpec("stack", (TensorSpec(None, dtype),))


class NewStack(Op, abstract=True):
    """Makes a stack."""

    effects = (World.PYTHON,)
    differentiable = False
    elem_type: Any

    def infer(self) -> ObjectSpec:
        return stack_spec(self.elem_type)


class StackV2(NewStack):
    """A new stack."""

    max_size = In("i32")
    handle = Out("resource")
    elem_type = Attr()
    stack_name = Attr("")

    def eager(self, np: Any) -> TensorStack:
        return TensorStack(self.elem_type, int(self.max_size))


class StackWithoutLimit(NewStack, tf_name="Stack"):
    """A new stack without a limit."""

    handle = Out("resource")
    elem_type = Attr()
    stack_name = Attr("")

    def eager(self, np: Any) -> TensorStack:
        return TensorStack(self.elem_type, -1)


class OnStack(Op, abstract=True):
    """Changes a stack."""

    handle = In("resource")
    effects = (Writes("handle"), World.PYTHON)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        if getattr(getattr(self.handle, "spec", None), "kind", "") != "stack":
            refuse(InvalidArgumentError, "{}: the handle is not one of a stack", self.name)


class StackPushV2(OnStack):
    """Puts a tensor on top; gives it on."""

    elem = In("T ...")
    output = Out("T ...")
    swap_memory = Attr(False)
    T = ANY

    def infer(self) -> TensorSpec:
        return TensorSpec(self.elem.shape, self.elem.dtype)

    def eager(self, np: Any) -> Any:
        self.handle.push(self.elem)
        return self.elem


class StackPopV2(OnStack):
    """Takes the tensor on top."""

    elem = Out("elem_type ...")
    elem_type = Attr()

    def infer(self) -> TensorSpec:
        return TensorSpec(None, self.elem_type)

    def eager(self, np: Any) -> Any:
        return self.handle.pop()


class StackCloseV2(OnStack):
    """Lets nobody push or pop any more."""

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.handle.is_closed = True
        return ()
