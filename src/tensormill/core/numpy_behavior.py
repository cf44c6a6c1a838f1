"""What `tf.experimental.numpy.experimental_enable_numpy_behavior` has changed: at first, nothing.

Operators and keys look here on their slow ways, where other dtypes or arrays meet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class NumpyBehavior:
    """The changes that are in force, for the whole process."""

    def __init__(self) -> None:
        # Python's floats, and NumPy's alone, are float32 to functions that follow NumPy.
        self.prefer_float32 = False
        # What becomes of two operands of an operator, before anything looks at their dtypes.
        self.promote: Callable[[Any, Any], tuple[Any, Any]] | None = None
        # `tensor[key]` by NumPy's rules; NotImplemented where they say what ours do.
        self.get_item: Callable[[Any, Any], Any] | None = None


changes = NumpyBehavior()
