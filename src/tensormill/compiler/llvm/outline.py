"""Loop nests that become functions of their own: those that threads may share, and equal ones.

    define internal void @kernel.1(ptr noalias %b0, …, i64 %x0, …)
    define internal void @kernel.2(ptr noalias %b0, …, i64 %x0, …, i64 %begin, i64 %end)
    define internal void @range.3(ptr %context, i64 %begin, i64 %end)            for threads

A kernel's parameters are what the nest gets from outside (`loops/kernels.py`), so nests that are
alike but for those share one. A range's context has the address of its kernel, and what that takes:
kernels that take alike share a range. A nest that asks for memory while it runs reads the frame
instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..loops.costs import PARALLEL_WORK, cost
from ..loops.effects import Summaries, given_from_outside, may_divide
from ..loops.glue import is_glue
from ..loops.ir import (
    Buffer,
    Expression,
    For,
    Literal,
    Load,
    Local,
    Program,
)
from ..loops.kernels import Description, MemoryFrom, describe, descriptions, functions_of
from ..loops.walk import every_part
from .module import ModuleText
from .moves import move_of
from .prototypes import DIVIDED_FOR, PARALLEL_FOR
from .statements import Outline, Statements
from .types import REGISTER, Register
from .words import Word, flat, joined, stored, take, taken
from .writer import Writer

if TYPE_CHECKING:
    from .block_functions import BlockFunctions


class Outliner:
    """Decides which loops leave the function they stand in."""

    def __init__(self, module: ModuleText, program: Program) -> None:
        self.module = module
        self._described = descriptions(program, self._place)
        module.is_glue = is_glue(program)
        self._functions = functions_of(program, self._described, every=module.is_glue)
        self._kernels: dict[str, str] = {}
        self._ranges: dict[tuple[str, ...], str] = {}  # by the types of what kernels take
        self._inside = False  # whether a function of ours is being written
        self._summaries = Summaries()
        self.block_functions: BlockFunctions | None = None

    def _place(self, buffer: Buffer) -> MemoryFrom:
        plan = self.module.plan
        if buffer in plan.own:
            return "stack"
        return "caller" if buffer in plan.offsets else "system"

    def outline(self, statements: Statements, loop: For) -> bool:
        """Emit `loop` elsewhere and call it; False if it had better stay."""
        if self._inside:
            return False
        if loop.parallel and may_divide(loop) and self._divide(statements, loop):
            return True
        if self.module.is_glue and move_of(loop) is not None:
            return False
        if (description := self._functions.get(loop)) is None:
            return self._outline_alone(statements, loop)
        name = self._kernel(loop, description, whole=True)
        _call(statements.w, f"@{name}", self._given(statements, description))
        return True

    def _outline_alone(self, statements: Statements, loop: For) -> bool:
        """Glue has no loops: those that no kernel can be become parts."""
        if self.block_functions is None or not self.module.is_glue:
            return False
        self._inside = True
        self.block_functions.call(statements, loop)
        self._inside = False
        return True

    # ---------------------------------------------------------------- kernels

    def _given(self, statements: Statements, description: Description) -> list[Word]:
        """What a kernel gets."""
        values = statements.values
        for buffer in description.buffers:
            if buffer in self.module.plan.offsets and buffer not in values.bases:
                values.bases[buffer] = statements.place_in_arena(buffer)
        words = [("ptr", values.base(buffer)) for buffer in description.buffers]
        for variable in description.variables:
            words += [(REGISTER[variable.type], one) for one in flat(values.value(variable))]
        return words

    def _kernel(self, loop: For, description: Description, whole: bool) -> str:
        """The name of the function of a nest (or of a range of it), written when first wanted."""
        pointed = [self._is_pointed(buffer) for buffer in description.buffers]
        key = f"{whole} {pointed} {description.key}"
        if (name := self._kernels.get(key)) is None:
            name = self._kernels[key] = self.module.fresh("kernel")
            self._write_kernel(name, loop, description, whole)
        return name

    def _is_pointed(self, buffer: Buffer) -> bool:
        return buffer.space == "pointer" or buffer in self.module.plan.escape

    def _write_kernel(self, name: str, loop: For, description: Description, whole: bool) -> None:
        """Its buffers do not overlap, which its parameters say (several pointers are left out)."""
        w = self.module.writer()
        inner = Statements(self.module, w, "null", self.outline)
        inner.values.tagged = False
        taken: list[str] = []
        several = sum(map(self._is_pointed, description.buffers)) > 1
        for number, buffer in enumerate(description.buffers):
            inner.values.bases[buffer] = f"%b{number}"
            mark = "" if several and self._is_pointed(buffer) else "noalias "
            taken.append(f"ptr {mark}%b{number}")
        for number, variable in enumerate(description.variables):
            names = [f"%x{number}.{part}" for part in range(2 if variable.type[0] == "c" else 1)]
            taken += [f"{REGISTER[variable.type]} {each}" for each in names]
            inner.values.variables[variable] = joined(names)
        self._inside = True
        if whole:
            inner.loop(loop)
        else:
            taken += ["i64 %begin", "i64 %end"]
            inner.iterate(loop, "%begin", "%end")
        self._inside = False
        w.do("ret void")
        header = f"define internal void @{name}({', '.join(taken)}) noinline nounwind"
        self.module.add_function(w, header)

    # ---------------------------------------------------------------- loops for threads

    def _divide(self, statements: Statements, loop: For) -> bool:
        """Emit a loop as a function of a range of iterations, if it may be long."""
        iteration = cost(loop.body, self._known_outside(loop))
        work = _constant_work(loop.extent, iteration)
        if work is not None and work < PARALLEL_WORK:
            return False
        description = self._description(loop)
        if description is None:
            self._divide_with_frame(statements, loop, iteration)
            return True
        name = self._kernel(loop, description, whole=False)
        given = self._given(statements, description)
        words: list[Word] = [("ptr", f"@{name}"), *given]
        whole = _Whole(statements, loop, iteration)
        if statements.w.turns:
            whole.call_if_short(f"@{name}", given, self._range(given), words)
        else:
            whole.divide(self._range(given), words)
        return True

    def _description(self, loop: For) -> Description | None:
        if loop not in self._described:
            self._described[loop] = describe(loop, self._place)
        return self._described[loop]

    def _known_outside(self, loop: For) -> Callable[[Expression], bool]:
        """Which extents can be computed before the loop."""

        def is_known(extent: Expression) -> bool:
            return not any(
                isinstance(part, Load)
                or (isinstance(part, Local) and part in self._summaries.of(loop).defines)
                for part in every_part(extent)
            )

        return is_known

    def _range(self, given: list[Word]) -> str:
        """The name of the function that gives such words, and a range, to a kernel."""
        types = tuple([type_ for type_, _ in given])
        if (known := self._ranges.get(types)) is None:
            known = self._ranges[types] = self.module.fresh("range")
            w = self.module.writer()
            words = [
                (type_, take(w, type_, number)) for number, type_ in enumerate(("ptr", *types))
            ]
            kernel = words.pop(0)[1]
            _call(w, kernel, [*words, ("i64", "%begin"), ("i64", "%end")])
            w.do("ret void")
            self.module.add_function(w, _range_header(known))
        return known

    # ---------------------------------------------------------------- nests that ask for memory

    def _divide_with_frame(self, statements: Statements, loop: For, iteration: Expression) -> None:
        """The range function reads the frame, where it also says that memory ran out."""
        self._inside = True
        name, words, leaves = _write_range_with_frame(statements, loop, self.outline)
        self._inside = False
        if leaves:
            statements.clear_failure()
        _Whole(statements, loop, iteration).divide(name, words)
        if leaves:
            statements.leave_if_failed()


def divide(statements: Statements, loop: For) -> bool:
    """Emit a loop that says its grain as a function of a range of iterations, for threads."""
    if loop.grain is None:
        return False
    name, words, leaves = _write_range_with_frame(statements, loop, divide)
    extent, grain = map(statements.values.register, (loop.extent, loop.grain))
    statements.w.invoke(PARALLEL_FOR, extent, f"@{name}", stored(statements.w, words), grain)
    if leaves:
        statements.leave_if_failed()
    return True


class _Whole:
    """All of a loop, for threads where it takes long.

    iteration: how long one takes.
    """

    def __init__(self, statements: Statements, loop: For, iteration: Expression) -> None:
        self._w = statements.w
        registers = map(statements.values.register, (loop.extent, iteration))
        self._extent, self._each = registers

    def divide(self, name: str, given: list[Word]) -> None:
        """Call the function of a range: for all of the loop, or from threads."""
        w = self._w
        w.invoke(DIVIDED_FOR, self._extent, f"@{name}", stored(w, given), self._each)

    def call_if_short(
        self, kernel: Register, given: list[Word], name: str, words: list[Word]
    ) -> None:
        """`divide`, which calls the kernel for all of a short loop. Where another one is around,
        what that takes is felt in each turn (15 ns): there the kernel is called from here.
        """
        w = self._w
        labels = [w.fresh_label(stem) for stem in ("long", "short", "done")]
        work = w.line(f"mul i64 {self._extent}, {self._each}")
        w.branch(w.line(f"icmp sgt i64 {work}, {PARALLEL_WORK}"), *labels[:2])
        w.begin(labels[0])
        self.divide(name, words)
        w.jump(labels[2])
        w.begin(labels[1])
        _call(w, kernel, [*given, ("i64", "0"), ("i64", self._extent)])
        w.jump(labels[2])
        w.begin(labels[2])


def _write_range_with_frame(
    statements: Statements, loop: For, outline: Outline
) -> tuple[str, list[Word], bool]:
    """Its name, what its context holds, and whether it may leave with an error number."""
    module, outer = statements.module, statements.values
    w = module.writer()
    inner = Statements(module, w, "%frame", outline)
    inner.values.tagged, inner.states_rows = outer.tagged, statements.states_rows
    words: list[Word] = [("ptr", outer.frame)]
    w.entry.append("  %frame = load ptr, ptr %context")
    buffers, variables = given_from_outside((loop,))
    for buffer in buffers:
        if buffer not in module.places and buffer.space != "constant":
            inner.values.bases[buffer] = take(w, "ptr", len(words))
            words.append(("ptr", outer.base(buffer)))
    for variable in variables:
        if variable not in module.places:
            inner.values.variables[variable] = taken(w, words, variable, outer.value(variable))
    inner.iterate(loop, "%begin", "%end")
    inner.finish("ret void", "ret void")
    name = module.fresh("range")
    module.add_function(w, _range_header(name))
    return name, words, inner.leaves


def _constant_work(extent: Expression, iteration: Expression) -> int | None:
    if isinstance(extent, Literal) and isinstance(iteration, Literal):
        return int(extent.value) * int(iteration.value)
    return None


# ---------------------------------------------------------------- words


def _range_header(name: str) -> str:
    return f"define internal void @{name}(ptr %context, i64 %begin, i64 %end) nounwind"


def _call(w: Writer, function: Register, given: list[Word]) -> None:
    w.do(f"call void {function}({', '.join(f'{type_} {register}' for type_, register in given)})")
