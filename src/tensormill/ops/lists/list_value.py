"""The value of a list of tensors in eager execution, and what its operations do to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from ...core.dtypes import DType
from ...core.shapes import TensorShape, are_known
from ...core.specs import ListSpec, TensorSpec
from ...errors import (
    InvalidArgumentError,
    ShapeMismatchError,
)

Array = np.ndarray[Any, Any]

TOO_FAR_TO_READ: Final = (
    "Tried to read from index {0} but array size is: {1} "
    "(Trying to access element {0} in a list with {1} elements.)"
)
TOO_FAR_TO_WRITE: Final = (
    "Tried to write to index {0} but array is not resizeable and size is: {1} "
    "(Trying to modify element {0} in a list with {1} elements.)"
)


class ListValue:
    """Tensors of one dtype. Immutable; an element that was never written is None.

    `shape` is what every element's shape must be compatible with.
    """

    __slots__ = ("dtype", "items", "shape")

    def __init__(self, dtype: DType, shape: TensorShape, items: Iterable[Array | None]) -> None:
        self.dtype: Final = dtype
        self.shape: Final = shape
        self.items: Final = tuple(items)

    @property
    def spec(self) -> ListSpec:
        return ListSpec(TensorSpec(self.shape, self.dtype))

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"<list of {len(self.items)} tensors, each {self.spec.element.short}>"

    def with_items(self, items: Iterable[Array | None]) -> ListValue:
        return ListValue(self.dtype, self.shape, items)

    def get(self, index: int, shape: TensorShape) -> Array:
        """One element; zeros where it was never written and its shape can be told.

        Raises:
            InvalidArgumentError: it has another shape, or was never written and no other element
                tells its shape.
        """
        item = self.items[index]
        if item is None:
            return self.zeros(self.element_dims(shape))
        if not shape.is_compatible_with(item.shape):
            raise InvalidArgumentError(
                f"Incompatible shapes: element {index} of a list has shape {list(item.shape)} "
                f"where {shape} is wanted"
            )
        return item

    def set(self, index: int, item: Array) -> ListValue:
        """A list with another element; it grows where it has no such place."""
        missing = (None,) * (index + 1 - len(self.items))
        items = self.items + missing
        return self.with_items((*items[:index], item, *items[index + 1 :]))

    def element_dims(self, shape: TensorShape) -> tuple[int, ...]:
        """The sizes of an element that was never written.

        Raises:
            ShapeMismatchError: neither the list nor its other elements tell them.
        """
        return dims_of_unwritten(self.shape.merge_with(shape), self.items, "list")

    def zeros(self, dims: tuple[int, ...]) -> Array:
        """Zeros of the list's dtype; for strings, empty ones."""
        if self.dtype.family == "string":
            return np.full(dims, b"", object)
        return np.zeros(dims, self.dtype.storage)

    def written(self, shape: TensorShape) -> list[Array]:
        """Every element, with zeros in place of those that were never written."""
        if all(item is not None for item in self.items):
            return list(self.items)  # type: ignore[arg-type]
        zeros = self.zeros(self.element_dims(shape))
        return [zeros if item is None else item for item in self.items]

    def stack(self, shape: TensorShape) -> Array:
        """All elements along a new first axis.

        Raises:
            InvalidArgumentError: the elements differ in shape, or nothing tells it.
        """
        if not self.items:
            known = self.shape.merge_with(shape)
            dims = dims_of_unwritten(known, (), "list") if known.rank is None else known.as_tuple()
            return self.zeros((0, *(size or 0 for size in dims)))
        elements = self.written(shape)
        odd = next((one for one in elements if one.shape != elements[0].shape), None)
        if odd is not None:
            raise InvalidArgumentError(
                "Operation expected a list where all elements have the same shape: "
                f"{list(elements[0].shape)} and {list(odd.shape)} (Incompatible shapes)"
            )
        return np.stack(elements)

    def concat(self, shape: TensorShape, lengths: list[int]) -> tuple[Array, Array]:
        """All elements joined along their first axis, and the length of each (int64).

        `lengths` says how long elements are that were never written.

        Raises:
            InvalidArgumentError: an element is a scalar, or other axes than the first differ.
        """
        rows = self._with_zeros(shape, lengths) if lengths else self
        elements = rows.written(shape)
        sizes = [len(one) if one.ndim else -1 for one in elements]
        if -1 in sizes:
            raise InvalidArgumentError(
                "Concat saw a scalar shape at index "
                f"{sizes.index(-1)} but requires at least vectors"
            )
        if not elements:
            dims = self.shape.merge_with(shape).entries or (0,)
            return self.zeros((0, *(size or 0 for size in dims[1:]))), _int64([])
        if any(one.shape[1:] != elements[0].shape[1:] for one in elements):
            raise InvalidArgumentError(
                "TensorArray has inconsistent shapes: all but the first axis must agree, but the "
                f"shapes are {[one.shape for one in elements]}"
            )
        return np.concatenate(elements), _int64(sizes)

    def _with_zeros(self, shape: TensorShape, lengths: list[int]) -> ListValue:
        known = self.shape.merge_with(shape)
        if known.entries is None:
            known = next((TensorShape(one.shape) for one in self.items if one is not None), known)
        inner = tuple(size or 0 for size in (known.entries or (0,))[1:])
        pairs = zip(self.items, lengths, strict=True)
        return self.with_items(
            self.zeros((length, *inner)) if item is None else item for item, length in pairs
        )

    def resize(self, count: int) -> ListValue:
        return self.with_items((*self.items[:count], *(None,) * (count - len(self.items))))

    def add(self, other: ListValue) -> ListValue:
        """The sums of elements at the same index; nothing was written means zero."""
        longer, shorter = sorted((self.items, other.items), key=len, reverse=True)
        padded = (*shorter, *(None,) * (len(longer) - len(shorter)))
        pairs = zip(longer, padded, strict=True)
        return self.with_items(_sum(a, b) for a, b in pairs)


def _sum(a: Array | None, b: Array | None) -> Array | None:
    if a is None or b is None:
        return b if a is None else a
    return np.asarray(a + b)


def _int64(lengths: list[int]) -> Array:
    return np.array(lengths, np.int64)


def as_element_shape(sizes: Array) -> TensorShape:
    """What an `element_shape` operand says: -1 is an unknown size, a scalar -1 an unknown rank."""
    if sizes.ndim == 0:
        return TensorShape(None)
    return TensorShape(tuple(None if size < 0 else size for size in sizes.tolist()))


def dims_of_unwritten(known: TensorShape, items: Sequence[Any], what: str) -> tuple[int, ...]:
    """The sizes of an element that was never written: those that are known, or all others have.

    Raises:
        ShapeMismatchError: nothing tells them, or others differ.
    """
    if not known.is_fully_defined():
        for shape in {item.shape: None for item in items if item is not None}:
            if not known.is_compatible_with(shape):
                raise ShapeMismatchError(
                    f"The shape of an element of the {what} that was never written is not known: "
                    f"others have different ones, {list(shape)} and {known} (Incompatible shapes)"
                )
            known = known.merge_with(shape)
    dims = known.entries
    if not are_known(dims):
        raise ShapeMismatchError(
            f"Cannot convert a partially known TensorShape {known} to a Tensor: the {what} only "
            "contains uninitialized tensors, and its element_shape is not fully defined"
        )
    return dims
