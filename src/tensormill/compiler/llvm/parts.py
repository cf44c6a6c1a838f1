"""Long blocks of a program become functions that are called one after the other.

    define internal i32 @program.part.1(ptr noalias %frame, ptr %context) noinline nounwind

LLVM's time for a function grows with the square of its branches, and of what lives across them. A
part gets what it uses, and gives what others use afterwards, in a table of words; like the program
it returns 1 after a failed check. Loops that are functions already weigh as much as their calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, final

from ..loops.effects import given_from_outside, made_by
from ..loops.functions import KIND
from ..loops.ir import Allocate, Buffer, Choice, Let, Local, Program, Repeat, Set, Statement
from ..loops.passes.parallel import register_uses
from ..loops.walk import Block, blocks, every_statement
from .module import ModuleText
from .statements import Outline, Statements
from .types import REGISTER, Register
from .words import Word, flat, joined, loaded, store, take, taken
from .writer import Writer

# Statements of a block that is cut, at least, and of a part, at most. Rows of single numbers do not
# count: they are cut where they are long (passes/pieces.py).
LONG: Final = 2_000
PART: Final = 250

Name: TypeAlias = Buffer | Local


@dataclass(frozen=True, slots=True)
class _Part:
    """Some statements of a block, what they get (values, and registers that others look at, too),
    and which of those names that they make others use. A statement that is long by itself stays,
    and what is in it is cut.
    """

    block: Block
    stays: bool
    buffers: Sequence[Buffer]
    variables: Sequence[Local]
    registers: Sequence[Local]
    results: list[Name] = field(default_factory=list[Name])

    @property
    def most_words(self) -> int:
        """How long its table may be: complex numbers are two words, and three are its memory."""
        names = [*self.buffers, *self.variables, *self.registers, *self.results]
        return 2 * len(names) + 3


@final
class Parts:
    """Decides which blocks of a program are cut, and writes their parts."""

    def __init__(self, module: ModuleText, program: Program, outline: Outline) -> None:
        self.module = module
        self._program = program
        self._outline = outline
        self._weights: dict[Statement, int] = {}
        self._uses = Counter[Local]()
        if self._weight(program.body) > LONG:
            self._uses = register_uses(program.body)

    def divide(self, statements: Statements, block: Block) -> bool:
        """Emit a block in parts; False where it is short, or in a loop that LLVM looks into."""
        if statements.values.extents or self._weight(block) <= LONG:
            return False
        parts = self._parts(block)
        words = max(part.most_words for part in parts)
        table = statements.w.stack(f"[{words} x i64]", 8)
        for part in parts:
            if part.stays:
                statements.run(part.block)
            else:
                self._call(statements, part, table)
        return True

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
            case Repeat() | Choice():
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
        return _Part(block, stays, [*buffers, *followed], values, shared)

    # ---------------------------------------------------------------- one part

    def _call(self, outer: Statements, part: _Part, table: Register) -> None:
        """Emit a part as a function, and a call of it."""
        kept_here = [one for one in part.results if isinstance(one, Buffer) and self._is_own(one)]
        for buffer in kept_here:
            outer.values.bases[buffer] = outer.on_stack(buffer)
        words: list[Word] = []
        inner = self._function_for(outer, part, words)
        inner.lent = frozenset(kept_here)
        for buffer in (*part.buffers, *kept_here):
            if buffer not in self.module.places and buffer.space != "constant":
                inner.values.bases[buffer] = _given(inner, words, outer.values.base(buffer))
        self._hand_over_variables(outer, inner, part, words)
        inner.run(part.block)  # what is long has stayed
        results = [one for one in part.results if one not in inner.lent]
        given = [word for one in results for word in _words_of(inner, one)]
        store(inner.w, "%context", given, len(words))
        name = self._finish(inner)
        store(outer.w, table, words)
        failed = outer.w.line(f"call i32 @{name}(ptr {outer.values.frame}, ptr {table})")
        if inner.leaves:
            outer.leave_unless(outer.w.line(f"icmp eq i32 {failed}, 0"))
        _take_results(
            outer, results, loaded(outer.w, table, [kept for kept, _ in given], len(words))
        )

    def _is_own(self, buffer: Buffer) -> bool:
        return buffer in self.module.plan.own

    def _function_for(self, outer: Statements, part: _Part, words: list[Word]) -> Statements:
        """What writes the function, with the memory that it shares with who calls it."""
        inner = Statements(self.module, Writer(), "%frame", self._outline, outer.polls)
        inner.values.tagged = outer.values.tagged
        inside = every_statement(part.block)
        if any(isinstance(one, Allocate) and outer.asks(one.buffer) for one in inside):
            inner.arena = _given(inner, words, outer.its_arena())
        if outer.static_arena != "null":
            inner.static_arena = _given(inner, words, outer.static_arena)
        if outer.polls and any(isinstance(one, Repeat) for one in inside):
            inner.budget = _given(inner, words, outer.its_budget())
        return inner

    def _hand_over_variables(
        self, outer: Statements, inner: Statements, part: _Part, words: list[Word]
    ) -> None:
        """Values, and the places of those that change and that others look at as well."""
        for variable in part.variables:
            if variable not in self.module.places:
                value = outer.values.value(variable)
                inner.values.variables[variable] = taken(inner.w, words, variable, value)
        for register in part.registers:
            places = [_given(inner, words, one) for one in flat(outer.values.place(register))]
            inner.values.memory[register] = joined(places)

    def _finish(self, inner: Statements) -> str:
        inner.w.do("ret i32 0")
        if inner.leaves:
            inner.w.begin("failed")
            inner.w.do("ret i32 1")
        name = self.module.fresh("part")
        header = f"define internal i32 @{name}(ptr noalias %frame, ptr %context) noinline nounwind"
        self.module.add_function(inner.w, header)
        return name


def _given(inner: Statements, words: list[Word], address: Register) -> Register:
    """An address of the calling function's, in the part."""
    words.append(("ptr", address))
    return take(inner.w, "ptr", len(words) - 1)


def _words_of(statements: Statements, name: Name) -> list[Word]:
    values = statements.values
    if isinstance(name, Buffer):
        return [("ptr", values.base(name))]
    return [(REGISTER[name.type], one) for one in flat(values.value(name))]


def _take_results(
    outer: Statements, results: Sequence[Name], registers: Sequence[Register]
) -> None:
    following = iter(registers)
    for name in results:
        if isinstance(name, Buffer):
            outer.values.bases[name] = next(following)
        else:
            count = 2 if KIND[name.type] == "c" else 1
            outer.values.variables[name] = joined([next(following) for _ in range(count)])
