"""The traversal behind `expressions.py`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Set
from typing import Any

from ..template import Template, placed
from .context import Conversion

NO_VALUE = Template("ag__.NO_VALUE")
_LEAVES = frozenset(
    {ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del, ast.Nonlocal, ast.Global}
)


class ExpressionWalk:
    """Converts expressions in place. `first_parameter` is what `super()` is about.

    `variables` are those that the function may bind.
    """

    def __init__(
        self,
        conversion: Conversion,
        converters: Mapping[type[ast.AST], Callable[[Any, ExpressionWalk], ast.AST]],
        first_parameter: str | None,
        variables: Set[str] = frozenset(),
    ) -> None:
        self.conversion = conversion
        self.first_parameter = first_parameter
        self.variables = variables
        # Whether a `:=` here must bind in a scope around a lambda that a converter made.
        self.postponed = False
        self._converters = converters

    def now(self, node: Any) -> Any:
        """Convert a node that is evaluated where it stands."""
        kind = type(node)
        if kind in _LEAVES:
            return node
        if (converter := self._converters.get(kind)) is not None:
            return converter(node, self)
        if kind is ast.Lambda:
            return self._convert_lambda(node)
        if kind is ast.FunctionDef:
            return self._convert_definition(node)
        if kind is ast.ClassDef or kind is ast.AsyncFunctionDef:
            return node
        return self.inside(node)

    def later(self, node: ast.expr) -> ast.Lambda:
        """Convert an expression that the runtime evaluates only when it needs the value."""
        return self.conversion.lazily(self._when(node, is_postponed=True))

    def _when(self, node: Any, is_postponed: bool) -> Any:
        """Convert a node that is, or is not, evaluated by a lambda that a converter made."""
        above, self.postponed = self.postponed, is_postponed
        made = self.now(node)
        self.postponed = above
        return made

    def inside(self, node: Any) -> Any:
        """Convert the children of a node."""
        for field in node._fields:
            value = getattr(node, field)
            if isinstance(value, list):
                if value:
                    value[:] = [self.now(one) if isinstance(one, ast.AST) else one for one in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.now(value))
        return node

    def _convert_lambda(self, node: ast.Lambda) -> ast.Lambda:
        if node in self.conversion.lazy:
            node.body = self._when(node.body, is_postponed=True)
            return node
        self._convert_defaults(node.args)
        bound = _bound_in(node.body)
        node.body = self._when(node.body, is_postponed=False)
        return _owning(node, bound) if bound else node

    def _convert_definition(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._convert_defaults(node.args)
        if node not in self.conversion.finished:  # made by a converter: part of this function
            node.body = [self.now(statement) for statement in node.body]
        return node

    def _convert_defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = [self.now(default) for default in arguments.defaults]
        arguments.kw_defaults = [default and self.now(default) for default in arguments.kw_defaults]


def _bound_in(body: ast.expr) -> list[str]:
    """The names that `:=` binds in a lambda."""
    bound: dict[str, None] = {}
    pending: list[ast.AST] = [body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.NamedExpr):
            bound[node.target.id] = None
        if not isinstance(node, ast.Lambda):
            pending += ast.iter_child_nodes(node)
    return list(bound)


def _owning(node: ast.Lambda, bound: list[str]) -> ast.Lambda:
    """`lambda x: (y := x) and y` → `lambda x: (lambda y: …)(ag__.NO_VALUE)`.

    So `y` is a variable that the runtime can store into from inside of a lambda of its own.
    """
    arguments = node.args
    own = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    owned = [placed(ast.arg(name), node) for name in bound]
    inner = placed(ast.Lambda(ast.arguments([], owned, None, [], [], None, []), node.body), node)
    values = [
        placed(ast.Name(name, ast.Load()), node) if name in own else NO_VALUE.expression(node)
        for name in bound
    ]
    node.body = placed(ast.Call(inner, values, []), node)
    return node
