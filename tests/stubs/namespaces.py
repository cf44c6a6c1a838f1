"""The stub of each public namespace, as text.

A namespace is a table (`api/lazy.py`): at run time its names are found when they are first asked
for, so nothing that only reads the source can see them. A stub says them: what the source defines
by `def` or `class` is imported from there, with its annotations and its docstring; of functions
that the library makes (`multiply = binary(Multiply, ...)`) the stub repeats the signature.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import tensormill
from tensormill import api
from tensormill.api.lazy import places

from .signatures import Written

ROOT = Path(__file__).parents[2]
PACKAGE = Path(tensormill.__file__).parent
NOTICE = "# Written by `make stubs` from the table beside it."


def stubs() -> dict[Path, str]:
    """Every stub's text, under its path in the repository."""
    modules = [_module(f"api.{found.name}") for found in pkgutil.iter_modules(api.__path__)]
    written = {
        _path(module): _namespace(module)
        for module in modules
        if hasattr(module, "TABLE") and module.__name__ != "tensormill.api.top"
    }
    return written | {
        PACKAGE.relative_to(ROOT) / "__init__.pyi": _package(_module("api.top")),
        _path(_module("api.raw_ops")): _raw_operations(),
    }


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"tensormill.{name}")


def _path(module: ModuleType) -> Path:
    return Path(str(module.__file__)).with_suffix(".pyi").relative_to(ROOT)


def _package(top: Any) -> str:
    """The stub of the package: what its namespace `top` has, and Keras where it is installed."""
    lines = Lines(top, dots=".")
    for name in top.KERAS["compat.keras"].split():
        lines.imports.append(
            "import keras as keras" if name == "keras" else f"from keras import {name} as {name}"
        )
    lines.imports.append("__version__: str")
    return lines.text(str(tensormill.__doc__))


def _namespace(module: ModuleType) -> str:
    return Lines(module, dots="..").text(str(module.__doc__))


def _raw_operations() -> str:
    module = _module("api.raw_ops")
    written = Written("..")
    functions = [
        f"{written.head(name, inspect.signature(getattr(module, name)), {})} ..."
        for name in dir(module)
    ]
    return _joined(str(module.__doc__), [], written, functions, [])


class Lines:
    """What a stub consists of."""

    def __init__(self, module: Any, dots: str) -> None:
        self.imports: list[str] = []
        self.functions: list[str] = []
        self.names: list[str] = []
        self._dots = dots
        self._written = Written(dots)
        for public, (place, inner) in sorted(places(module.TABLE).items()):
            self.names.append(public)
            self._add(public, place, inner)

    def text(self, documentation: str) -> str:
        return _joined(documentation, self.imports, self._written, self.functions, self.names)

    def _add(self, public: str, place: str, inner: str) -> None:
        if not place:
            beside = ".api" if self._dots == "." else "."
            self.imports.append(f"from {beside} import {inner} as {public}")
            return
        value = getattr(_module(place), inner)
        if inspect.isfunction(value) and inner not in defined(place):
            self.functions.append(self._written.function(public, value, makes_a_tensor(value)))
        else:
            self.imports.append(f"from {self._dots}{place} import {inner} as {public}")


def makes_a_tensor(function: Any) -> bool:
    """Whether a function that the library makes is an operation: these have one output each.

    Of a composite (a RaggedTensor) it makes a composite, as operators do: a type checker is told of
    tensors, whose class allows it every attribute.
    """
    return function.__module__.startswith("tensormill.ops.")


@cache
def defined(place: str) -> frozenset[str]:
    """The names that a module defines in words which a reader of the source understands."""
    tree = ast.parse(Path(str(_module(place).__file__)).read_text())
    return frozenset(_defined(tree.body))


def _defined(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield statement.name


def _joined(
    documentation: str,
    imports: list[str],
    written: Written,
    functions: list[str],
    names: list[str],
) -> str:
    heads = [NOTICE, "", f'"""{documentation.strip()}"""', "", *written.imports(), *imports]
    listed = ["", f"__all__ = {sorted(names)!r}"] if names else []
    return "\n".join([*heads, *listed, "", *functions]).rstrip() + "\n"
