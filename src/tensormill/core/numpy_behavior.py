"""What `tf.experimental.numpy.experimental_enable_numpy_behavior` has changed: at first, nothing.

Operators and keys look here on their slow ways, where other dtypes or arrays meet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from .dtypes import DType


class Promoting(Protocol):
    """The promotion of operands of functions; each answer may be NotImplemented, but the last."""

    def bound(self, op: Any, operands: tuple[Any, ...], again: Callable[..., Any]) -> Any:
        """The result of an operation whose operands have to be promoted."""
        ...

    def retry(self, function: Any, args: tuple[Any, ...], options: Any) -> Any:
        """The result of a call that failed since its operands have to be promoted."""
        ...

    def for_variable(self, value: Any, dtype: DType) -> Any:
        """What a variable of this dtype is given for a value."""
        ...


class NumpyBehavior:
    """The changes that are in force, for the whole process."""

    def __init__(self) -> None:
        # Python's floats, and NumPy's alone, are float32 to functions that follow NumPy.
        self.prefer_float32 = False
        # All of Python's numbers but complex ones have 32 bits to them.
        self.prefer_32_bits = False
        # What operators do: `operate(function, x, y)`, with both in the dtype that they share.
        self.operate: Callable[[Callable[[Any, Any], Any], Any, Any], Any] | None = None
        # What functions do with operands of several dtypes, and variables with values of another.
        self.promotion: Promoting | None = None
        # What `tf.constant(value)` is, which would be a tensor else: `constant(value, tensor)`.
        self.constant: Callable[[Any, Any], Any] | None = None
        # `tensor[key]` by NumPy's rules; NotImplemented where they say what ours do.
        self.get_item: Callable[[Any, Any], Any] | None = None


changes = NumpyBehavior()
