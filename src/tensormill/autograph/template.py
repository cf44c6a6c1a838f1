"""Code written as quoted Python with holes, so that what a converter makes can be read.

    GUARD = Template('''
    if not flag:
        rest
    ''')
    GUARD.statements(at, flag="done", rest=[...])

A hole is a name of the snippet that is given a value:

* a string renames (variables, functions, parameters, attributes, `nonlocal` lists);
* an expression node stands in for the name;
* a list of statements takes the place of a line that is only the hole;
* a list of strings in `nonlocal hole` or `global hole` (an empty one drops the line), and of
  expression nodes in the place of a starred hole (`call(*hole)`), spreads.

Every node made gets the position of `at`, the user's statement it stands for; inserted nodes keep
their own. So the compiled code carries the user's lines and columns.
"""

from __future__ import annotations

import ast
import textwrap
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)

Filling = str | ast.expr | list[Any]


def position_of(at: Any) -> dict[str, int]:
    """Where code stands that stands for `at`: on its first line, or its head's.

    Python reports a call that spans several lines at the last one.
    """
    line, column = at.lineno, at.col_offset
    head: Any = getattr(at, "test", None) or getattr(at, "iter", None)
    end: Any = head if isinstance(at, ast.stmt) and head is not None else at
    end_column = end.end_col_offset if end.end_lineno == line else column + 1
    return {"lineno": line, "col_offset": column, "end_lineno": line, "end_col_offset": end_column}


def placed(node: Node, at: ast.AST) -> Node:
    """The node, put where `at` stands."""
    for field, value in position_of(at).items():
        setattr(node, field, value)
    return node


class Template:
    """A snippet, parsed once."""

    def __init__(self, snippet: str) -> None:
        self.body = ast.parse(textwrap.dedent(snippet)).body

    def statements(self, at: ast.AST, **fillings: Filling) -> list[ast.stmt]:
        """The snippet's statements, at the position of `at`."""
        return _Expansion(at, fillings).block(self.body)

    def statement(self, at: ast.AST, **fillings: Filling) -> ast.stmt:
        (made,) = self.statements(at, **fillings)
        return made

    def expression(self, at: ast.AST, **fillings: Filling) -> ast.expr:
        """The snippet is one expression."""
        (line,) = self.body
        assert isinstance(line, ast.Expr)
        return _Expansion(at, fillings).node(line.value)


class _Expansion:
    """One copy of a snippet."""

    def __init__(self, at: ast.AST, fillings: dict[str, Filling]) -> None:
        self.fillings = fillings
        self.position = position_of(at)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            made += self.spread(statement)
        return made

    def spread(self, statement: ast.stmt) -> list[ast.stmt]:
        match statement:
            case ast.Expr(ast.Name(name)) if (filling := self.spreads(name)) is not None:
                return list(filling)
            case ast.Nonlocal() | ast.Global():
                names = [new for old in statement.names for new in self.names(old)]
                return [type(statement)(names, **self.position)] if names else []
            case _:
                return [self.node(statement)]

    def spreads(self, name: str) -> list[Any] | None:
        """The list that fills a hole, or None for a hole of one thing."""
        filling = self.fillings.get(name)
        return filling if isinstance(filling, list) else None

    def names(self, name: str) -> list[str]:
        filling = self.spreads(name)
        return [self.renamed(name)] if filling is None else filling

    def node(self, node: Any) -> Any:
        if isinstance(node, ast.Name):
            return self.name(node)
        made = type(node)(**{field: self.field(value) for field, value in ast.iter_fields(node)})
        if isinstance(node, ast.FunctionDef | ast.ExceptHandler):
            made.name = node.name and self.renamed(node.name)
        elif isinstance(node, ast.Attribute):
            made.attr = self.renamed(node.attr)
        elif isinstance(node, ast.arg):
            made.arg = self.renamed(node.arg)
        return self.placed(made)

    def name(self, node: ast.Name) -> ast.expr:
        filling = self.fillings.get(node.id)
        if isinstance(filling, ast.expr):
            return filling
        return ast.Name(self.renamed(node.id), node.ctx, **self.position)

    def placed(self, made: Any) -> Any:
        if "lineno" in made._attributes:
            for field, value in self.position.items():
                setattr(made, field, value)
        return made

    def renamed(self, name: str) -> str:
        filling = self.fillings.get(name, name)
        return filling if isinstance(filling, str) else name

    def field(self, value: Any) -> Any:
        if isinstance(value, list):
            return self.items(value)
        return self.node(value) if isinstance(value, ast.AST) else value

    def items(self, values: list[Any]) -> list[Any]:
        if values and isinstance(values[0], ast.stmt):
            return self.block(values) or [ast.Pass(**self.position)]
        made: list[Any] = []
        for value in values:
            match value:
                case ast.Starred(ast.Name(name)) if (filling := self.spreads(name)) is not None:
                    made += filling
                case _:
                    made.append(self.field(value))
        return made
