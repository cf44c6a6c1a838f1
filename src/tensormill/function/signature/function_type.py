"""`tf.types.experimental.FunctionType`: what a function takes and gives, as a signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


class FunctionType(inspect.Signature):
    """A signature whose annotations are specs, where a trace has them.

    >>> tf.types.experimental.FunctionType.from_callable(lambda x, y=1: x)
    <FunctionType (x, y=1)>
    """

    @classmethod
    def from_callable(  # pyright: ignore[reportIncompatibleMethodOverride]
        cls, obj: Callable[..., Any], *, follow_wrapped: bool = True
    ) -> Any:
        """The signature of a function."""
        return super().from_callable(obj, follow_wrapped=follow_wrapped)
