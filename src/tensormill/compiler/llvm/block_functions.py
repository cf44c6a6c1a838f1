"""Long blocks of a program become functions that are called one after the other.

    define internal i32 @program.part.1(ptr noalias %frame, ptr %context) noinline nounwind

LLVM's time for a function grows with the square of its branches, and of what lives across them.
The parts of a block share a table of words, where a name has its place from when the first of them
makes or gets it. Like the program, a part returns 1 after a failed check. Loops that are functions
already weigh as much as their calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias, final

from ...core.process.lazy_property import lazy_property
from ...core.process.named_tuples import NamedTuple
from ..loops.effects import given_from_outside, made_by
from ..loops.functions import KIND
from ..loops.ir import (
    Allocate,
    Buffer,
    Choice,
    For,
    Let,
    Local,
    Program,
    Repeat,
    Set,
    Statement,
    Together,
)
from ..loops.passes.parallel import register_uses
from ..loops.walk import Block, blocks, every_statement
from .module import ModuleText
from .prototypes import LOOK
from .statements import Outline, Statements
from .types import REGISTER, Register, Value
from .values import Values
from .words import Word, flat, joined, loaded, store, take

# Statements of a block that is cut, at least, and of a part, at most. Rows of single numbers do not
# count: they are cut where they are long (passes/pieces.py).
LONG: Final = 2_000
PART: Final = 250

Name: TypeAlias = Buffer | Local


class _Part(NamedTuple):
    """Some statements of a block, what they get (values, and registers that others look at, too),
    and which of those names that they make others use. A statement that is long by itself stays,
    and what is in it is cut.
    """

    block: Block
    stays: bool
    buffers: Sequence[Buffer]
    variables: Sequence[Local]
    registers: Sequence[Local]
    results: list[Name]


@final
class BlockFunctions:
    """Decides which blocks of a program are cut, and writes their parts."""

    def __init__(self, module: ModuleText, program: Program, outline: Outline) -> None:
        self.module = module
        self._outline = outline
        self._weights: dict[Statement, int] = {}
        self._program = program

    @lazy_property
    def _uses(self) -> Counter[Local]:
        """How often the program reads or sets registers."""
        return register_uses(self._program.body)

    def divide(self, statements: Statements, block: Block) -> bool:
        """Emit a block in parts; False where it is short, or in a loop that LLVM looks into."""
        if statements.values.extents or self._weight(block) <= LONG:
            return False
        table = PartTable(statements)
        for part in self._parts(block):
            if part.stays:
                table.fetch((*part.buffers, *part.variables))
                statements.run(part.block)
            else:
                self._call(statements, part, table)
        table.finish()
        return True

    def call(self, statements: Statements, loop: For) -> None:
        """Emit a loop as a function of its own."""
        table = PartTable(statements)
        self._call(statements, self._part((loop,)), table, is_glue=False)
        table.finish()

    def side(self, outer: Statements, block: Block, table: PartTable) -> str:
        """Emit a block as a function that may run while others do, with memory of its own; its
        name.
        """
        part = self._part(block)
        inner = self._writer_for(outer, table)
        inner.poll, inner.divide = LOOK, outer.divide
        for name in (*part.buffers, *part.variables, *part.registers):
            if name not in self.module.places and not _is_constant(name):
                table.give(inner, name)
        shared = _copied(inner.values, part.registers)
        inner.block(part.block)
        _put_back(inner.values, shared)
        inner.finish("ret i32 0", "ret i32 1")
        return self._add(inner, "side", is_glue=True)

    # ---------------------------------------------------------------- cutting

    def _weight(self, block: Block) -> int:
        return sum(map(self._weight_of, block))

    def _weight_of(self, statement: Statement) -> int:
        if (known := self._weights.get(statement)) is None:
            known = self._weights[statement] = self._found_weight(statement)
        return known

    def _found_weight(self, statement: Statement) -> int:
        match statement:
            case Let(variable) | Set(variable) if variable.type not in ("i64", "ptr"):
                return 0
            case Repeat() | Choice() | Together():
                return 2 + sum(map(self._weight, blocks(statement)))
            case _:
                return 1

    def _cut(self, block: Block) -> Iterator[Block]:
        row, total = list[Statement](), 0
        for statement in block:
            weight = self._weight_of(statement)
            if row and total + weight > PART:
                yield tuple(row)
                row, total = [], 0
            row.append(statement)
            total += weight
        yield tuple(row)

    def _parts(self, block: Block) -> list[_Part]:
        parts = [self._part(piece) for piece in self._cut(block)]
        wanted: set[Name] = set()
        for part in reversed(parts):
            made = [name for statement in part.block for name in made_by(statement)]
            part.results.extend(name for name in made if name in wanted)
            wanted.update(part.buffers, part.variables)
        return parts

    def _part(self, block: Block) -> _Part:
        buffers, variables = given_from_outside(block)
        made = {one.buffer for one in every_statement(block) if isinstance(one, Allocate)}
        earlier = (self.module.plan.successors.get(one) for one in made)
        followed = [one for one in earlier if one and one not in made and one not in buffers]
        values = [one for one in variables if not one.mutable]
        uses = register_uses(block)
        shared = [one for one, count in uses.items() if count != self._uses[one]]
        stays = self._weight(block) > PART
        return _Part(block, stays, [*buffers, *followed], values, shared, [])

    # ---------------------------------------------------------------- one part

    def _call(self, outer: Statements, part: _Part, table: PartTable, is_glue: bool = True) -> None:
        """Emit a part as a function, which may be glue, and a call of it."""
        own = self.module.plan.own
        kept_here = [one for one in part.results if isinstance(one, Buffer) and one in own]
        for buffer in kept_here:
            outer.values.bases[buffer] = outer.on_stack(buffer)
        inner = self._function_for(outer, part, table)
        inner.lent = frozenset(kept_here)
        for name in (*part.buffers, *kept_here, *part.variables, *part.registers):
            if name not in self.module.places and not _is_constant(name):
                table.give(inner, name)
        shared = {} if is_glue else _copied(inner.values, part.registers)
        inner.run(part.block)  # what is long has stayed
        _put_back(inner.values, shared)
        for name in part.results:
            if name not in inner.lent:
                table.keep(inner, name)
        function = self._finish(inner, is_glue)
        words = f"ptr {outer.values.frame}, ptr {table.address}"
        failed = outer.w.line(f"call i32 @{function}({words})")
        if inner.leaves:
            outer.leave_unless(outer.w.line(f"icmp eq i32 {failed}, 0"))

    def _function_for(self, outer: Statements, part: _Part, table: PartTable) -> Statements:
        """What writes the function, with the memory that it shares with who calls it."""
        inner = self._writer_for(outer, table)
        inside = every_statement(part.block)
        if any(isinstance(one, Allocate) and outer.asks(one.buffer) for one in inside):
            inner.arena = table.address_in(inner, "arena", outer.its_arena())
        if outer.polls and any(isinstance(one, Repeat) for one in inside):
            inner.budget = table.address_in(inner, "budget", outer.its_budget())
        return inner

    def _writer_for(self, outer: Statements, table: PartTable) -> Statements:
        inner = Statements(self.module, self.module.writer(), "%frame", self._outline, outer.polls)
        inner.poll, inner.beside = outer.poll, outer.beside
        inner.values.tagged = outer.values.tagged
        if outer.static_arena != "null":
            inner.static_arena = table.address_in(inner, "static arena", outer.static_arena)
        return inner

    def _finish(self, inner: Statements, is_glue: bool) -> str:
        inner.w.do("ret i32 0")
        if inner.leaves:
            inner.w.begin("failed")
            inner.w.do("ret i32 1")
        return self._add(inner, "part", is_glue)

    def _add(self, inner: Statements, stem: str, is_glue: bool) -> str:
        name = self.module.fresh(stem)
        header = f"define internal i32 @{name}(ptr noalias %frame, ptr %context) noinline nounwind"
        mark = self.module.mark_of(inner.w) if is_glue else ""
        self.module.add_function(inner.w, header + mark)
        return name


@final
class PartTable:
    """The words that the parts of one block share with each other and with who calls them.

    Who calls writes what it has when a part first wants it, and reads what it wants itself.
    """

    def __init__(self, outer: Statements) -> None:
        self.outer = outer
        self.address = outer.w.name()
        self._places: dict[Name | str, int] = {}
        self._unread: set[Name] = set()  # what parts have made, and the caller has not
        self._count = 0

    def give(self, inner: Statements, name: Name) -> None:
        """Let a part know a name."""
        if name not in self._places:
            self._put(self.outer, self.address, name, _registers_of(self.outer, name))
        first, types = self._places[name], _types_of(name)
        _learn(inner, name, [take(inner.w, type_, first + k) for k, type_ in enumerate(types)])

    def keep(self, inner: Statements, name: Name) -> None:
        """Keep what a part has made."""
        self._put(inner, "%context", name, _registers_of(inner, name))
        self._unread.add(name)

    def fetch(self, names: Sequence[Name]) -> None:
        """Let the caller know names that parts have made."""
        for name in names:
            if name in self._unread:
                self._unread.remove(name)
                types, first = _types_of(name), self._places[name]
                _learn(self.outer, name, loaded(self.outer.w, self.address, types, first))

    def address_in(self, inner: Statements, what: str, address: Register) -> Register:
        """An address of the caller's, in a part."""
        if what not in self._places:
            self._places[what] = self._count
            self._count += 1
            store(self.outer.w, self.address, [("ptr", address)], self._places[what])
        return take(inner.w, "ptr", self._places[what])

    def finish(self) -> None:
        """Everything has its place: the table is so long."""
        size = max(self._count, 1)
        self.outer.w.entry.append(f"  {self.address} = alloca [{size} x i64], align 8")

    def _put(
        self, statements: Statements, table: Register, name: Name, registers: Sequence[Register]
    ) -> None:
        words: list[Word] = list(zip(_types_of(name), registers, strict=True))
        self._places[name] = self._count
        self._count += len(words)
        store(statements.w, table, words, self._places[name])


