"""Where a class lives in TensorFlow, told to whoever recognises classes by that.

Keras knows TensorFlow's objects by the name of their class and the text of its `__module__`,
without `isinstance`. Such a class says where TensorFlow keeps it:

    @at_home_in("tensorflow.python.framework.ops")
    class EagerTensor(Tensor): ...

and `__module__` says so too from the moment when tensormill stands in for TensorFlow
(`compat/alias.py` calls `move_in`), not before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Class = TypeVar("Class", bound=type)

_homes: dict[type, str] = {}
_moved_in = False


def at_home_in(module: str) -> Callable[[Class], Class]:
    """Decorate a class with the module in which TensorFlow has it."""

    def decorate(cls: Class) -> Class:
        _homes[cls] = module
        if _moved_in:
            cls.__module__ = module
        return cls

    return decorate


def move_in() -> None:
    """Make all such classes, also those that are defined later, tell TensorFlow's modules."""
    global _moved_in
    _moved_in = True
    for cls, module in _homes.items():
        cls.__module__ = module
