"""Loop nests that become functions of their own: those that threads may share, and equal ones."""

from __future__ import annotations

from collections.abc import Callable

from ..loops.costs import BLOCK_WORK, PARALLEL_WORK, cost
from ..loops.effects import Effects, Summaries, given_from_outside
from ..loops.ir import (
    Bind,
    Buffer,
    Call,
    Check,
    Constant,
    Expression,
    For,
    Load,
    Program,
    Variable,
    While,
)
from ..loops.kernels import Description, repeated
from ..loops.walk import every_part, every_statement
from .module import Module
from .statements import Statements
from .types import REGISTER, Register, Value
from .writer import Writer


class Outliner:
    """Decides which loops leave the function they stand in."""

    def __init__(self, module: Module, program: Program) -> None:
        self.module = module
        self.repeated = repeated(program, self._place)
        self._kernels: dict[str, str] = {}
        self._inside = False  # whether a function of ours is being written
        self._summaries = Summaries()

    def _place(self, buffer: Buffer) -> str:
        plan = self.module.plan
        if buffer in plan.own:
            return "own"
        return "given" if buffer in plan.offsets else "asked for"

    def outline(self, statements: Statements, loop: For) -> bool:
        """Emit `loop` elsewhere and call it; False if it had better stay."""
        if self._inside:
            return False
        if loop.parallel and _may_divide(loop) and self._divided(statements, loop):
            return True
        if (description := self.repeated.get(loop)) is not None:
            self._call_kernel(statements, loop, description)
            return True
        return False

    # ---------------------------------------------------------------- equal nests

    def _call_kernel(self, statements: Statements, loop: For, description: Description) -> None:
        values = statements.values
        for buffer in description.buffers:
            if buffer in self.module.plan.offsets and buffer not in values.bases:
                values.bases[buffer] = statements.place_in_arena(buffer)
        if (name := self._kernels.get(description.key)) is None:
            name = self._kernels[description.key] = self.module.fresh("kernel")
            self._write_kernel(name, loop, description)
        given = [f"ptr {values.base(buffer)}" for buffer in description.buffers]
        for variable in description.variables:
            kept = REGISTER[variable.type]
            given += [f"{kept} {each}" for each in _flat(values.value(variable))]
        statements.w.do(f"call void @{name}({', '.join(given)})")

    def _write_kernel(self, name: str, loop: For, description: Description) -> None:
        """Its buffers do not overlap, which its parameters say."""
        w = Writer()
        inner = Statements(self.module, w, "null", self.outline)
        inner.values.tagged = False
        taken: list[str] = []
        for number, buffer in enumerate(description.buffers):
            inner.values.bases[buffer] = f"%b{number}"
            taken.append(f"ptr noalias %b{number}")
        for number, variable in enumerate(description.variables):
            names = [f"%x{number}.{part}" for part in range(2 if variable.type[0] == "c" else 1)]
            taken += [f"{REGISTER[variable.type]} {each}" for each in names]
            inner.values.variables[variable] = _value(names)
        self._inside = True
        inner.loop(loop)
        self._inside = False
        w.do("ret void")
        header = f"define internal void @{name}({', '.join(taken)}) noinline nounwind"
        self.module.add_function(w, header)

    # ---------------------------------------------------------------- loops for threads

    def _divided(self, statements: Statements, loop: For) -> bool:
        """Emit a loop as a function of a range of iterations, if it may be long."""
        known = _known_outside(self._summaries.of(loop))
        iteration = cost(loop.body, known)
        work = _constant_work(loop.extent, iteration)
        if work is not None and work < PARALLEL_WORK:
            return False
        name = self.module.fresh("range")
        context, can_leave = self._write_range(statements, loop, name)
        if can_leave:
            statements.clear_failure()
        self._run(statements, loop, name, context, iteration)
        if can_leave:
            statements.leave_if_failed()
        return True

    def _run(
        self, statements: Statements, loop: For, name: str, context: Register, iteration: Expression
    ) -> None:
        """Divide the loop among threads if it is long enough, else run it at once."""
        w, values = statements.w, statements.values
        extent, each = values.register(loop.extent), values.register(iteration)
        work = w.line(f"mul i64 {extent}, {each}")
        long = w.line(f"icmp sgt i64 {work}, {PARALLEL_WORK}")
        divide, once, after = (w.fresh_label(stem) for stem in ("divide", "once", "done"))
        w.do(f"br i1 {long}, label %{divide}, label %{once}")
        w.begin(divide)
        self.module.declare("tm_parallel_for", "declare void @tm_parallel_for(i64, ptr, ptr, i64)")
        grain = self._grain(w, each)
        w.do(f"call void @tm_parallel_for(i64 {extent}, ptr @{name}, ptr {context}, i64 {grain})")
        w.do(f"br label %{after}")
        w.begin(once)
        w.do(f"call void @{name}(ptr {context}, i64 0, i64 {extent})")
        w.do(f"br label %{after}")
        w.begin(after)

    def _grain(self, w: Writer, iteration: Register) -> Register:
        """Iterations of a block; whole cache lines where they are many."""
        if not iteration.startswith("%"):
            grain = max(BLOCK_WORK // max(int(iteration), 1), 1)
            return str(-(-grain // 64) * 64 if grain > 64 else grain)
        positive = w.line(f"call i64 @llvm.smax.i64(i64 {iteration}, i64 1)")
        grain = w.line(f"sdiv i64 {BLOCK_WORK}, {positive}")
        return w.line(f"call i64 @llvm.smax.i64(i64 {grain}, i64 1)")

    def _write_range(self, statements: Statements, loop: For, name: str) -> tuple[Register, bool]:
        """The function of a range; the words that it needs, and whether it can fail."""
        outer, w = statements.values, Writer()
        inner = Statements(self.module, w, "%frame", self.outline)
        words: list[tuple[str, Register]] = [("ptr", outer.frame)]
        w.entry.append("  %frame = load ptr, ptr %context")
        buffers, variables = given_from_outside(loop)
        for buffer in buffers:
            if buffer not in self.module.places and buffer.space != "constant":
                inner.values.bases[buffer] = _word(w, words, "ptr", outer.base(buffer))
        for variable in variables:
            if variable not in self.module.places:
                kept = REGISTER[variable.type]
                registers = _flat(outer.value(variable))
                inner.values.variables[variable] = _value(
                    [_word(w, words, kept, register) for register in registers]
                )
        self._inside = True
        inner.iterate(loop, "%begin", "%end")
        self._inside = False
        inner.finish("ret void", "ret void")
        header = f"define internal void @{name}(ptr %context, i64 %begin, i64 %end) nounwind"
        self.module.add_function(w, header)
        return _context(statements.w, words), inner.leaves


def _may_divide(loop: For) -> bool:
    return not any(
        isinstance(one, (Call, Check, Bind, While)) for one in every_statement(loop.body)
    )


def _known_outside(effects: Effects) -> Callable[[Expression], bool]:
    """Which extents can be computed before the loop."""

    def is_known(extent: Expression) -> bool:
        return not any(
            isinstance(part, Load) or (isinstance(part, Variable) and part in effects.defines)
            for part in every_part(extent)
        )

    return is_known


def _constant_work(extent: Expression, iteration: Expression) -> int | None:
    if isinstance(extent, Constant) and isinstance(iteration, Constant):
        return int(extent.value) * int(iteration.value)
    return None


def _word(w: Writer, words: list[tuple[str, Register]], kept: str, register: Register) -> Register:
    """Hand a register over as one more word; what it is called in the function."""
    address, name = w.name(), w.name()
    w.entry.append(f"  {address} = getelementptr i64, ptr %context, i64 {len(words)}")
    w.entry.append(f"  {name} = load {kept}, ptr {address}")
    words.append((kept, register))
    return name


def _context(w: Writer, words: list[tuple[str, Register]]) -> Register:
    context = w.stack(f"[{len(words)} x i64]", 8)
    for number, (kept, register) in enumerate(words):
        address = w.line(f"getelementptr i64, ptr {context}, i64 {number}")
        w.do(f"store {kept} {register}, ptr {address}")
    return context


def _flat(value: Value) -> tuple[Register, ...]:
    return (value,) if isinstance(value, str) else value


def _value(registers: list[Register]) -> Value:
    return registers[0] if len(registers) == 1 else (registers[0], registers[1])
