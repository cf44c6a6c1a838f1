"""`functools.cached_property` as it is from Python 3.12 on: without a lock.

Until then one lock is shared by all objects of the class, and is held while the value is found:
a child forked meanwhile by another thread waits for it for ever, and threads wait for each other
whatever objects they look at. Here two threads may find the same value twice, and the last one's
is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, final, overload

Value = TypeVar("Value")


@final
class lazy_property(Generic[Value]):
    """What the method gives when it is asked for first, kept by the object."""

    def __init__(self, method: Callable[[Any], Value]) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Value: ...
    def __get__(self, instance: object, owner: type | None = None) -> Self | Value:
        if instance is None:
            return self
        # Kept under the name of the property, where Python looks before it asks this again.
        value = instance.__dict__[self.name] = self.method(instance)
        return value
