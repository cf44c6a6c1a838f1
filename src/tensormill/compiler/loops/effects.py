"""What statements touch, and when they may change places."""

from __future__ import annotations

from dataclasses import dataclass

from .ir import (
    FRAME,
    Address,
    Allocate,
    Bind,
    Buffer,
    Call,
    Check,
    Expression,
    For,
    Let,
    Load,
    Set,
    Statement,
    Store,
    Variable,
    While,
)
from .ranges import is_inside
from .walk import Block, blocks, every_part, every_statement, expressions, named_buffers

NOTHING: frozenset[Buffer] = frozenset()


@dataclass(frozen=True, slots=True)
class Effects:
    """What a statement, with all that is inside it, touches.

    reads, writes: buffers. uses, defines: variables. leaves: it may end the program. acts: it does
    something outside that nobody can undo (a call that is not pure). pointed: it touches
    memory that pointer buffers may lie on, or moves pointer buffers.
    """

    reads: frozenset[Buffer]
    writes: frozenset[Buffer]
    uses: frozenset[Variable]
    defines: frozenset[Variable]
    leaves: bool
    acts: bool
    pointed: bool
    trusting: bool

    @property
    def touches(self) -> frozenset[Buffer]:
        """Buffers read or written."""
        return self.reads | self.writes


class Summaries:
    """The effects of statements, each found once; `escape`: buffers whose address is taken."""

    def __init__(self, escape: frozenset[Buffer] = NOTHING) -> None:
        self._known: dict[Statement, Effects] = {}
        self._extents: dict[Variable, Expression] = {}  # of all loops met so far
        self._escape = escape

    def of(self, statement: Statement) -> Effects:
        if (known := self._known.get(statement)) is None:
            known = self._found(statement)
            self._known[statement] = known
        return known

    def _found(self, statement: Statement) -> Effects:
        if isinstance(statement, For):
            self._extents[statement.index] = statement.extent
        reads, uses, addressed = _in_expressions(statement)
        writes, defines = set[Buffer](), set[Variable]()
        match statement:
            case Let(variable) | Set(variable):
                defines.add(variable)
            case Store(buffer) | Allocate(buffer) | Bind(buffer):
                writes.add(buffer)
            case Call():
                reads |= set(statement.reads)
                writes |= set(statement.writes)
                if statement.result is not None:
                    defines.add(statement.result)
            case For(index):
                defines.add(index)
            case _:
                pass
        acts = isinstance(statement, Call) and not statement.pure
        pointed = acts or isinstance(statement, Bind) or addressed
        pointed |= not self._escape.isdisjoint(reads | writes)
        leaves = isinstance(statement, Check)
        trusting = isinstance(statement, Call) or not self._are_inside(statement)
        for block in blocks(statement):
            for inner in map(self.of, block):
                reads |= inner.reads
                writes |= inner.writes
                uses |= inner.uses
                defines |= inner.defines
                leaves |= inner.leaves
                acts |= inner.acts
                pointed |= inner.pointed
                trusting |= inner.trusting
        return Effects(
            frozenset(reads), frozenset(writes), frozenset(uses), frozenset(defines),
            leaves, acts, pointed, trusting,
        )  # fmt: skip

    def _are_inside(self, statement: Statement) -> bool:
        """Whether a statement's own accesses can be seen to be within their buffers."""
        loads = [
            part for expression in expressions(statement) for part in every_part(expression)
            if isinstance(part, Load)
        ]  # fmt: skip
        if isinstance(statement, Store):
            loads.append(Load(statement.buffer, statement.indices))
        return all(
            load.buffer.space != "pointer" and is_inside(load, self._extents) for load in loads
        )

    def may_swap(self, a: Statement, b: Statement) -> bool:
        """Whether two statements that follow each other may change places."""
        return not conflict(self.of(a), self.of(b))


def _in_expressions(statement: Statement) -> tuple[set[Buffer], set[Variable], bool]:
    reads, uses, addressed = set[Buffer](), set[Variable](), False
    for expression in expressions(statement):
        for part in every_part(expression):
            if isinstance(part, Variable):
                uses.add(part)
            elif isinstance(part, Load):
                reads.add(part.buffer)
                _add_sizes(part.buffer, uses)
            elif isinstance(part, Address):
                reads.add(part.buffer)
                addressed |= not (isinstance(statement, Call) and part is expression)
    if isinstance(statement, (Store, Bind)):
        _add_sizes(statement.buffer, uses)
    return reads, uses, addressed


def _add_sizes(buffer: Buffer, uses: set[Variable]) -> None:
    """An access multiplies with the sizes of its buffer."""
    for size in buffer.shape:
        if isinstance(size, Variable):
            uses.add(size)
        else:
            uses.update(part for part in every_part(size) if isinstance(part, Variable))


