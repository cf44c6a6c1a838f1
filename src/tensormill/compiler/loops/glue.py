"""Whether a program is glue: what it does itself is little beside the loops and functions it calls.

LLVM's passes and its best code take longest for such functions, since they are long, and nobody
notices that they were improved: a statement takes a nanosecond less, of a call's milliseconds.
"""

from __future__ import annotations

from typing import Final

from ...core.process.named_tuples import NamedTuple
from .costs import known_cost
from .ir import CALL, Choice, For, NativeCall, Program, Repeat, Statement, Together
from .walk import Block, every_part, expressions

# How much longer each part of a statement takes in code that nothing improved, in hundredths of a
# nanosecond, and how many times as long what is called must take.
_PART: Final = 50
_TIMES: Final = 50
# Below so many parts of statements LLVM is as quick with one module as with two.
_MANY: Final = 1000


def is_glue(program: Program) -> bool:
    """Whether a program is long, and glue where all of its loops are functions.

    Loops without a known end are that in each turn, too.
    """
    heavy: list[Repeat] = []
    found = _costs(program.body, heavy)
    return found.own > _MANY * _PART and _is_light(found) and not heavy


class _Costs(NamedTuple):
    """What statements lose themselves, and what all that they call takes."""

    own: int
    called: int


def _is_light(costs: _Costs) -> bool:
    return costs.own * _TIMES <= costs.called


def _costs(block: Block, heavy: list[Repeat]) -> _Costs:
    """Of all of a block; notes the loops in it whose turns are not light."""
    own = called = 0
    for statement in block:
        found = _of_statement(statement, heavy)
        own, called = own + found.own, called + found.called
    return _Costs(own, called)


def _of_statement(statement: Statement, heavy: list[Repeat]) -> _Costs:
    own = _PART * (1 + sum(len(every_part(one)) for one in expressions(statement)))
    if isinstance(statement, For):
        return _Costs(own, known_cost((statement,)))
    if isinstance(statement, NativeCall):
        return _Costs(own, statement.work if statement.work > CALL else 0)
    if isinstance(statement, Repeat):
        turn = _costs((*statement.before, *statement.body), heavy)
        if not _is_light(turn):
            heavy.append(statement)
        return _Costs(own + turn.own, turn.called)
    if isinstance(statement, Together):
        sides = [_costs(side, heavy) for side in statement.sides]
        return _Costs(own + sum(one.own for one in sides), sum(one.called for one in sides))
    if isinstance(statement, Choice):  # one of the two, and nobody knows which
        ways = [_costs(one, heavy) for one in (statement.then, statement.otherwise)]
        return _Costs(own + sum(one.own for one in ways), min(one.called for one in ways))
    return _Costs(own, 0)
