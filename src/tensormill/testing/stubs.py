"""`tf.compat.v1.test.StubOutForTesting`: attributes that are something else during a test."""

from __future__ import annotations

import inspect
from typing import Any, Self
from unittest import mock as mock


class StubOutForTesting:
    """Gives objects other attributes, and their own ones back.

    >>> class Weather:
    ...     kind = "rain"
    >>> with tf.compat.v1.test.StubOutForTesting() as stubs:
    ...     stubs.SmartSet(Weather, "kind", "sun")
    ...     print(Weather.kind)
    sun
    >>> Weather.kind
    'rain'
    """

    def __init__(self) -> None:
        self.cache: list[tuple[Any, str, Any]] = []
        self.stubs: list[tuple[Any, str, Any]] = []

    def SmartSet(self, obj: Any, attr_name: str, new_attr: Any) -> None:
        """Replace an attribute of an object, or of the class that it has it from, as it is there.

        Raises:
            AttributeError: there is none.
        """
        if inspect.ismodule(obj):
            kept = getattr(obj, attr_name)
            self.stubs.append((obj, attr_name, kept))
        else:
            places = inspect.getmro(obj if inspect.isclass(obj) else type(obj))
            own = [obj, *places] if not inspect.isclass(obj) else [*places]
            found = next((one for one in own if attr_name in getattr(one, "__dict__", ())), None)
            if found is None:
                raise AttributeError("Attribute not found.")
            obj = found if inspect.isclass(obj) else obj
            self.stubs.append((obj, attr_name, found.__dict__[attr_name]))
        setattr(obj, attr_name, new_attr)

    def SmartUnsetAll(self) -> None:
        """Take back all that `SmartSet` did, the last first."""
        while self.stubs:
            setattr(*self.stubs.pop())

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replace an attribute that an object has.

        Raises:
            AttributeError: it has none such.
        """
        kept = getattr(parent, child_name)
        own = getattr(parent, "__dict__", {}).get(child_name)
        self.cache.append((parent, child_name, own if isinstance(own, staticmethod) else kept))
        setattr(parent, child_name, new_child)

    def UnsetAll(self) -> None:
        """Take back all that `Set` did, the last first."""
        while self.cache:
            setattr(*self.cache.pop())

    def CleanUp(self) -> None:
        """Take back all that was replaced."""
        self.SmartUnsetAll()
        self.UnsetAll()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.CleanUp()
