"""`tf.compat.v1.Dimension`: a size that may be unknown, as shapes had them in TensorFlow 1."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final, SupportsIndex

from .shapes import TensorShape, as_shape

_OWN: Final = __name__.partition(".")[0]


class Dimension:
    """A size, or None. What is worked out from an unknown one is unknown; comparing gives None.

    >>> size = tf.compat.v1.Dimension(3)
    >>> size + 1, size * None, size == None
    (Dimension(4), Dimension(None), None)

    Raises:
        ValueError: it is negative.
        TypeError: it is no integer.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any) -> None:
        self._value: Final = _size_of(value)

    @property
    def value(self) -> int | None:
        """The size, or None."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Whether both are equal, or one is not known."""
        theirs = as_dimension(other).value
        return self._value is None or theirs is None or self._value == theirs

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise a ValueError where both are known and differ."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """What is known from both of one size.

        Raises:
            ValueError: they differ.
        """
        self.assert_is_compatible_with(other)
        return as_dimension(other) if self._value is None else self

    def __int__(self) -> int:
        return self._value  # pyright: ignore[reportReturnType]  # None is no int: a TypeError

    def __index__(self) -> int:
        return self._value  # pyright: ignore[reportReturnType]

    def __float__(self) -> float:
        return float(int(self))

    def __bool__(self) -> bool:
        return bool(self._value)

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __reduce__(self) -> Any:
        return Dimension, (self._value,)

    def _truediv(self, other: Any) -> Any:
        raise TypeError(
            f"unsupported operand type(s) for /: {type(self).__name__!r} and "
            f"{type(other).__name__!r}, please use // instead"
        )

    __truediv__ = __rtruediv__ = _truediv
    __hash__ = None  # type: ignore[assignment]


def _arithmetic(function: Callable[[int, int], int], is_swapped: bool = False) -> Any:
    def combined(self: Dimension, other: Any) -> Any:
        try:
            theirs = as_dimension(other).value
        except (TypeError, ValueError):
            return NotImplemented
        if self.value is None or theirs is None:
            return Dimension(None)
        return Dimension(
            function(theirs, self.value) if is_swapped else function(self.value, theirs)
        )

    return combined


def _comparison(function: Callable[[int, int], bool]) -> Any:
    def compared(self: Dimension, other: Any) -> Any:
        theirs = dimension_value(other)
        if theirs is not None and not isinstance(theirs, int):
            return NotImplemented
        if self.value is None or theirs is None:
            return None
        return function(self.value, theirs)

    return compared


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    setattr(Dimension, f"__{_name}__", _arithmetic(getattr(operator, _name)))
    setattr(Dimension, f"__r{_name}__", _arithmetic(getattr(operator, _name), is_swapped=True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Dimension, f"__{_name}__", _comparison(getattr(operator, _name)))


def _size_of(value: Any) -> int | None:
    if value is None or isinstance(value, Dimension):
        return value if value is None else value.value
    try:
        size = operator.index(value)
    except TypeError:
        raise TypeError(
            "Dimension value must be integer or None or have an __index__ method, got value "
            f"'{value!r}' with type '{type(value)!r}'"
        ) from None
    if size < 0:
        raise ValueError(f"Dimension {size} must be >= 0")
    return size


def as_dimension(value: Any) -> Dimension:
    return value if isinstance(value, Dimension) else Dimension(value)


def dimension_value(dimension: Any) -> Any:
    """The size as an int, or None: whatever elements of shapes are here.

    >>> tf.compat.dimension_value(tf.compat.v1.Dimension(3)), tf.compat.dimension_value(None)
    (3, None)
    """
    return dimension.value if isinstance(dimension, Dimension) else dimension


def dimension_at_index(shape: Any, index: int) -> Dimension:
    """The size along an axis as a Dimension, which is unknown where the rank is.

    >>> tf.compat.dimension_at_index(tf.TensorShape([2, None]), 1)
    Dimension(None)

    Raises:
        IndexError: the rank is known, and there is no such axis.
        TypeError: it is no shape, or no index.
    """
    dims = as_shape(shape).entries
    return Dimension(None if dims is None else dims[index])


# ---------------------------------------------------------------- elements of shapes

_getitem: Final = TensorShape.__getitem__
_iter: Final = TensorShape.__iter__
_repr: Final = TensorShape.__repr__
_str: Final = TensorShape.__str__


def _is_for_users() -> bool:
    """Whether the function that asked our caller is not the library's own."""
    asking = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    return asking.f_globals.get("__name__", "").partition(".")[0] != _OWN


def _item(self: TensorShape, key: SupportsIndex | slice) -> Any:
    found = _getitem(self, key)  # pyright: ignore[reportCallIssue, reportArgumentType]
    return found if isinstance(key, slice) or not _is_for_users() else Dimension(found)


def _items(self: TensorShape) -> Iterator[Any]:
    return map(Dimension, _iter(self)) if _is_for_users() else _iter(self)


def _told(self: TensorShape) -> str:
    sizes = self.entries
    return f"TensorShape({None if sizes is None else [Dimension(one) for one in sizes]})"


def _shown(self: TensorShape) -> str:
    """Unknown sizes are question marks: (?, 3)."""
    return _str(self).replace("None", "?")


def disable_v2_tensorshape() -> None:
    """From here on elements of shapes are Dimensions, as in TensorFlow 1: `x.shape[0].value`.

    >>> tf.compat.v1.disable_v2_tensorshape()
    >>> tf.zeros([2, 3]).shape[0]
    Dimension(2)
    >>> tf.compat.v1.enable_v2_tensorshape()
    """
    TensorShape.__getitem__ = _item  # pyright: ignore[reportAttributeAccessIssue]
    TensorShape.__iter__ = _items
    TensorShape.__repr__, TensorShape.__str__ = _told, _shown


def enable_v2_tensorshape() -> None:
    """From here on elements of shapes are ints and None, as they are from the beginning.

    >>> tf.compat.v1.enable_v2_tensorshape()
    >>> tf.zeros([2, 3]).shape[0]
    2
    """
    TensorShape.__getitem__ = _getitem
    TensorShape.__iter__ = _iter
    TensorShape.__repr__, TensorShape.__str__ = _repr, _str
