"""Where control leaves a block other than at its end."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .activity import every_statement, inner_blocks

_LOOPS = (ast.For, ast.While)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_JUMPS = (ast.Return, ast.Break, ast.Continue, ast.Raise)


def holds_return(block: list[ast.stmt]) -> bool:
    return any(isinstance(statement, ast.Return) for statement in every_statement(block))


def holds_jump(kind: type[ast.Break | ast.Continue], block: list[ast.stmt]) -> bool:
    """Whether a `break` or `continue` of the loop around the block stands in it."""
    return any(isinstance(statement, kind) for statement in _same_loop(block))


def holds_any_jump(block: list[ast.stmt]) -> bool:
    """Whether `return`, `break` or `continue` may leave the block."""
    return holds_return(block) or holds_jump(ast.Break, block) or holds_jump(ast.Continue, block)


def _same_loop(block: list[ast.stmt]) -> Iterable[ast.stmt]:
    for statement in block:
        yield statement
        if isinstance(statement, _DEFINITIONS):
            continue
        if isinstance(statement, _LOOPS):
            yield from _same_loop(statement.orelse)
            continue
        for inner in inner_blocks(statement):
            yield from _same_loop(inner)


def always_jumps(block: list[ast.stmt], with_swallows: bool = False) -> bool:
    """Whether the end of a block can never be reached.

    `with_swallows`: a context manager may swallow an exception, so that what is behind it runs.
    """
    return any(_leaves(statement, _JUMPS, with_swallows) for statement in block)


def always_returns(block: list[ast.stmt]) -> bool:
    """Whether every way through a block ends in `return` or `raise`."""
    return any(_leaves(statement, (ast.Return, ast.Raise)) for statement in block)


def _leaves(
    statement: ast.stmt, kinds: tuple[type[ast.stmt], ...], with_swallows: bool = False
) -> bool:
    def always(block: list[ast.stmt]) -> bool:
        return any(_leaves(inner, kinds, with_swallows) for inner in block)

    match statement:
        case ast.If():
            return always(statement.body) and always(statement.orelse)
        case ast.With():
            return not with_swallows and always(statement.body)
        case ast.Try():
            handled = all(always(handler.body) for handler in statement.handlers)
            ended = always(statement.body) or always(statement.orelse)
            return always(statement.finalbody) or (handled and ended)
        case ast.While(ast.Constant(value)) if value:
            return not holds_jump(ast.Break, statement.body)
        case _:
            return isinstance(statement, kinds)
