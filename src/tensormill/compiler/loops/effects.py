"""What statements touch, and when they may change places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ...core.process.named_tuples import NamedTuple
from .ir import (
    FRAME,
    Address,
    Allocate,
    Apply,
    Bind,
    Buffer,
    Check,
    Expression,
    For,
    Let,
    Load,
    Local,
    NativeCall,
    Repeat,
    Set,
    Statement,
    Store,
)
from .ranges import is_inside
from .walk import Block, blocks, every_part, every_statement, expressions, named_buffers

NOTHING: frozenset[Buffer] = frozenset()
_BITS: Final = 512


class Effects(NamedTuple):
    """What a statement, with all that is inside it, touches.

    reads, writes, touches: buffers. uses, defines: variables. leaves: it may end the program. acts:
    it does something outside that nobody can undo (a call that is not pure). pointed: it touches
    memory that pointer buffers may lie on, or moves pointer buffers.
    """

    reads: frozenset[Buffer]
    writes: frozenset[Buffer]
    touches: frozenset[Buffer]
    uses: frozenset[Local]
    defines: frozenset[Local]
    leaves: bool
    acts: bool
    pointed: bool
    through_pointers: bool
    touches_state: bool
    writes_state: bool
    # What the sets may have in common, asked first: mostly there is nothing (`Summaries._bits`).
    written: int
    touched: int
    used: int
    defined: int


class Summaries:
    """The effects of statements, each found once; `escape`: buffers whose address is taken."""

    def __init__(self, escape: frozenset[Buffer] = NOTHING) -> None:
        self._known: dict[Statement, Effects] = {}
        self._trusting: dict[Statement, bool] = {}
        self._sizes: dict[Buffer, tuple[Local, ...]] = {}
        self._numbers: dict[Buffer | Local, int] = {}
        self._accesses: dict[For, dict[Buffer, list[Access]]] = {}
        self._escape = escape

    def of(self, statement: Statement) -> Effects:
        """What a statement touches."""
        if (known := self._known.get(statement)) is None:
            known = self._found(statement)
            self._known[statement] = known
        return known

    def accesses(self, loop: For) -> dict[Buffer, list[Access]]:
        """Every access in a loop's body, by buffer."""
        if (known := self._accesses.get(loop)) is None:
            known = accesses(loop.body)
            self._accesses[loop] = known
        return known

    def joined(self, whole: For, first: For, second: For) -> None:
        """Say that `whole` does what `first` does, then what `second` does, in every iteration.

        What is known of them is known of it, and need not be found again.
        """
        self._known[whole] = _joined(self.of(first), self.of(second), first.index, second.index)
        if (known := self._accesses.pop(first, None)) is not None:
            for buffer, many in accesses(whole.body[len(first.body) :]).items():
                known.setdefault(buffer, []).extend(many)
            self._accesses[whole] = known

    def order_matters(self, a: Statement, b: Statement) -> bool:
        """Whether what two statements do outside of memory keeps them in order."""
        gathered = Gathered(self)
        gathered.add(a)
        return gathered.keeps_in_order(b)

    def is_trusting(self, statement: Statement) -> bool:
        """Whether a check before it may be what makes a statement's memory accesses valid."""
        if (known := self._trusting.get(statement)) is None:
            known = _trusts(statement, {})
            self._trusting[statement] = known
        return known

    def _found(self, statement: Statement) -> Effects:
        reads, uses, addressed = self._in_expressions(statement)
        writes, defines = set[Buffer](), set[Local]()
        match statement:
            case Let(variable) | Set(variable):
                defines.add(variable)
            case Store(buffer) | Allocate(buffer) | Bind(buffer):
                writes.add(buffer)
            case NativeCall():
                reads |= set(statement.reads)
                writes |= set(statement.writes)
                if statement.result is not None:
                    defines.add(statement.result)
            case For(index):
                defines.add(index)
            case _:
                pass
        written, read = self._bits(writes), self._bits(reads)
        used, defined = self._bits(uses), self._bits(defines)
        acts = isinstance(statement, NativeCall) and not statement.pure
        pointed = acts or isinstance(statement, Bind) or addressed
        pointed |= not self._escape.isdisjoint(reads | writes)
        leaves = isinstance(statement, Check)
        for block in blocks(statement):
            for inner in map(self.of, block):
                reads |= inner.reads
                writes |= inner.writes
                uses |= inner.uses
                defines |= inner.defines
                written |= inner.written
                read |= inner.touched
                used |= inner.used
                defined |= inner.defined
                leaves |= inner.leaves
                acts |= inner.acts
                pointed |= inner.pointed
        touches = reads | writes
        spaces = {buffer.space for buffer in touches}
        return Effects(
            frozenset(reads),
            frozenset(writes),
            frozenset(touches),
            frozenset(uses),
            frozenset(defines),
            leaves,
            acts,
            pointed,
            through_pointers="pointer" in spaces,
            touches_state="state" in spaces,
            writes_state="state" in {buffer.space for buffer in writes},
            written=written,
            touched=written | read,
            used=used,
            defined=defined,
        )

    def _bits(self, names: Iterable[Buffer | Local]) -> int:
        """A bit for each name, which others share in a program of very many names.

        A bit of its own for each would make the summary of a statement as long as the program.
        """
        numbers, bits = self._numbers, 0
        for name in names:
            bits |= 1 << numbers.setdefault(name, len(numbers)) % _BITS
        return bits

    @property
    def tells_apart(self) -> bool:
        """Whether every name has a bit of its own."""
        return len(self._numbers) <= _BITS

    def _in_expressions(self, statement: Statement) -> tuple[set[Buffer], set[Local], bool]:
        reads, uses, addressed = set[Buffer](), set[Local](), False
        for expression in expressions(statement):
            for part in every_part(expression):
                if type(part) is Local:
                    uses.add(part)
                elif type(part) is Load:
                    reads.add(part.buffer)
                    uses.update(self._variables_of(part.buffer))
                elif type(part) is Address:
                    reads.add(part.buffer)
                    uses.update(self._variables_of(part.buffer) if part.indices else ())
                    addressed |= not (isinstance(statement, NativeCall) and part is expression)
        if isinstance(statement, (Store, Bind)):
            uses.update(self._variables_of(statement.buffer))
        return reads, uses, addressed

    def _variables_of(self, buffer: Buffer) -> tuple[Local, ...]:
        """An access multiplies with the sizes of its buffer."""
        if (known := self._sizes.get(buffer)) is None:
            found = (part for size in buffer.shape for part in every_part(size))
            known = tuple(part for part in found if isinstance(part, Local))
            self._sizes[buffer] = known
        return known


