"""Signatures of objects that stand for functions."""

from __future__ import annotations

import inspect
from typing import Any


class SignatureOf:
    """A `__signature__` for instances: that of the function in an attribute of theirs.

    `inspect.getfullargspec` asks for it; unlike `inspect.signature`, it ignores `__wrapped__`.
    The class itself has none.
    """

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute

    def __get__(self, instance: Any, owner: Any = None) -> inspect.Signature:
        if instance is None:
            raise AttributeError("__signature__")
        return inspect.signature(getattr(instance, self._attribute))
