"""The traversal behind `expressions.py`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from .context import Conversion

_LEAVES = frozenset(
    {ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del, ast.Nonlocal, ast.Global}
)


class Walk:
    """Converts expressions in place. `first_parameter` is what `super()` is about."""

    def __init__(
        self,
        conversion: Conversion,
        converters: Mapping[type[ast.AST], Callable[[Any, Walk], ast.AST]],
        first_parameter: str | None,
    ) -> None:
        self.conversion = conversion
        self.first_parameter = first_parameter
        # Whether a `:=` here must bind in a scope around a lambda that a converter made.
        self.postponed = False
        # In a user's lambda that has a `:=` of its own: nothing may be postponed.
        self.in_order = False
        self._converters = converters

    def now(self, node: Any) -> Any:
        """Convert a node that is evaluated where it stands."""
        kind = type(node)
        if kind in _LEAVES:
            return node
        if (converter := self._converters.get(kind)) is not None:
            return converter(node, self)
        if kind is ast.Lambda:
            return self._lambda(node)
        if kind is ast.FunctionDef:
            return self._definition(node)
        if kind is ast.ClassDef or kind is ast.AsyncFunctionDef:
            return node
        return self.inside(node)

    def later(self, node: ast.expr) -> ast.Lambda:
        """Convert an expression that the runtime evaluates only when it needs the value."""
        above, self.postponed = self.postponed, True
        made = self.conversion.lazily(self.now(node))
        self.postponed = above
        return made

    def inside(self, node: Any) -> Any:
        """Convert the children of a node."""
        for field in node._fields:
            value = getattr(node, field)
            if isinstance(value, list):
                if value:
                    value[:] = [self.now(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.now(value))
        return node

    def _lambda(self, node: ast.Lambda) -> ast.Lambda:
        if node in self.conversion.lazy:
            above, self.postponed = self.postponed, True
            node.body = self.now(node.body)
            self.postponed = above
            return node
        self._defaults(node.args)
        outside = self.postponed, self.in_order
        self.postponed, self.in_order = False, _binds(node.body)
        node.body = self.now(node.body)
        self.postponed, self.in_order = outside
        return node

    def _definition(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._defaults(node.args)
        if node not in self.conversion.finished:  # made by a converter: part of this function
            node.body = [self.now(statement) for statement in node.body]
        return node

    def _defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = [self.now(default) for default in arguments.defaults]
        arguments.kw_defaults = [default and self.now(default) for default in arguments.kw_defaults]


def _binds(body: ast.expr) -> bool:
    return any(isinstance(node, ast.NamedExpr) for node in ast.walk(body))
