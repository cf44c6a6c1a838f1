"""What Python and NumPy ask of an eager tensor: truth, numbers, arrays, buffers, references."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]


def as_bool(array: Array) -> bool:
    """The truth of a tensor of at most one element; a string is true unless it is empty."""
    if array.size > 1:
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. "
            "Use tf.reduce_any(x) or tf.reduce_all(x)"
        )
    return bool(array.item()) if array.size else False


def as_number(array: Array, wanted: str) -> Any:
    """The element of a scalar, for `int()`, `float()` and `complex()`."""
    if array.ndim:
        raise TypeError(
            f"only 0-dimensional arrays can be converted to Python scalars ({wanted}), "
            f"but the tensor has shape {array.shape}"
        )
    return array.item()


def as_index(array: Array) -> int:
    if array.ndim or array.dtype.kind not in "iu":
        raise TypeError(
            f"only integer scalar arrays can be converted to a scalar index, "
            f"but the tensor is {array.dtype} of shape {array.shape}"
        )
    return int(array)


def read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view


def as_array(array: Array, dtype: Any, copy: bool | None) -> Array:
    """What `np.asarray(tensor)` gives: the memory itself, read-only, unless it must be a copy."""
    if dtype is not None and np.dtype(dtype) != array.dtype:
        if copy is False:
            raise ValueError("a cast needs a copy: pass copy=None")
        return array.astype(dtype)
    return array.copy() if copy else read_only(array)


def described(array: Array) -> Array:
    """What NumPy reads a description of before it asks for an array of a dtype: it then sees itself
    that floats are no indices. Of the dtypes that NumPy knows.
    """
    if array.dtype.isbuiltin != 1 or array.dtype.hasobject:
        raise AttributeError(f"an array interface cannot describe {array.dtype}")
    return read_only(array)


def dlpack(array: Array, **options: Any) -> Any:
    """A DLPack capsule: of the memory itself for who knows that memory may be read-only."""
    version = options.get("max_version")
    if version is not None and version[0] >= 1 and not options.get("copy"):
        return read_only(array).__dlpack__(**options)
    return array.copy().__dlpack__(**options)


class Reference:
    """A hashable stand-in for a tensor or variable: equal where it stands for the same object.

    References have an order, which lasts as long as the objects do.
    """

    __slots__ = ("_referent",)

    def __init__(self, referent: Any) -> None:
        self._referent: Final = referent

    def deref(self) -> Any:
        return self._referent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and other._referent is self._referent

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Reference):
            return NotImplemented
        return id(self._referent) < id(other._referent)

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, Reference):
            return NotImplemented
        return id(self._referent) > id(other._referent)

    def __hash__(self) -> int:
        return id(self._referent)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._referent!r}>"
