"""Names by which files know type specs: TensorFlow's `framework.type_spec_registry`."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from .type_spec import TypeSpec

Spec = TypeVar("Spec", bound=type)

_NAME_TO_TYPE_SPEC: dict[str, type[Any]] = {}
_TYPE_SPEC_TO_NAME: dict[type[Any], str] = {}
# Modules of later folders, which register names that begin so.
_REGISTERS = {
    "tf.linalg.": "tensormill.linear_operators.catalogue",
    "tensormill.": "tensormill.ops.extension_type",
}
# TensorFlow's numbers (struct.proto) of specs that files know by their names: those of extension
# types, which say all that there is to know of a value, and others.
OF_EXTENSION_TYPES = 13
OF_REGISTERED_TYPES = 12
# What stands for extension types that nobody has registered.
ANONYMOUS = "tensormill.AnonymousExtensionType"
_NAME = re.compile(r"^(\w+\.)+\w+$")


def register(name: Any) -> Callable[[Spec], Spec]:
    """Decorate a type spec with its name, "package.Name".

    Raises:
        TypeError: it is no text, or what is decorated is no type spec.
        ValueError: it has no package, or one of them is registered already.
    """
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}")
    if not _NAME.match(name):
        raise ValueError(f"Registered name must have the form 'project.Type'; got {name!r}.")

    def decorate(cls: Any) -> Any:
        if not (isinstance(cls, type) and issubclass(cls, TypeSpec)):
            raise TypeError(f"Expected `cls` to be a TypeSpec; got {cls!r}")
        if cls in _TYPE_SPEC_TO_NAME:
            raise ValueError(f"Class {cls.__name__} has already been registered with name "
                             f"{_TYPE_SPEC_TO_NAME[cls]}.")  # fmt: skip
        if name in _NAME_TO_TYPE_SPEC:
            raise ValueError(f"Name {name} has already been registered for class "
                             f"{_NAME_TO_TYPE_SPEC[name].__name__}.")  # fmt: skip
        _TYPE_SPEC_TO_NAME[cls] = name
        _NAME_TO_TYPE_SPEC[name] = cls
        return cls

    return decorate


def is_registered(cls: type[Any]) -> bool:
    """Whether a type spec has a name."""
    return cls in _TYPE_SPEC_TO_NAME


def get_name(cls: Any) -> str:
    """The name of a type spec.

    Raises:
        TypeError: it is none.
        ValueError: it has none.
    """
    if not (isinstance(cls, type) and issubclass(cls, TypeSpec)):
        raise TypeError(f"Expected `cls` to be a TypeSpec; got {cls!r}")
    if cls not in _TYPE_SPEC_TO_NAME:
        raise ValueError(f"TypeSpec {cls.__module__}.{cls.__name__} has not been registered.")
    return _TYPE_SPEC_TO_NAME[cls]


def lookup(name: Any) -> type[Any]:
    """The type spec of this name.

    Raises:
        TypeError: it is no text.
        ValueError: there is none.
    """
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}")
    for beginning, module in _REGISTERS.items():
        if name.startswith(beginning):
            import_module(module)
    if name not in _NAME_TO_TYPE_SPEC:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}")
    return _NAME_TO_TYPE_SPEC[name]
