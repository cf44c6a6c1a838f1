"""What cannot be converted, found before anything is changed.

Few things are left: a jump out of a `finally` block throws a pending exception away, which an
assignment to a flag does not. Generators and coroutines are not refused, they stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tensormill.autograph.analysis.activity import every_statement
from tensormill.autograph.analysis.jumps import holds_jump, holds_return
from tensormill.autograph.errors import ConversionError

from .context import Function


def convert(function: Function) -> None:
    for statement in every_statement(function.body):
        if isinstance(statement, ast.Try) and _is_left_early(statement.finalbody):
            raise ConversionError(
                f"line {statement.finalbody[0].lineno}: a `finally` block may not end in "
                "`return`, `break` or `continue`; move it behind the `try` statement"
            )


def _is_left_early(block: list[ast.stmt]) -> bool:
    return holds_return(block) or holds_jump(ast.Break, block) or holds_jump(ast.Continue, block)


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
