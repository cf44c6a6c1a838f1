"""Roughly how long statements take, in tenths of a nanosecond (of one core of about 4 GHz)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .functions import KIND, SIZE
from .ir import Apply, Call, Check, Constant, Expression, For, If, Load, Statement, Store, While
from .simplify import fold
from .walk import Block, every_part, expressions

# Vectors of eight floats are what most processors have.
_FUNCTIONS: Final = {
    "div": 3, "sqrt": 3, "rsqrt": 5, "reciprocal": 3, "exp": 5, "expm1": 7, "log": 6, "log1p": 8,
    "tanh": 7, "sigmoid": 7, "erf": 8, "erfc": 10, "pow": 16, "sin": 8, "cos": 8, "tan": 10,
    "asin": 8, "acos": 8, "atan": 8, "atan2": 12, "sinh": 10, "cosh": 10, "asinh": 10,
    "acosh": 10, "atanh": 10, "lgamma": 40, "digamma": 40, "floor_divide": 10,
    "floor_modulo": 10, "truncate_divide": 10, "truncate_modulo": 10,
}  # fmt: skip
_MEMORY: Final = 1
_UNKNOWN_EXTENT: Final = 16
_UNKNOWN_STATEMENT: Final = 1000


def cost(block: Block, is_known: Callable[[Expression], bool]) -> Expression:
    """An i64 expression; extents are part of it where `is_known` allows them outside the block."""
    fixed = 0
    total: Expression = Constant(0, "i64")
    for statement in block:
        if isinstance(statement, For):
            total = fold(Apply("add", (total, _of_loop(statement, is_known)), "i64"))
        elif isinstance(statement, If):
            for inner in (statement.then, statement.otherwise):
                total = fold(Apply("add", (total, cost(inner, is_known)), "i64"))
        else:
            fixed += _of_statement(statement)
    return fold(Apply("add", (total, Constant(fixed, "i64")), "i64"))


def _of_loop(loop: For, is_known: Callable[[Expression], bool]) -> Expression:
    extent = loop.extent if is_known(loop.extent) else Constant(_UNKNOWN_EXTENT, "i64")
    body = fold(Apply("add", (cost(loop.body, is_known), Constant(_MEMORY, "i64")), "i64"))
    return fold(Apply("mul", (body, extent), "i64"))


def _of_statement(statement: Statement) -> int:
    if isinstance(statement, (Call, Check, While)):
        return _UNKNOWN_STATEMENT
    stored = _MEMORY if isinstance(statement, Store) else 0
    return stored + sum(
        _of_part(part) for expression in expressions(statement) for part in every_part(expression)
    )


def _of_part(part: Expression) -> int:
    if isinstance(part, Load):
        return _MEMORY * max(SIZE[part.type] // 4, 1)
    if not isinstance(part, Apply) or part.type in ("i64", "bool"):
        return 0
    wide = 2 if SIZE[part.type] == 8 else 1
    return _FUNCTIONS.get(part.function, 1) * (4 if KIND[part.type] == "c" else wide)
