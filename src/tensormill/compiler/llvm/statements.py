"""Statements of the loop language as LLVM instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..loops.buffer_placement import ALIGNMENT, static_bytes
from ..loops.effects import independent
from ..loops.functions import KIND
from ..loops.ir import (
    Allocate,
    Apply,
    Bind,
    Buffer,
    Check,
    Choice,
    Expression,
    For,
    Let,
    Literal,
    Local,
    NativeCall,
    Repeat,
    Return,
    Set,
    Statement,
    Store,
    Together,
)
from ..loops.kernels import is_piece
from ..loops.short_rows import short_row, short_rows, stated_row, stated_rows
from ..loops.walk import Block, Compound, every_statement
from ..native.interrupts import BUDGET, POLL, work_of_turn
from ..native.records import ARENA
from ..native.sides import NO_ERROR
from .casts import to_bits
from .function_texts import Packed
from .lanes import Lanes
from .module import ModuleText
from .moves import move_of, write
from .prototypes import ARENA_END
from .types import REGISTER, Register, Value
from .values import Values
from .words import Word, stored
from .writer import Writer

OUT_OF_MEMORY: Final = -1
# Loops around vectors of so many elements stay loops: written out they take LLVM a quarter of its
# time for a network of convolutions, and run no faster.
_LONG: Final = 8
_ROW: Final = 64  # turns that LLVM might write out as single numbers, if they do little
_LANES: Final = 16  # of the widest vectors of float32
_MUCH: Final = 4  # numbers that a loop's turns hand on
_REGROUPED: Final = frozenset(("add", "sub", "mul", "fma"))
_EXTREMES: Final = {
    "maximum": "maximum", "max": "maximum", "minimum": "minimum", "min": "minimum",
}  # fmt: skip

# What the C library has, and LLVM knows better.
_INTRINSICS: Final = {
    "memcpy": "call void @llvm.memcpy.p0.p0.i64(ptr {}, ptr {}, i64 {}, i1 false)",
    "memset": "call void @llvm.memset.p0.i64(ptr {}, i8 {}, i64 {}, i1 false)",
}

# Emits a statement in another function, and calls that; False if it would not.
Outline = Callable[["Statements", For], bool]
# Emits a block as several functions, and calls those; False if it would not.
Divide = Callable[["Statements", Block], bool]
# Emits sides as functions that run at the same time; False if they had better not.
Beside = Callable[["Statements", Together], bool]


class Statements:
    """Writes statements into one function.

    `outline` may take a whole loop nest out of the function (see `outline.py`), `divide` a block
    (see `block_functions.py`), `beside` what may run at the same time (see `sides.py`).
    """

    def __init__(
        self, module: ModuleText, w: Writer, frame: Register, outline: Outline, polls: bool = False
    ) -> None:
        self.module = module
        self.w = w
        self.values = Values(module, w, frame)
        self.leaves = False  # whether something jumps to %failed
        self.states_rows = False  # whether short loops say what is a vector, as functions do
        self.arena: Register | None = None
        self.budget: Register | None = None  # of work until signals are looked for
        self.lent: frozenset[Buffer] = frozenset()  # those that have got memory before
        self.divide: Divide | None = None
        self.beside: Beside | None = None
        self.poll = POLL  # what it asks for signals
        self.static_arena: Register = "null"  # the memory that buffers of known size share
        self._outline = outline
        self.polls = polls
        self._regroup = False
        self._lengths: list[int] = []  # of the innermost loops so far: 0 if no vectors are made

    def block(self, block: Block) -> None:
        """Memory that a block asks for is given back at its end."""
        mark = self._mark(block)
        self.body(block)
        self._release(mark)

    def body(self, block: Block) -> None:
        """All of a block, in parts where it is long."""
        if self.divide is None or not self.divide(self, block):
            self.run(block)

    def run(self, block: Block) -> None:
        """One statement after the other."""
        for statement in block:
            self.values.forget()
            self._statement(statement)

    def _release(self, mark: Register | None) -> None:
        if mark is not None:
            self.w.do(f"call void @tm_release(ptr {self.arena}, i64 {mark})")
            # What comes next in that memory must not move up before its last use.
            self.w.do('call void asm sideeffect "", "~{memory}"()')

    def _mark(self, block: Block) -> Register | None:
        asked = [one for one in block if isinstance(one, Allocate) and self.asks(one.buffer)]
        if not asked:
            return None
        return self.w.line(f"call i64 @tm_mark(ptr {self.its_arena()})")

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Let(variable, value):
                self.values.variables[variable] = self.values.value(value)
            case Set(variable, value):
                self.values.set(variable, self._new_value(variable, value))
            case Store(buffer, indices, value):
                self._store(buffer, indices, value)
            case Allocate(buffer):
                self.values.bases[buffer] = self._allocate(buffer)
            case Bind(buffer, address):
                self.values.bases[buffer] = self.values.register(address)
            case NativeCall():
                self._call(statement)
            case Check(condition, error, values):
                self._check(condition, error, values)
            case Return(value):
                self._return(value)
            case For() | Repeat() | Choice() | Together():
                self._compound(statement)

    def _compound(self, statement: Compound) -> None:
        match statement:
            case For():
                if not self._outline(self, statement):
                    self.loop(statement)
            case Repeat():
                self._while(statement)
            case Choice():
                self._if(statement)
            case Together(sides):
                if self.beside is None or not self.beside(self, statement):
                    for side in sides:
                        self.block(side)

    def _new_value(self, variable: Local, value: Expression) -> Value:
        """Reductions in a form that LLVM knows to divide among the lanes of vectors."""
        if isinstance(value, Apply) and any(one is variable for one in value.arguments):
            kind = KIND[value.type]
            if self._regroup and value.function in _REGROUPED and kind in "fc":
                return self.values.regrouped(value)
            if value.function in _EXTREMES and value.type in ("f32", "f64"):
                return self._extreme(value)
        return self.values.value(value)

    def _extreme(self, value: Apply) -> Value:
        kept = REGISTER[value.type]
        x, y = (self.values.register(argument) for argument in value.arguments)
        name = f"@llvm.{_EXTREMES[value.function]}.{value.type}"
        return self.w.line(f"call {kept} {name}({kept} {x}, {kept} {y})")

    def _store(self, buffer: Buffer, indices: tuple[Expression, ...], value: Expression) -> None:
        found = self.values.value(value)
        address = self.values.element(buffer, indices)
        self.values.store(buffer, address, found)

    # ---------------------------------------------------------------- memory

    def asks(self, buffer: Buffer) -> bool:
        """Whether a buffer's memory comes from the arena when it is allocated."""
        plan = self.module.plan
        return not (buffer in plan.own or buffer in plan.offsets or buffer in plan.successors)

    def its_arena(self) -> Register:
        """Where it gets memory whose size only run time knows."""
        if self.arena is None:
            self.module.uses_arena = True
            self.arena = self.w.stack(f"[{ARENA.bytes} x i8]", 8)
            self.w.entry.append(f"  call void @tm_arena_begin(ptr {self.arena})")
        return self.arena

    def _allocate(self, buffer: Buffer) -> Register:
        plan = self.module.plan
        if buffer in self.lent:
            return self.values.base(buffer)
        if buffer in plan.own:
            return self.on_stack(buffer)
        if buffer in plan.offsets:
            return self.values.bases.get(buffer) or self.place_in_arena(buffer)
        if (earlier := plan.successors.get(buffer)) is not None:
            return self.values.base(earlier)
        return self._from_arena(buffer)

    def on_stack(self, buffer: Buffer) -> Register:
        """Memory of its own for a small buffer."""
        return self.w.stack(f"[{static_bytes(buffer) or 1} x i8]", ALIGNMENT)

    def place_in_arena(self, buffer: Buffer) -> Register:
        """The address of a buffer in the memory that those of known size share."""
        offset = self.module.plan.offsets[buffer]
        return self.w.line(f"getelementptr i8, ptr {self.static_arena}, i64 {offset}")

    def _from_arena(self, buffer: Buffer) -> Register:
        size, overflows = self._bytes(buffer)
        asked = self.w.line(f"select i1 {overflows}, i64 -1, i64 {size}")
        return self.claim(asked)

    def claim(self, size: Register) -> Register:
        """Memory of that many bytes; the program is left if there is none."""
        found = self.w.line(f"call ptr @tm_allocate(ptr {self.its_arena()}, i64 {size})")
        good = self.w.line(f"icmp ne ptr {found}, null")
        self._leave_unless(good, OUT_OF_MEMORY, ())
        return found

    def _bytes(self, buffer: Buffer) -> tuple[Register, Register]:
        """The size of a buffer, and whether computing it overflowed (negative sizes do)."""
        total, bad = str(static_bytes(Buffer("", buffer.type, (), "temporary")) or 1), "false"
        pair = "{ i64, i1 }"
        for extent in buffer.shape:
            size = self.values.register(extent)
            product = self.w.line(
                f"call {pair} @llvm.umul.with.overflow.i64(i64 {total}, i64 {size})"
            )
            total = self.w.line(f"extractvalue {pair} {product}, 0")
            over = self.w.line(f"extractvalue {pair} {product}, 1")
            bad = self.w.line(f"or i1 {bad}, {over}")
        return total, bad

    # ---------------------------------------------------------------- calls and checks

    def _return(self, value: Expression | None) -> None:
        if value is None:
            self.w.do("ret void")
        else:
            self.w.do(f"ret {REGISTER[value.type]} {self.values.register(value)}")
        self.w.begin(self.w.fresh_label("unreached"))

    def _call(self, call: NativeCall) -> None:
        if (intrinsic := _INTRINSICS.get(call.function)) is not None:
            target, what, count = map(self.values.register, call.arguments)
            self.w.do(intrinsic.format(target, what, count))
            return
        types = [REGISTER[argument.type] for argument in call.arguments]
        values = [self.values.register(argument) for argument in call.arguments]
        if (packed := self.module.packed.get(call.function)) is not None:
            found = self._packed(packed, list(zip(types, values, strict=True)))
            if call.result is not None:
                self.values.variables[call.result] = found
            return
        result = REGISTER[call.result.type] if call.result else "void"
        self.module.declare(call.function, f"declare {result} @{call.function}({', '.join(types)})")
        shown = ", ".join(f"{type_} {value}" for type_, value in zip(types, values, strict=True))
        instruction = f"call {result} @{call.function}({shown})"
        if call.result is None:
            self.w.do(instruction)
        else:
            self.values.variables[call.result] = self.w.line(instruction)
        if call.function in self.module.failing:
            self.leave_if_failed()

    def _packed(self, packed: Packed, given: list[Word]) -> Register:
        """Call what is shared in the place of a function of the program's own."""
        first = [register for _, register in given[: packed.apart]]
        others = given[packed.apart :]
        table = stored(self.w, others) if others else "null"
        constants = map(str, (*packed.constants, len(others)))
        return self.w.invoke(packed.function, *first, *constants, table)

    def _check(self, condition: Expression, error: int, values: tuple[Expression, ...]) -> None:
        self._leave_unless(self.values.register(condition), error, values)

    def _leave_unless(self, good: Register, error: int, values: tuple[Expression, ...]) -> None:
        going, bad = self.w.fresh_label("good"), self.w.fresh_label("bad")
        self.w.branch(good, going, bad)
        self.w.begin(bad)
        words = [str(error), *(self._word(value) for value in values)]
        for number, word in enumerate(words):
            self.w.do(f"store i64 {word}, ptr {self._error_word(number)}")
        self.leave()
        self.w.begin(going)

    def leave(self) -> None:
        """Jump to where the function ends because of an error."""
        self.leaves = True
        self.w.jump("failed")

    def leave_if_failed(self) -> None:
        """Leave if a function that was called has written an error number."""
        address = self._error_word(0)
        number = self.w.line(f"load i64, ptr {address}")
        self.leave_unless(self.w.line(f"icmp eq i64 {number}, {NO_ERROR}"))

    def leave_unless(self, good: Register) -> None:
        """Leave where something else has written an error number."""
        going = self.w.fresh_label("good")
        self.leaves = True
        self.w.branch(good, going, "failed")
        self.w.begin(going)

    def clear_failure(self) -> None:
        """No error number is written yet."""
        self.w.do(f"store i64 {NO_ERROR}, ptr {self._error_word(0)}")

    def _error_word(self, number: int) -> Register:
        place = self.module.error_word + number
        return self.w.word(self.values.frame, place)

    def finish(self, good: str, failed: str) -> None:
        """End the function: give back the memory that it asked for, and return."""
        exits = [("", good), ("failed", failed)] if self.leaves else [("", good)]
        for label, instruction in exits:
            if label:
                self.w.begin(label)
            if self.arena is not None:
                self.w.invoke(ARENA_END, self.arena)
            self.w.do(instruction)

    def _word(self, expression: Expression) -> Register:
        """A value as 64 bits: signed ones keep their sign."""
        register, type_ = self.values.register(expression), expression.type
        if type_ == "ptr":
            return self.w.line(f"ptrtoint ptr {register} to i64")
        bits = to_bits(self.w, register, type_)
        kept = {"float": "i32", "double": "i64", "i1": "i8"}.get(REGISTER[type_], REGISTER[type_])
        kept = "i16" if type_ in ("f16", "bf16") else kept
        if kept == "i64":
            return bits
        extension = "sext" if KIND[type_] == "i" else "zext"
        return self.w.line(f"{extension} {kept} {bits} to i64")

    # ---------------------------------------------------------------- control

    def loop(self, loop: For) -> None:
        """All iterations of a loop."""
        if self.states_rows and (row := stated_row(loop)) is not None:
            Lanes(self.values, loop, row.store.value.type).store(*row)
        elif (short := short_row(loop)) is not None:
            Lanes(self.values, loop, short.value.type).store(short)
        elif short_rows(loop) is not None or (self.states_rows and stated_rows(loop)):
            self._unrolled(loop)
        elif not isinstance(loop.extent, Literal):
            self.iterate(loop, "0", self.values.register(loop.extent))
        elif loop.extent.value > 0:
            self.iterate(loop, "0", str(loop.extent.value), certain=True)

    def _unrolled(self, loop: For) -> None:
        """One iteration after another; the sums of every row get registers of their own."""
        assert isinstance(loop.extent, Literal)
        for number in range(loop.extent.value):
            self.values.variables[loop.index] = str(number)
            self.run(loop.body)

    def iterate(self, loop: For, begin: Register, extent: Register, certain: bool = False) -> None:
        """Some iterations, tested at their end: the form that LLVM's loop passes want."""
        w = self.w
        if (move := move_of(loop)) is not None:
            write(self.values, loop, move, begin, extent)
            self._lengths.append(_length(loop))
            return
        labels = [w.fresh_label(stem) for stem in ("loop", "next", "end")]
        before = w.label
        if certain:
            w.jump(labels[0])
        else:
            some = w.line(f"icmp slt i64 {begin}, {extent}")
            w.branch(some, labels[0], labels[2])
        w.begin(labels[0])
        step = f"%{labels[1]}.i"
        index = w.phi("i64", (begin, before), (step, labels[1]))
        properties = self._loop_body(loop, index)
        w.jump(labels[1])
        w.begin(labels[1])
        w.define(step, f"add nuw nsw i64 {index}, 1")
        again = w.line(f"icmp slt i64 {step}, {extent}")
        mark = f", !llvm.loop {self.module.loop(properties)}" if properties else ""
        w.branch(again, labels[0], labels[2], mark)
        w.begin(labels[2])

    def _loop_body(self, loop: For, index: Register) -> list[str]:
        """Emit the body; what LLVM may know about the loop."""
        values = self.values
        values.variables[loop.index] = index
        values.extents[loop.index] = loop.extent
        outer = self._regroup, values.group
        self._regroup = loop.reassociate
        properties: list[str] = []
        innermost = not any(isinstance(one, (For, Repeat)) for one in every_statement(loop.body))
        parallel = innermost and independent(loop)
        if parallel:
            group = self.module.access_group()
            values.group = f", !llvm.access.group {group}"
            properties.append(f'!"llvm.loop.parallel_accesses", {group}')
        before, self._lengths = self._lengths, []
        turns = self.w.turns
        self.w.turns += not is_piece(loop)
        self.block(loop.body)
        self.w.turns = turns
        if self._lengths:
            stays = min(self._lengths) >= _LONG and not _regroups_sums(loop)
        else:
            stays = innermost and (_is_short(loop, parallel) or _is_long_chain(loop))
            self._lengths.append(_length(loop) if parallel else 0)
        # Around rows that a function states as vectors there is nothing left to improve.
        stays |= self.states_rows and not innermost and not isinstance(loop.extent, Literal)
        if stays:
            properties.append('!"llvm.loop.unroll.disable"')
        elif parallel and not loop.reassociate and _length(loop) >= _LONG:
            properties.append(self.module.whole_vectors())
        self._lengths = before + self._lengths
        self._regroup, values.group = outer
        del values.extents[loop.index]
        return properties

    def _while(self, loop: Repeat) -> None:
        w = self.w
        labels = [w.fresh_label(stem) for stem in ("while", "body", "after")]
        w.jump(labels[0])
        w.begin(labels[0])
        outer, self._regroup = self._regroup, False
        w.turns += 1
        mark = self._mark(loop.before)
        self.run(loop.before)
        self.values.forget()
        condition = self.values.register(loop.condition)
        w.branch(condition, labels[1], labels[2])
        w.begin(labels[1])
        self.block(loop.body)
        self._release(mark)
        if self.polls:
            self._poll(work_of_turn(loop))
        w.jump(labels[0])
        w.begin(labels[2])
        self._release(mark)
        w.turns -= 1
        self._regroup = outer

    def _poll(self, work: int) -> None:
        """Look for signals once in a while; `work` is what was done since the last time here."""
        w, budget = self.w, self.its_budget()
        ask, bad, onward = (w.fresh_label(stem) for stem in ("ask", "raised", "unasked"))
        before = w.line(f"load i64, ptr {budget}")
        left = w.line(f"sub i64 {before}, {work}")
        w.do(f"store i64 {left}, ptr {budget}")
        spent = w.line(f"icmp slt i64 {left}, 0")
        w.branch(spent, ask, onward, f", {self.module.unlikely()}")
        w.begin(ask)
        w.do(f"store i64 {BUDGET}, ptr {budget}")
        error = w.invoke(self.poll, self.values.frame)
        good = w.line(f"icmp eq i64 {error}, 0")
        w.branch(good, onward, bad)
        w.begin(bad)
        w.do(f"store i64 {error}, ptr {self._error_word(0)}")
        self.leave()
        w.begin(onward)

    def its_budget(self) -> Register:
        """Where it counts the work until signals are looked for."""
        if self.budget is None:
            self.budget = self.w.stack("i64", 8)
            self.w.entry.append(f"  store i64 {BUDGET}, ptr {self.budget}")
        return self.budget

    def _if(self, branch: Choice) -> None:
        w = self.w
        condition = self.values.register(branch.condition)
        then, otherwise, after = (w.fresh_label(stem) for stem in ("then", "else", "after"))
        w.branch(condition, then, otherwise)
        for label, block in ((then, branch.then), (otherwise, branch.otherwise)):
            w.begin(label)
            self.block(block)
            w.jump(after)
        w.begin(after)


def _regroups_sums(loop: For) -> bool:
    """Whether a loop adds numbers up in registers, in any order."""
    return loop.reassociate and any(isinstance(one, Set) for one in every_statement(loop.body))


def _is_short(loop: For, parallel: bool) -> bool:
    """Unrolled before vectors are made of it, a sum would become a chain of additions, and turns
    that fill vectors and are independent as many single numbers, which LLVM is slow to join again.
    """
    if not isinstance(loop.extent, Literal) or not _LONG <= loop.extent.value <= _ROW:
        return False
    return loop.reassociate or (parallel and loop.extent.value % _LANES == 0)


def _is_long_chain(loop: For) -> bool:
    """Turns that hand several numbers on: unrolled, they would wait for each other all the same."""
    handed = sum([isinstance(one, Set) for one in loop.body])
    return handed >= _MUCH and not loop.reassociate


def _length(loop: For) -> int:
    return int(loop.extent.value) if isinstance(loop.extent, Literal) else _LONG