def _copied(values: Values, registers: Sequence[Local]) -> dict[Local, Value]:
    """Where shared registers are, of which a loop gets its own: LLVM makes vectors of sums then."""
    places = {one: values.place(one) for one in registers}
    for one in registers:
        found = values.value(one)
        del values.memory[one]
        values.set(one, found)
    return places


def _put_back(values: Values, places: dict[Local, Value]) -> None:
    for one, place in places.items():
        found = values.value(one)
        values.memory[one] = place
        values.set(one, found)


def _is_constant(name: Name) -> bool:
    return isinstance(name, Buffer) and name.space == "constant"


def _types_of(name: Name) -> list[str]:
    """What is known of a name: its value, or where it is."""
    if isinstance(name, Buffer):
        return ["ptr"]
    type_ = "ptr" if name.mutable else REGISTER[name.type]
    return [type_] * (2 if KIND[name.type] == "c" else 1)


def _registers_of(statements: Statements, name: Name) -> Sequence[Register]:
    values = statements.values
    if isinstance(name, Buffer):
        return (values.base(name),)
    return flat(values.place(name) if name.mutable else values.value(name))


def _learn(statements: Statements, name: Name, registers: Sequence[Register]) -> None:
    values = statements.values
    if isinstance(name, Buffer):
        values.bases[name] = registers[0]
    elif name.mutable:
        values.memory[name] = joined(registers)
    else:
        values.variables[name] = joined(registers)