def _joined(a: Effects, b: Effects, index: Local, other: Local) -> Effects:
    """The effects of two loops as one, in which `index` stands for `other`."""
    used = {index} if other in b.uses else set[Local]()
    return Effects(
        a.reads | b.reads,
        a.writes | b.writes,
        a.touches | b.touches,
        (a.uses | b.uses | used) - {other},
        (a.defines | b.defines) - {other},
        a.leaves or b.leaves,
        a.acts or b.acts,
        a.pointed or b.pointed,
        a.through_pointers or b.through_pointers,
        a.touches_state or b.touches_state,
        a.writes_state or b.writes_state,
        a.written | b.written,
        a.touched | b.touched,
        a.used | b.used | a.defined,
        a.defined | b.defined,
    )


class Gathered:
    """The effects of several statements as if they were one."""

    def __init__(self, summaries: Summaries) -> None:
        self._summaries = summaries
        self._statements: list[Statement] = []
        none: tuple[set[Buffer | Local], ...] = (set(), set(), set(), set())
        self._sets = none
        self._waiting: list[Effects] = []  # not yet in the sets, which are seldom asked
        self._written = self._touched = self._used = self._defined = 0
        self._leaves = self._acts = self._pointed = self._through_pointers = False
        self._touches_state = self._writes_state = False

    def add(self, statement: Statement) -> None:
        """One more statement."""
        effects = self._summaries.of(statement)
        self._statements.append(statement)
        self._waiting.append(effects)
        self._written |= effects.written
        self._touched |= effects.touched
        self._used |= effects.used
        self._defined |= effects.defined
        self._leaves |= effects.leaves
        self._acts |= effects.acts
        self._pointed |= effects.pointed
        self._through_pointers |= effects.through_pointers
        self._touches_state |= effects.touches_state
        self._writes_state |= effects.writes_state

    def conflicts(self, statement: Statement) -> bool:
        """Whether the order of a statement and these matters."""
        other = self._summaries.of(statement)
        if self._may_meet(other) and (self._summaries.tells_apart or self._meets(other)):
            return True
        if self._pointed and (other.pointed or other.through_pointers):
            return True
        if other.pointed and self._through_pointers:
            return True
        return self.keeps_in_order(statement)

    def _may_meet(self, other: Effects) -> bool:
        return bool(
            self._written & other.touched
            or other.written & self._touched
            or self._defined & (other.used | other.defined)
            or other.defined & self._used
        )

    def _meets(self, other: Effects) -> bool:
        """Whether one side changes what the other one touches or uses."""
        writes, touches, uses, defines = self._sets
        for one in self._waiting:
            writes |= one.writes
            touches |= one.touches
            uses |= one.uses
            defines |= one.defines
        self._waiting.clear()
        return not (
            writes.isdisjoint(other.touches)
            and touches.isdisjoint(other.writes)
            and defines.isdisjoint(other.uses)
            and defines.isdisjoint(other.defines)
            and uses.isdisjoint(other.defines)
        )

    def keeps_in_order(self, statement: Statement) -> bool:
        """Whether one side leaves the program, or acts, and that shows what the other has done."""
        other = self._summaries.of(statement)
        if (self._acts and (other.acts or other.leaves or other.touches_state)) or (
            other.acts and (self._acts or self._leaves or self._touches_state)
        ):
            return True
        if self._leaves and (other.leaves or other.writes_state):
            return True
        if other.leaves and (self._leaves or self._writes_state):
            return True
        trusts = self._summaries.is_trusting
        return (self._leaves and trusts(statement)) or (
            other.leaves and any(map(trusts, self._statements))
        )


