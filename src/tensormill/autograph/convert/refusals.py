"""What cannot be converted, found before anything is changed.

Few things are left: a jump out of a `finally` block may take the place of a jump out of its `try`,
which one assignment to a flag does not to another. Generators and coroutines are not refused, they
stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ..analysis.activity import every_statement
from ..analysis.jumps import holds_any_jump
from ..errors import ConversionError
from .context import ConvertedFunction


def refuse_double_exits(function: ConvertedFunction) -> None:
    for statement in every_statement(function.body):
        if isinstance(statement, ast.Try) and _leaves_twice(statement):
            raise ConversionError(
                f"line {statement.finalbody[0].lineno}: `return`, `break` and `continue` may leave "
                "a `finally` block or its `try`, not both; move those of the `finally` block "
                "behind the `try` statement"
            )


def _leaves_twice(statement: ast.Try) -> bool:
    if not holds_any_jump(statement.finalbody):
        return False
    handlers = [one for handler in statement.handlers for one in handler.body]
    return holds_any_jump([*statement.body, *handlers, *statement.orelse])


_SUSPENDS = (ast.Yield, ast.YieldFrom, ast.Await)


def suspends(function: ast.FunctionDef) -> bool:
    """Whether a function is a generator: it runs as written."""
    return any(isinstance(node, _SUSPENDS) for node in _own_nodes(function.body))


def _own_nodes(nodes: Iterable[ast.AST]) -> Iterable[ast.AST]:
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        yield node
        yield from _own_nodes(ast.iter_child_nodes(node))
