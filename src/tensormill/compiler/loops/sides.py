"""Whether blocks may run at the same time (`Together`), and whether that is worth it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod
from typing import Final

from ...core.process.named_tuples import NamedTuple
from ..native.windows.convolutions import NAMES as CONVOLUTIONS
from .costs import PARALLEL_WORK, cost, known_cost
from .effects import NOTHING, accesses, escaping, given_from_outside, made_by
from .ir import (
    FRAME,
    Apply,
    Buffer,
    Expression,
    For,
    Literal,
    Load,
    Local,
    NativeCall,
    Repeat,
    Set,
    Statement,
    Together,
)
from .passes.simplify import fold
from .walk import Block, every_part, every_statement, expressions

# What calls that are not pure may do at the same time: lists, and the memory that they have, are of
# those who know where they are.
_OF_ONE_SIDE: Final = ("tm_list_", "tm_resize")
_PRODUCTS: Final = ("tm_gemm_", "tm_panels_")
_LARGE: Final = 1 << 26  # multiply-adds, a millisecond of one thread
_MANY: Final = 8
_QUICK: Final = 50_000  # half a microsecond


class _Reach(NamedTuple):
    """What a block has to do with what was there before it."""

    touched: set[Buffer]
    written: set[Buffer]
    read: set[Local]
    changed: set[Local]
    pointers: set[Local]  # to lists, and to memory that grows


def why_not_together(sides: tuple[Block, ...], escape: frozenset[Buffer] = NOTHING) -> str:
    """Why blocks have to run one after the other; nothing where they need not.

    What a pointer from outside leads to is touched by whoever uses the pointer, so that each has to
    be of one side. Elements of what pointers were bound to before are read, and never written; they
    may be those of buffers that `escape`.
    """
    for side in sides:
        for one in every_statement(side):
            if isinstance(one, NativeCall) and not (
                one.pure or one.function.startswith(_OF_ONE_SIDE)
            ):
                return f"{one.function} is called in order"
    found = [_found(side) for side in sides]
    for side in found:
        strange = [one for one in side.written if one.space != "temporary" or one in escape]
        if strange:
            return f"{strange[0].name} is written"
    for a, b in combinations(found, 2):
        common = (a.written & b.touched) | (b.written & a.touched)
        common |= (a.changed & (b.read | b.changed)) | (b.changed & a.read)
        common |= a.pointers & b.pointers
        if common:
            return f"{min(one.name for one in common)} is of more than one side"
    return ""


def _found(side: Block) -> _Reach:
    inside = every_statement(side)
    made = {name for one in inside for name in made_by(one) if not _is_register(name)}
    addressed = escaping(side)
    touched, written = set[Buffer](), set[Buffer]()
    for buffer, many in accesses(side).items():
        if buffer not in made:
            touched.add(buffer)
            if buffer in addressed or any(access.writes for access in many):
                written.add(buffer)
    changed = {one.variable for one in inside if isinstance(one, Set)}
    _, given = given_from_outside(side)
    read = {*given, *_registers_read(inside)}
    pointers = {one for one in read | changed if one.type == "ptr" and one is not FRAME}
    return _Reach(touched, written, read, changed, pointers)


def _registers_read(statements: Sequence[Statement]) -> set[Local]:
    """Registers may be read before the block that sets them does."""
    return {
        part
        for statement in statements
        for expression in expressions(statement)
        for part in every_part(expression)
        if isinstance(part, Local) and part.mutable
    }


def spared_work(together: Together) -> Expression:
    """What all sides but the longest take, roughly, in what is known before them.

    Nothing where turns are quick, and nobody knows how many there are: frames take time.
    """
    total: Expression = Literal(0, "i64")
    most: Expression = Literal(0, "i64")
    for side, turns in zip(together.sides, together.turns, strict=True):
        work = _work_of(side, turns)
        total, most = _of("add", total, work), _of("max", most, work)
    spared = _of("sub", total, most)
    is_quick = any(_turn_of(side) < _QUICK for side in together.sides)
    return Literal(0, "i64") if is_quick and not isinstance(spared, Literal) else spared


def _turn_of(side: Block) -> int:
    """What one turn of all of its loops takes."""
    return sum(known_cost((*one.before, *one.body)) for one in side if isinstance(one, Repeat))


def shares_threads(together: Together) -> bool:
    """Whether what sides do themselves keeps many threads busy: large products, long loops."""
    return any(_is_shared(one) for side in together.sides for one in every_statement(side))


def _is_shared(statement: Statement) -> bool:
    if isinstance(statement, For):
        return statement.parallel and known_cost((statement,)) > _MANY * PARALLEL_WORK
    if not isinstance(statement, NativeCall):
        return False
    if not statement.function.startswith(_PRODUCTS):
        return statement.function.startswith(CONVOLUTIONS)
    sizes = (one.value if isinstance(one, Literal) else 128 for one in statement.arguments[4:7])
    return prod(sizes) > _LARGE


def _work_of(side: Block, turns: Expression) -> Expression:
    made = {name for one in every_statement(side) for name in made_by(one)}

    def is_known(extent: Expression) -> bool:
        return not any(
            isinstance(part, Load) or (isinstance(part, Local) and (part.mutable or part in made))
            for part in every_part(extent)
        )

    work = cost(side, is_known)
    for one in side:
        if isinstance(one, Repeat):
            turn = cost((*one.before, *one.body), is_known)
            work = _of("add", work, _of("mul", turns, turn))
    return work


def _of(function: str, left: Expression, right: Expression) -> Expression:
    return fold(Apply(function, (left, right), "i64"))


def _is_register(name: Buffer | Local) -> bool:
    return isinstance(name, Local) and name.mutable
