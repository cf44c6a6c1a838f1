"""Roughly how long statements take, in hundredths of a nanosecond (of one core of about 4 GHz)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .functions import KIND, SIZE
from .ir import (
    Apply,
    Check,
    Choice,
    Expression,
    For,
    Literal,
    Load,
    NativeCall,
    Repeat,
    Statement,
    Store,
)
from .passes.simplify import fold
from .walk import Block, every_part, expressions

# Measured on vectors of sixteen floats.
_FUNCTIONS: Final = {
    "div": 20, "sqrt": 25, "rsqrt": 40, "reciprocal": 20, "exp": 25, "expm1": 40, "log": 40,
    "log1p": 50, "tanh": 50, "sigmoid": 50, "erf": 50, "erfc": 80, "pow": 120, "sin": 60,
    "cos": 60, "tan": 80, "asin": 60, "acos": 60, "atan": 60, "atan2": 80, "sinh": 80, "cosh": 80,
    "asinh": 80, "acosh": 80, "atanh": 80, "lgamma": 300, "digamma": 300, "floor_divide": 100,
    "floor_modulo": 100, "truncate_divide": 100, "truncate_modulo": 100,
}  # fmt: skip
_MEMORY: Final = 4
_SIMPLE: Final = 2
_ITERATION: Final = 10
_UNKNOWN_EXTENT: Final = 16
_UNKNOWN_STATEMENT: Final = 10_000
# Waking a thread takes some microseconds: one thread is quicker below fifty. A block of iterations
# is long enough at ten.
PARALLEL_WORK: Final = 5_000_000
BLOCK_WORK: Final = 1_000_000


def cost(block: Block, is_known: Callable[[Expression], bool]) -> Expression:
    """An i64 expression; extents are part of it where `is_known` allows them outside the block."""
    fixed = 0
    total: Expression = Literal(0, "i64")
    for statement in block:
        if isinstance(statement, For):
            total = fold(Apply("add", (total, _of_loop(statement, is_known)), "i64"))
        elif isinstance(statement, Choice):
            for inner in (statement.then, statement.otherwise):
                total = fold(Apply("add", (total, cost(inner, is_known)), "i64"))
        else:
            fixed += _of_statement(statement)
    return fold(Apply("add", (total, Literal(fixed, "i64")), "i64"))


def _of_loop(loop: For, is_known: Callable[[Expression], bool]) -> Expression:
    extent = loop.extent if is_known(loop.extent) else Literal(_UNKNOWN_EXTENT, "i64")
    body = fold(Apply("add", (cost(loop.body, is_known), Literal(_ITERATION, "i64")), "i64"))
    return fold(Apply("mul", (body, extent), "i64"))


def arithmetic(statement: Statement) -> int:
    """What the functions of a statement's own expressions cost."""
    return sum(
        _of_function(part)
        for expression in expressions(statement)
        for part in every_part(expression)
        if isinstance(part, Apply)
    )


def _of_statement(statement: Statement) -> int:
    if isinstance(statement, (NativeCall, Check, Repeat)):
        return _UNKNOWN_STATEMENT
    stored = _MEMORY if isinstance(statement, Store) else 0
    loaded = sum(
        _MEMORY * max(SIZE[part.type] // 4, 1)
        for expression in expressions(statement)
        for part in every_part(expression)
        if isinstance(part, Load)
    )
    return stored + loaded + arithmetic(statement)


def _of_function(part: Apply) -> int:
    if part.type in ("i64", "bool"):
        return 0
    wide = 2 if SIZE[part.type] == 8 else 1
    return _FUNCTIONS.get(part.function, _SIMPLE) * (4 if KIND[part.type] == "c" else wide)
