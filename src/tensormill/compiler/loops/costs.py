"""Roughly how long statements take, in hundredths of a nanosecond (of one core of about 4 GHz)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .functions import SIMPLE, SIZE, cost_on
from .ir import (
    CALL,
    LONG,
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
    Together,
)
from .passes.simplify import fold
from .walk import Block, blocks, every_part, expressions

_MEMORY: Final = 4
_LOADING: Final = {type_: _MEMORY * max(size // 4, 1) for type_, size in SIZE.items()}
_ITERATION: Final = 10
_UNKNOWN_EXTENT: Final = 16
# Waking a thread takes some microseconds: one thread is quicker below fifty. A block of iterations
# is long enough at ten.
PARALLEL_WORK: Final = 5_000_000
BLOCK_WORK: Final = 1_000_000
# What the arithmetic of one loop may cost: LLVM's time to make vectors of it grows with the square
# (300 tanh in one loop: 1.3 s), and what goes through memory is little beside forty of them.
LOOP_WORK: Final = 2000


def cost(block: Block, is_known: Callable[[Expression], bool]) -> Expression:
    """An i64 expression; extents are part of it where `is_known` allows them outside the block."""
    fixed = 0
    total: Expression = Literal(0, "i64")
    for statement in block:
        if isinstance(statement, For):
            total = fold(Apply("add", (total, _of_loop(statement, is_known)), "i64"))
        elif isinstance(statement, (Choice, Together)):
            for inner in blocks(statement):
                total = fold(Apply("add", (total, cost(inner, is_known)), "i64"))
        else:
            fixed += _of_statement(statement)
    return fold(Apply("add", (total, Literal(fixed, "i64")), "i64"))


def _of_loop(loop: For, is_known: Callable[[Expression], bool]) -> Expression:
    extent = loop.extent if is_known(loop.extent) else _guess(loop.extent)
    body = fold(Apply("add", (cost(loop.body, is_known), Literal(_ITERATION, "i64")), "i64"))
    return fold(Apply("mul", (body, extent), "i64"))


def _guess(extent: Expression) -> Literal:
    """How long a loop may be of which nobody knows: blocks are as long as they can be, but one."""
    match extent:
        case Apply("min", (_, Literal() as most)) | Apply("min", (Literal() as most, _)):
            return most
        case _:
            return Literal(_UNKNOWN_EXTENT, "i64")


def known_cost(block: Block) -> int:
    """The same as a number: a guess where extents are not literals."""
    found = cost(block, lambda extent: isinstance(extent, Literal))
    assert isinstance(found, Literal)
    return int(found.value)


def may_take_longer(statement: Statement) -> bool:
    """Whether a statement may take much longer than its cost says, leaving out those inside."""
    if isinstance(statement, NativeCall):
        return statement.work >= LONG
    return isinstance(statement, For) and not isinstance(statement.extent, Literal)


def arithmetic(statement: Statement) -> int:
    """What the functions of a statement's own expressions cost."""
    return _of_parts(statement)[0]


def _of_parts(statement: Statement) -> tuple[int, int]:
    """What the functions and the loads in a statement's own expressions cost."""
    functions = loads = 0
    for expression in expressions(statement):
        for part in every_part(expression):
            if type(part) is Apply:
                functions += cost_on(part.function, part.type)
            elif type(part) is Load:
                loads += _LOADING[part.buffer.type]
    return functions, loads


def _of_statement(statement: Statement) -> int:
    if isinstance(statement, (NativeCall, Repeat)):
        return statement.work if isinstance(statement, NativeCall) else CALL
    compared = SIMPLE if isinstance(statement, Check) else 0
    stored = _MEMORY if isinstance(statement, Store) else 0
    return compared + stored + sum(_of_parts(statement))
