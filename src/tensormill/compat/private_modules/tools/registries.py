"""Names and things, classes' properties, JSON: small modules of `tensorflow.python`."""

from __future__ import annotations

import traceback
from collections.abc import Callable, KeysView
from typing import Any

from ....core.dtypes import DType, int64
from ....core.shapes import TensorShape
from ....ops.conversion import as_tensor
from ....ops.random import seeds


class Registry:
    """Things by their names, each of which is given once."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._registry: dict[str, Any] = {}

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Add one, under its own name where no other is given.

        Raises:
            KeyError: the name is taken.
        """
        key = name or candidate.__name__
        if key in self._registry:
            raise KeyError(f"Registering two {self._name} with name '{key}'!")
        self._registry[key] = candidate

    def list(self) -> KeysView[str]:
        """All names."""
        return self._registry.keys()

    def lookup(self, name: Any) -> Any:
        """What has a name.

        Raises:
            LookupError: nothing.
        """
        key = name.decode() if isinstance(name, bytes) else name
        if key not in self._registry:
            raise LookupError(f"{self._name} registry has no entry for: {key}")
        return self._registry[key]


class classproperty:
    """A property of a class."""

    def __init__(self, func: Callable[..., Any]) -> None:
        self._func = func

    def __get__(self, owner_self: Any, owner_cls: Any) -> Any:
        return self._func(owner_cls)


def get_qualified_name(function: Any) -> str:
    """The name of a function, below that of its class."""
    return getattr(function, "__qualname__", function.__name__).rpartition("<locals>.")[2]


def validate_callable(func: Any, decorator_name: str) -> None:
    """Refuse what is no function.

    Raises:
        ValueError: so it is.
    """
    if not callable(func):
        raise ValueError(
            f"{func} is not a function. If this is a property, make sure @property appears before "
            f"@{decorator_name} in your source code."
        )


def get_json_type(obj: Any) -> Any:
    """What stands for an object in JSON.

    Raises:
        TypeError: nothing does.
    """
    if hasattr(obj, "get_config"):
        return {"class_name": obj.__class__.__name__, "config": obj.get_config()}
    if hasattr(obj, "tolist"):
        return obj.tolist()
    if isinstance(obj, DType):
        return obj.name
    if isinstance(obj, TensorShape):
        return obj.as_list()
    if callable(obj):
        return obj.__name__
    raise TypeError(
        f"Object {obj} is not JSON-serializable. You may implement a `get_config()` method on the "
        "class (returning a JSON-serializable dictionary) to make it serializable."
    )


def extract_stack(stacklevel: int = 1) -> list[Any]:
    """Where the program is: frames with `filename`, `lineno`, `name`, `line`."""
    return list(traceback.extract_stack())[: -max(stacklevel, 1)]


def get_seed(seed: int | None) -> tuple[Any, Any]:
    """The two seeds of a dataset, int64 tensors."""
    first, second = seeds.get_seed(seed)
    return as_tensor(first, int64), as_tensor(second, int64)


class StatusError(Exception):
    """What TensorFlow's runtime raises inside: nothing does here."""

    def __init__(self, message: str, code: int, payloads: Any = None) -> None:
        super().__init__()
        self.message = message
        self.code = code
        self.payloads = payloads


class NeedsSlowPath(Exception):
    """What tells TensorFlow's own code to go another way: nothing does here."""
