"""Whether a program is worth giving up Python's lock for."""

from __future__ import annotations

from .loops.ir import Choice, For, Literal, NativeCall, Program, Repeat, Statement
from .native.convolutions import PREFIXES

# Element operations below which a call is over before another thread could start (about 10 us).
SHORT = 50_000


def is_long(program: Program) -> bool:
    """Whether it may run for longer than some microseconds: loops without a known end do."""
    return _weight(program.body) > SHORT


def _weight(statements: tuple[Statement, ...]) -> int:
    return sum(_one(statement) for statement in statements)


def _one(statement: Statement) -> int:
    match statement:
        case For(extent=extent, body=body):
            times = int(extent.value) if isinstance(extent, Literal) else SHORT
            return times * _weight(body)
        case Repeat():
            return SHORT + 1
        case NativeCall(function=function) if function.startswith(("tm_gemm_", *PREFIXES)):
            return SHORT + 1
        case Choice(then=then, otherwise=otherwise):
            return 1 + max(_weight(then), _weight(otherwise))
        case _:
            return 1
