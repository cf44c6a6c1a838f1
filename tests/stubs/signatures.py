"""Functions as a stub declares them: parameters, annotations, defaults and the docstring."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import inspect
import textwrap
import typing
from collections.abc import Callable
from typing import Any

PARAMETER = inspect.Parameter
QUOTES = '"""'
INDENT = " " * 4


class Written:
    """Declarations of one stub, and the names that they use."""

    def __init__(self, dots: str) -> None:
        self._dots = dots
        self._imports: set[str] = set()

    def function(
        self, name: str, function: Callable[..., Any], makes_a_tensor: bool = False
    ) -> str:
        """The declaration of a function under a public name, with its docstring."""
        known = getattr(inspect.unwrap(function), "__globals__", {})
        signature = inspect.signature(function)
        if makes_a_tensor and signature.return_annotation in ("Any", signature.empty):
            result = self._spoken("tensormill.eager.tensor", "Tensor")
        else:
            result = self._annotation(signature.return_annotation, known)
        head = self._head(name, signature, known, result)
        if not function.__doc__:
            return f"{head} ..."
        text = inspect.cleandoc(function.__doc__).replace("\\", "\\\\").replace(QUOTES, r"\"\"\"")
        return f"{head}\n{textwrap.indent(QUOTES + text + QUOTES, INDENT)}\n"

    def head(self, name: str, signature: inspect.Signature, known: dict[str, Any]) -> str:
        """`def name(...) -> ...:`, whose annotations are names of the module that has `known`."""
        return self._head(
            name, signature, known, self._annotation(signature.return_annotation, known)
        )

    def _head(
        self, name: str, signature: inspect.Signature, known: dict[str, Any], result: str
    ) -> str:
        parameters = ", ".join(self._parameters(signature, known))
        return f"def {name}({parameters}) -> {result}:"

    def imports(self) -> list[str]:
        return sorted(self._imports)

    def _parameters(self, signature: inspect.Signature, known: dict[str, Any]) -> list[str]:
        listed: list[str] = []
        starred = False
        for parameter in signature.parameters.values():
            if parameter.kind is PARAMETER.KEYWORD_ONLY and not starred:
                listed.append("*")
            starred |= parameter.kind in (PARAMETER.KEYWORD_ONLY, PARAMETER.VAR_POSITIONAL)
            listed.append(self._parameter(parameter, known))
        return listed

    def _parameter(self, parameter: inspect.Parameter, known: dict[str, Any]) -> str:
        stars: dict[Any, str] = {PARAMETER.VAR_POSITIONAL: "*", PARAMETER.VAR_KEYWORD: "**"}
        annotation = self._annotation(parameter.annotation, known)
        spoken = f"{stars.get(parameter.kind, '')}{parameter.name}: {annotation}"
        if parameter.default is PARAMETER.empty:
            return spoken
        return f"{spoken} = {_default(parameter.default)}"

    def _annotation(self, annotation: Any, known: dict[str, Any]) -> str:
        """An annotation of the source, where all its names can be imported; else `Any`."""
        if isinstance(annotation, str):
            tree = ast.parse(annotation, mode="eval")
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            found = {name: home_of(name, known) for name in used}
            homes = {name: home for name, home in found.items() if home is not None}
            if homes.keys() == used:
                spoken = {name: self._spoken(*home) for name, home in homes.items()}
                return ast.unparse(Qualified(spoken).visit(tree))
        return self._spoken("typing", "Any")

    def _spoken(self, module: str, name: str) -> str:
        """What this stub calls a name of a module: public names may hide the name itself."""
        package, _, rest = module.partition(".")
        place = f"{self._dots}{rest}" if package == "tensormill" else module
        self._imports.add(f"from {place} import {name} as _{name}")
        return f"_{name}"


class Qualified(ast.NodeTransformer):
    """Replaces the names of an expression."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names[node.id], node.ctx)


def home_of(name: str, known: dict[str, Any]) -> tuple[str, str] | None:
    """A module that has a name of an annotation, and its name there; None if it is not known.

    A class is taken from the module that uses it: which one its `__module__` names may change
    (under `import tensorflow`, public classes say TensorFlow's).
    """
    value = known.get(name)
    if value is None:
        return ("builtins", name) if hasattr(builtins, name) else None
    for module in (typing, collections.abc):
        if getattr(module, name, None) is value:
            return module.__name__, name
    return (known["__name__"], name) if isinstance(value, type) else None


def _default(value: Any) -> str:
    if value is None or isinstance(value, bool | int | str | bytes):
        return repr(value)
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return repr(value)
    return "..."
