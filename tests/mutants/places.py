"""Where a line stands: the lines of its statement, and those of the function's body around it."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """The lines that run with a line, and the function in which it does."""

    statement: range
    function: range | None  # None: it runs when the module is imported


def place_of(line: int, source: bytes) -> Place:
    statement, function = range(line, line + 1), None
    for node in ast.walk(ast.parse(source)):  # from the outside to the inside
        if isinstance(node, ast.stmt) and line in _own_lines(node):
            statement = _own_lines(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and line in _body(node):
            function = _body(node)
    return Place(statement, function)


def _own_lines(statement: ast.stmt) -> range:
    """Without those of the statements in it."""
    assert statement.end_lineno is not None
    inside = [one for one in ast.iter_child_nodes(statement) if isinstance(one, ast.stmt)]
    end = inside[0].lineno if inside else statement.end_lineno + 1
    return range(statement.lineno, max(end, statement.lineno + 1))


def _body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> range:
    assert function.end_lineno is not None
    return range(function.body[0].lineno, function.end_lineno + 1)