def _trusts(statement: Statement, extents: dict[Local, Expression]) -> bool:
    """Whether it calls something, or some access cannot be seen to be within its buffer."""
    if isinstance(statement, NativeCall):
        return True
    if isinstance(statement, For):
        extents = {**extents, statement.index: statement.extent}
    loads = [
        part
        for expression in expressions(statement)
        for part in every_part(expression)
        if isinstance(part, Load)
    ]
    if isinstance(statement, Store):
        loads.append(Load(statement.buffer, statement.indices))
    if any(load.buffer.space == "pointer" or not is_inside(load, extents) for load in loads):
        return True
    return any(_trusts(inner, extents) for block in blocks(statement) for inner in block)


def escaping(block: Block) -> frozenset[Buffer]:
    """Buffers whose address is used for more than arguments of calls (those keep none)."""
    found: set[Buffer] = set()
    for statement in every_statement(block):
        for expression in expressions(statement):
            is_argument = isinstance(statement, NativeCall)
            for part in every_part(expression):
                if type(part) is Address and not (is_argument and part is expression):
                    found.add(part.buffer)
    return frozenset(found)


# ---------------------------------------------------------------- accesses


# What stands for the index of an axis all of which a slice has.
EVERY: Final = Local("every", "i64")


class Access(NamedTuple):
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
        elif isinstance(statement, NativeCall):
            for buffer, access in _of_call(statement):
                found.setdefault(buffer, []).append(access)
        for expression in expressions(statement):
            is_argument = isinstance(statement, NativeCall)
            for part in every_part(expression):
                if type(part) is Load:
                    found.setdefault(part.buffer, []).append(Access(part.indices, False))
                elif type(part) is Address and not (is_argument and part is expression):
                    found.setdefault(part.buffer, []).append(Access(None, True))
    return found


