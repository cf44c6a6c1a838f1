"""`tf.TensorArray`: tensors written one by one, in eager loops and in loops of graphs alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

from ..core import context, dtypes
from ..core.dtypes import DType, as_dtype
from ..core.shapes import TensorShape, as_shape
from ..core.tree import Composite
from ..core.values import TensorArrayBase
from ..eager.tensor import EagerHandle, Tensor
from ..errors import DTypeMismatchError, KnownDTypeError, KnownShapeError
from ..ops.conversion import as_tensor, static_int
from ..ops.math.cast import cast
from . import eager_elements, traced_elements


class ArrayKnowledge:
    """What is known of an array while its function is traced; shared with what it becomes.

    With `inferred`, all elements have one shape: that of the first that was written. `size` is
    known where it was declared as a number and never changes.
    """

    __slots__ = ("inferred", "shape", "size")

    def __init__(self, shape: TensorShape, inferred: bool, size: int | None) -> None:
        self.shape = shape
        self.inferred: Final = inferred
        self.size = size

    def admit(self, shape: TensorShape) -> None:
        """Note the shape of a new element.

        Raises:
            ShapeMismatchError (a ValueError): elements cannot have this shape.
        """
        if not self.shape.is_compatible_with(shape):
            raise KnownShapeError(
                f"Incompatible shape for value ({shape}), expected ({self.shape}) "
                f"(Inconsistent shapes: saw {shape} but expected {self.shape})"
            )
        if self.inferred:
            self.shape = self.shape.merge_with(shape)


class TensorArray(Composite, TensorArrayBase):
    """An array of tensors of one dtype, by default of one shape; its size is fixed or grows.

    `write` and its like return the array with the change made; use what they return. Eagerly, and
    within one function that is traced, the array itself has changed too. An element that was
    never written is zeros, if the shape of elements is known. Elements can be read as often as
    one likes: `clear_after_read` is accepted and has no effect.

    Raises (its methods):
        ElementIndexError (OutOfRangeError and InvalidArgumentError): there is no such element.
        DTypeMismatchError (InvalidArgumentError, TypeError): an element has another dtype.
        ShapeMismatchError (InvalidArgumentError, ValueError): elements do not go together.

    >>> squares = tf.TensorArray(tf.int32, size=3)
    >>> for i in range(3):
    ...     squares = squares.write(i, i * i)
    >>> squares.stack().numpy()
    array([0, 1, 4], dtype=int32)
    """

    __slots__ = {
        "__weakref__": None,
        "_elements": None,
        "_known": None,
        "_name": None,
        "dtype": "The dtype of the elements.",
        "dynamic_size": "Whether writing behind the end makes it longer.",
    }  # with what `help` says of them

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if size is None and flow is None:
            raise ValueError(
                "Size must be declared for TensorArrays: argument `size` must be provided"
            )
        if size is not None and flow is not None:
            raise ValueError("Cannot provide both `size` and `flow` to TensorArray")
        self.dtype: Final[DType] = as_dtype(dtype)
        self.dynamic_size: Final = bool(dynamic_size)
        self._name: Final = name or tensor_array_name or "TensorArray"
        known_size = None if size is None or dynamic_size else static_int(size)
        self._known = ArrayKnowledge(as_shape(element_shape), bool(infer_shape), known_size)
        self._elements: Any = None
        if flow is not None:
            self._elements = self._from_flow(flow)
        elif context.building_graph():
            self._elements = traced_elements.reserved(self, as_tensor(size, dtypes.int32))
        else:
            self._elements = eager_elements.EagerElements([None] * max(0, int(size or 0)))

    # ---- what it is
    @property
    def element_shape(self) -> TensorShape:
        """What is known of the shape of every element.

        >>> tf.TensorArray(tf.float32, 2, element_shape=[3]).element_shape
        TensorShape([3])
        """
        return self._known.shape

    @property
    def infers_shape(self) -> bool:
        """Whether all elements have the shape of the first that was written."""
        return self._known.inferred

    @property
    def known_size(self) -> int | None:
        """The number of elements, where it was declared as a number and never changes."""
        return self._known.size

    def forget_size(self) -> None:
        """Say that the static size is not known any more: a loop may change it.

        >>> array = tf.TensorArray(tf.float32, 2)
        >>> array.forget_size()
        >>> array.size().numpy()
        np.int32(2)
        """
        self._known.size = None

    @property
    def flow(self) -> Any:
        """The list of tensors behind the array, as a tensor of dtype variant.

        >>> tf.TensorArray(tf.float32, 2).flow.dtype
        tf.variant
        """
        return self._here()._elements.flow(self)

    @property
    def handle(self) -> Any:
        """TensorFlow's name for what `flow` is here.

        >>> print(tf.TensorArray(tf.float32, 2).handle)
        None
        """
        return self.flow if context.building_graph() else None

    def _component_tensors(self) -> tuple[Any, ...]:
        """What carries the elements: one scalar of dtype variant.

        >>> [flow.dtype for flow in tf.TensorArray(tf.float32, 2)._component_tensors()]
        [tf.variant]
        """
        return (self._elements.flow(self),)

    def _with_component_tensors(self, components: Sequence[Any]) -> TensorArray:
        """An array of the same kind; where an eager one enters a trace, of unknown size.

        The trace may serve arrays of other sizes.
        """
        elements = self._from_flow(components[0])
        array = self._with(elements)
        if type(elements) is not type(self._elements):
            known = self._known
            array._known = ArrayKnowledge(known.shape, known.inferred, None)
        return array

    def __tf_flatten__(self) -> tuple[Any, tuple[Any, ...]]:
        dims = self.element_shape.entries
        metadata = (self.dtype, dims, self._known.inferred, self.dynamic_size, self._name)
        return metadata, (self.flow,)

    @classmethod
    def __tf_unflatten__(cls, metadata: Any, components: Sequence[Any]) -> TensorArray:
        dtype, dims, inferred, dynamic, name = metadata
        return cls(
            dtype, flow=components[0], infer_shape=inferred, dynamic_size=dynamic,
            element_shape=TensorShape(dims), name=name,
        )  # fmt: skip

    # ---- elements
    def size(self, name: str | None = None) -> Tensor:
        """The number of elements, an int32 scalar.

        >>> tf.TensorArray(tf.float32, size=3).size().numpy()
        np.int32(3)
        """
        return self._here()._elements.size()

    def identity(self) -> TensorArray:
        """The same array again.

        >>> tf.TensorArray(tf.float32, 2).identity().size().numpy()
        np.int32(2)
        """
        return self._with(self._here()._elements.copied())

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at `index`.

        >>> tf.TensorArray(tf.int32, size=2).unstack([5, 6]).read(1).numpy()
        np.int32(6)
        """
        return self._here()._elements.read(self, _as_index(index))

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` at `index`.

        >>> array = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        >>> array.write(0, 5).write(1, 6).stack().numpy()
        array([5, 6], dtype=int32)
        """
        array = self._here()
        tensor = self._as_element(value)
        self._known.admit(tensor.shape)
        array._elements.write(array, _as_index(index), tensor)
        return array

    def stack(self, name: str | None = None) -> Tensor:
        """All elements along a new first axis.

        >>> tf.TensorArray(tf.int32, size=2).unstack([5, 6]).stack().numpy()
        array([5, 6], dtype=int32)
        """
        return self._here()._elements.stack(self)

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at `indices`, along a new first axis.

        Eagerly, as in TensorFlow, an index below 0 counts from the end; functions refuse it.

        >>> tf.TensorArray(tf.int32, size=3).unstack([5, 6, 7]).gather([2, 0]).numpy()
        array([7, 5], dtype=int32)
        """
        return self._here()._elements.gather(self, _as_index(indices))

    def concat(self, name: str | None = None) -> Tensor:
        """All elements joined along their first axis, which may differ in length.

        >>> array = tf.TensorArray(tf.int32, size=2, infer_shape=False)
        >>> array.write(0, [1]).write(1, [2, 3]).concat().numpy()
        array([1, 2, 3], dtype=int32)
        """
        return self._here()._elements.concat(self)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array whose elements are the slices of `value` along its first axis.

        >>> tf.TensorArray(tf.int32, size=2).unstack([[1, 2], [3, 4]]).read(0).numpy()
        array([1, 2], dtype=int32)
        """
        array = self._here()
        tensor = self._as_element(value)
        self._known.admit(tensor.shape[1:])
        array._elements.unstack(array, tensor)
        return array

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the slices of `value` at `indices`.

        >>> tf.TensorArray(tf.int32, size=2).scatter([1, 0], [5, 6]).stack().numpy()
        array([6, 5], dtype=int32)
        """
        array = self._here()
        tensor = self._as_element(value)
        self._known.admit(tensor.shape[1:])
        array._elements.scatter(array, _as_index(indices), tensor)
        return array

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array whose elements are pieces of `value` of these lengths along its first axis.

        >>> pieces = tf.TensorArray(tf.int32, size=2, infer_shape=False).split([1, 2, 3], [1, 2])
        >>> pieces.read(1).numpy()
        array([2, 3], dtype=int32)
        """
        array = self._here()
        tensor = self._as_element(value)
        if tensor.shape.entries is not None:
            self._known.admit(TensorShape((None, *tensor.shape.entries[1:])))
        array._elements.split(array, tensor, _as_index(lengths, dtypes.int64))
        return array

    def close(self, name: str | None = None) -> None:
        """Nothing is left to be freed.

        >>> tf.TensorArray(tf.float32, 2).close()
        """

    def grad(self, source: Any, flow: Any = None, name: str | None = None) -> NoReturn:
        """Not supported: it is how TensorFlow 1 went back through arrays.

        >>> x = tf.constant([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = tf.TensorArray(tf.float32, 2).unstack(x).read(1)
        >>> tape.gradient(y, x).numpy()
        array([0., 1.], dtype=float32)

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "TensorArray.grad is not supported: tf.GradientTape differentiates through TensorArrays"
        )

    # ---- parts of the above
    def _here(self) -> TensorArray:
        """This array where it can be used: a traced function takes an outer one as it is now."""
        elements = self._elements.inside(self)
        return self if elements is self._elements else self._with(elements)

    def _with(self, elements: Any) -> TensorArray:
        """An array of the same kind with other elements."""
        other = TensorArray.__new__(TensorArray)
        fields = ("dtype", "dynamic_size", "_name", "_known")
        for field in fields:
            object.__setattr__(other, field, getattr(self, field))
        other._elements = elements
        return other

    def _from_flow(self, flow: Any) -> Any:
        """Elements from a list tensor (or, in signatures, from what describes one)."""
        if isinstance(flow, EagerHandle):
            return eager_elements.from_list(flow)
        return traced_elements.TracedElements(flow)

    def _as_element(self, value: Any) -> Any:
        tensor = as_tensor(value, None, self.dtype)
        if tensor.dtype is not self.dtype:
            wanted = frozenset((self.dtype,))
            if (agreeing := context.top().interpreter.in_one_dtype([tensor], wanted)) is not None:
                return agreeing[0]
            raise DTypeMismatchError(
                f"TensorArray dtype is {self.dtype.name} but Op is trying to write dtype "
                f"{tensor.dtype.name} (Invalid data types); use tf.cast, or make the array of "
                f"tf.{tensor.dtype.name}"
            )
        return tensor

    def __repr__(self) -> str:
        return f"<TensorArray '{self._name}' of {self.dtype.name} {self.element_shape}>"

    def __iter__(self) -> NoReturn:
        raise TypeError("'TensorArray' object is not iterable: use stack(), or read() in a loop")


def _as_index(index: Any, wanted: DType = dtypes.int32) -> Any:
    """Where elements are, or how long; of whatever integers are given.

    Raises:
        KnownDTypeError: no integers are.
    """
    tensor = as_tensor(index, None, wanted)
    if tensor.dtype is wanted:
        return tensor
    if not (tensor.dtype.is_integer or tensor.dtype.is_bool):
        raise KnownDTypeError(
            f"Expected {wanted.name} for what is in a TensorArray, got {tensor.dtype.name}; "
            "use tf.cast"
        )
    return cast(tensor, wanted)