def conflict(a: Effects, b: Effects) -> bool:
    """Whether the order of two statements matters."""
    if a.writes & b.touches or b.writes & a.reads:
        return True
    if a.defines & (b.uses | b.defines) or b.defines & a.uses:
        return True
    if a.pointed and (b.pointed or _through_pointers(b)):
        return True
    if b.pointed and _through_pointers(a):
        return True
    return order_matters(a, b) or order_matters(b, a)


def _through_pointers(effects: Effects) -> bool:
    return any(buffer.space == "pointer" for buffer in effects.touches)


def order_matters(a: Effects, b: Effects) -> bool:
    """Whether `a` leaves the program, or acts, and what `b` does can be seen outside."""
    if a.acts:
        return b.acts or b.leaves or _state(b.touches)
    return a.leaves and (b.leaves or b.trusting or _state(b.writes))


def _state(buffers: frozenset[Buffer]) -> bool:
    return any(buffer.space == "state" for buffer in buffers)


def escaping(block: Block) -> frozenset[Buffer]:
    """Buffers whose address is used for more than arguments of calls (those keep none)."""
    found: set[Buffer] = set()
    for statement in every_statement(block):
        for expression in expressions(statement):
            is_argument = isinstance(statement, Call)
            for part in every_part(expression):
                if isinstance(part, Address) and not (is_argument and part is expression):
                    found.add(part.buffer)
    return frozenset(found)


# ---------------------------------------------------------------- accesses


@dataclass(frozen=True, slots=True)
class Access:
    """One place that touches a buffer; `indices` None: all of it may be touched."""

    indices: tuple[Expression, ...] | None
    writes: bool

    def flat(self, buffer: Buffer) -> bool:
        """Whether one index counts all elements."""
        return self.indices is not None and len(self.indices) != len(buffer.shape)


def accesses(block: Block) -> dict[Buffer, list[Access]]:
    """Every access of a block and of what is inside it, by buffer."""
    found: dict[Buffer, list[Access]] = {}
    for statement in every_statement(block):
        if isinstance(statement, Store):
            found.setdefault(statement.buffer, []).append(Access(statement.indices, True))
        elif isinstance(statement, Call):
            for buffer in statement.reads:
                found.setdefault(buffer, []).append(Access(None, False))
            for buffer in statement.writes:
                found.setdefault(buffer, []).append(Access(None, True))
        for expression in expressions(statement):
            for part in every_part(expression):
                if isinstance(part, Load):
                    found.setdefault(part.buffer, []).append(Access(part.indices, False))
                elif isinstance(part, Address):
                    found.setdefault(part.buffer, []).append(Access(None, True))
    return found


def common_axis(many: list[Access], index: Variable) -> int | None:
    """An axis that all accesses index with exactly `index`; None if there is none."""
    first = many[0].indices
    for axis, one in enumerate(first or ()):
        if one is index and all(
            other.indices is not None and len(other.indices) == len(first or ())
            and other.indices[axis] is index
            for other in many
        ):  # fmt: skip
            return axis
    return None


def independent(loop: For) -> bool:
    """Whether no iteration touches what another one writes (registers left out)."""
    for statement in every_statement(loop.body):
        if isinstance(statement, (Call, Bind, While, Check)):
            return False
    local = {one.buffer for one in every_statement(loop.body) if isinstance(one, Allocate)}
    return all(
        buffer in local or common_axis(many, loop.index) is not None
        for buffer, many in accesses(loop.body).items()
        if any(access.writes for access in many)
    )


def given_from_outside(loop: For) -> tuple[list[Buffer], list[Variable]]:
    """What a loop uses and does not make itself, in order of appearance."""
    names: dict[Buffer | Variable, None] = {}
    made: set[Buffer | Variable] = set()
    for statement in every_statement((loop,)):
        made |= _made_by(statement)
        pending: list[Expression] = list(expressions(statement))
        pending += _first_sizes(named_buffers(statement), names)
        while pending:
            for part in every_part(pending.pop()):
                if isinstance(part, Variable):
                    names[part] = None
                elif isinstance(part, (Load, Address)):
                    pending += _first_sizes((part.buffer,), names)
    outside = [one for one in names if one not in made and one is not FRAME]
    return (
        [one for one in outside if isinstance(one, Buffer)],
        [one for one in outside if isinstance(one, Variable)],
    )


def _made_by(statement: Statement) -> set[Buffer | Variable]:
    match statement:
        case Let(variable) | Set(variable):
            return {variable}
        case For(index):
            return {index}
        case Allocate(buffer) | Bind(buffer):
            return {buffer}
        case Call(result=Variable() as result):
            return {result}
        case _:
            return set()


def _first_sizes(
    buffers: tuple[Buffer, ...], names: dict[Buffer | Variable, None]
) -> list[Expression]:
    """The sizes of buffers that were not met before, which now are."""
    new = [buffer for buffer in buffers if buffer not in names]
    names.update({buffer: None for buffer in new})
    return [size for buffer in new for size in buffer.shape]