def _of_call(call: NativeCall) -> Iterator[tuple[Buffer, Access]]:
    """What a call touches, of each buffer the slices whose addresses it gets.

    A buffer whose address it gets and that it does not name may be touched anywhere.
    """
    addresses = [one for one in call.arguments if isinstance(one, Address)]
    writes = {*call.writes, *(one.buffer for one in addresses if one.buffer not in call.reads)}
    for buffer in dict.fromkeys((*call.reads, *call.writes, *(one.buffer for one in addresses))):
        slices = [one.indices for one in addresses if one.buffer is buffer]
        if not slices or not all(slices):
            yield buffer, Access(None, buffer in writes)
            continue
        for indices in slices:
            rest = (EVERY,) * (len(buffer.shape) - len(indices))
            yield buffer, Access((*indices, *rest), buffer in writes)


def common_axis(many: list[Access], index: Local) -> int | None:
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


def may_divide(loop: For) -> bool:
    """Whether threads can run the body: it leaves no program, has a known end, and calls nothing
    but functions that are pure.
    """
    return not any(
        not one.pure if isinstance(one, NativeCall) else isinstance(one, _OF_ONE_THREAD)
        for one in every_statement(loop.body)
    )


_OF_ONE_THREAD: Final = (Bind, Repeat, Check)


def independent(loop: For) -> bool:
    """Whether no iteration touches what another one writes (registers left out)."""
    if not may_divide(loop):
        return False
    local = {one.buffer for one in every_statement(loop.body) if isinstance(one, Allocate)}
    return all(
        buffer in local or common_axis(many, loop.index) is not None or _moves_on(many, loop)
        for buffer, many in accesses(loop.body).items()
        if any(access.writes for access in many)
    )


def _moves_on(many: list[Access], loop: For) -> bool:
    """Whether all accesses are to one place, which is another one in each iteration: it is
    `index + start` on some axis, and the start stays what it is.
    """
    first = many[0].indices
    if first is None or any(other.indices != first for other in many):
        return False
    made = {loop.index}.union(*map(made_by, every_statement(loop.body)))
    return any(_is_shifted(one, loop.index, made) for one in first)


def _is_shifted(position: Expression, index: Local, made: set[Buffer | Local]) -> bool:
    match position:
        case Apply("add", (one, other)) if one is index or other is index:
            start = every_part(other if one is index else one)
            return not any(isinstance(part, Load) or part in made for part in start)
        case _:
            return False


def given_from_outside(block: Block) -> tuple[list[Buffer], list[Local]]:
    """What statements use and do not make themselves, in order of appearance."""
    names: dict[Buffer | Local, None] = {}
    made: set[Buffer | Local] = set()
    for statement in every_statement(block):
        made |= made_by(statement)
        pending: list[Expression] = list(expressions(statement))
        pending += _first_sizes(named_buffers(statement), names)
        while pending:
            for part in every_part(pending.pop()):
                if isinstance(part, Local):
                    names[part] = None
                elif isinstance(part, (Load, Address)):
                    pending += _first_sizes((part.buffer,), names)
    outside = [one for one in names if one not in made and one is not FRAME]
    return (
        [one for one in outside if isinstance(one, Buffer)],
        [one for one in outside if isinstance(one, Local)],
    )


def made_by(statement: Statement) -> set[Buffer | Local]:
    """What is there from a statement on."""
    match statement:
        case Let(variable) | Set(variable):
            return {variable}
        case For(index):
            return {index}
        case Allocate(buffer) | Bind(buffer):
            return {buffer}
        case NativeCall(result=Local() as result):
            return {result}
        case _:
            return set()


def _first_sizes(
    buffers: tuple[Buffer, ...], names: dict[Buffer | Local, None]
) -> list[Expression]:
    """The sizes of buffers that were not met before, which now are."""
    new = [buffer for buffer in buffers if buffer not in names]
    for buffer in new:
        names[buffer] = None
    return [size for buffer in new for size in buffer.shape]
