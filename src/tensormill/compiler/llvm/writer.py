"""Writing the text of LLVM functions, and what a module of them needs besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...core.process.named_tuples import NamedTuple
from ..loops.functions import cost_of
from .signatures import signature
from .types import REGISTER, Register, Value

if TYPE_CHECKING:
    from ..loops.records import Record
    from .prototypes import Prototype


class CountedLoop(NamedTuple):
    """A loop that is being written: the number of its turn, counted from 0, that of the next turn,
    and where turns begin.
    """

    number: Register
    following: Register
    label: str


class Writer:
    """The lines of one function, from its entry block on.

    `needs` collects the symbols of definitions that the lines call (see `definitions.py`), `called`
    other functions (see `prototypes.py`). `turns`: in how many loops the next line stands. `once`
    counts the calls of definitions in code that runs once, for all functions of a module.
    """

    __slots__ = ("_count", "_tables", "called", "entry", "label", "lines", "needs", "once", "turns")

    def __init__(self, once: dict[tuple[str, str], int] | None = None) -> None:
        self.lines: list[str] = []
        self.entry: list[str] = []  # what must stand at the beginning: memory on the stack
        self.label = "entry"
        self.needs: dict[tuple[str, str], None] = {}
        self.once = {} if once is None else once
        self.called: dict[Prototype, None] = {}
        self._count = 0
        self._tables: dict[int, Register] = {}
        self.turns = 0

    def name(self) -> Register:
        """A fresh register: `define` says later what is in it."""
        self._count += 1
        return f"%v{self._count}"

    def line(self, instruction: str) -> Register:
        """Add an instruction; its result."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def define(self, name: Register, instruction: str) -> None:
        """Add an instruction whose result was named before."""
        self.lines.append(f"  {name} = {instruction}")

    def do(self, instruction: str) -> None:
        """Add an instruction without result."""
        self.lines.append(f"  {instruction}")

    # ---------------------------------------------------------------- blocks

    def fresh_label(self, stem: str) -> str:
        """A label that no block has."""
        self._count += 1
        return f"{stem}{self._count}"

    def begin(self, label: str) -> None:
        """Begin a block; the block before must have been ended."""
        self.lines.append(f"{label}:")
        self.label = label

    def jump(self, label: str) -> None:
        """End a block: go on at another."""
        self.lines.append(f"  br label %{label}")

    def branch(self, condition: Register, then: str, otherwise: str, mark: str = "") -> None:
        """End a block: go on at one of two. `mark`: metadata of the branch."""
        self.lines.append(f"  br i1 {condition}, label %{then}, label %{otherwise}{mark}")

    def phi(self, type_: str, *ways: tuple[Register, str]) -> Register:
        """What is in a register, for each block that the control comes from."""
        shown = ", ".join([f"[ {register}, %{label} ]" for register, label in ways])
        return self.line(f"phi {type_} {shown}")

    def begin_loop(self, label: str, latch: str) -> CountedLoop:
        """End a block: begin a loop, whose turns end in the block `latch`."""
        before, following = self.label, self.name()
        self.jump(label)
        self.begin(label)
        return CountedLoop(self.phi("i64", ("0", before), (following, latch)), following, label)

    def end_loop(self, loop: CountedLoop, count: int, after: str) -> None:
        """Begin turn after turn up to so many, then the block `after`."""
        self.define(loop.following, f"add i64 {loop.number}, 1")
        again = self.line(f"icmp slt i64 {loop.following}, {count}")
        self.branch(again, loop.label, after)
        self.begin(after)

    # ---------------------------------------------------------------- memory

    def stack(self, type_: str, alignment: int) -> Register:
        """Memory that lives as long as the function runs."""
        self._count += 1
        name = f"%m{self._count}"
        self.entry.append(f"  {name} = alloca {type_}, align {alignment}")
        return name

    def table(self, words: int) -> Register:
        """Memory for so many words, the same for all that ask for as many: for one call each."""
        if (known := self._tables.get(words)) is None:
            known = self._tables[words] = self.stack(f"[{words} x i64]", 8)
        return known

    def at(self, base: Register, offset: int | Register) -> Register:
        """The address so many bytes on."""
        return self.line(f"getelementptr i8, ptr {base}, i64 {offset}")

    def word(self, base: Register, number: int | Register) -> Register:
        """The address so many words on."""
        return self.line(f"getelementptr i64, ptr {base}, i64 {number}")

    def load(self, type_: str, address: Register) -> Register:
        """What is in memory."""
        return self.line(f"load {type_}, ptr {address}")

    def store(self, type_: str, value: Register, address: Register) -> None:
        """Put a value into memory."""
        self.lines.append(f"  store {type_} {value}, ptr {address}")

    def field(self, base: Register, record: Record, name: str) -> Register:
        """The address of a record's field."""
        return self.at(base, record.fields[name].offset)

    def get(self, base: Register, record: Record, name: str) -> Register:
        """What is in a record's field."""
        field = record.fields[name]
        address = self.line(f"getelementptr i8, ptr {base}, i64 {field.offset}")
        return self.line(f"load {REGISTER[field.type]}, ptr {address}")

    def put(self, value: Register, base: Register, record: Record, name: str) -> None:
        """Set a record's field."""
        type_ = REGISTER[record.fields[name].type]
        self.store(type_, value, self.field(base, record, name))

    # ---------------------------------------------------------------- calls

    def invoke(self, function: Prototype, *arguments: Register) -> Register:
        """Call a function; its result, where it has one."""
        self.called[function] = None
        if function.result != "void":
            return self.line(function.call(arguments))
        self.do(function.call(arguments))
        return "void"

    def call(self, function: str, type_: str, *arguments: Value) -> Value:
        """Call `@tm.<function>.<type>`, which `definitions.py` knows."""
        stays = self._stays_call(function, type_)
        taken, given = signature(function, type_)
        flat = [each for one in arguments for each in ((one,) if isinstance(one, str) else one)]
        shown = ", ".join(f"{taken} {each}" for each in flat)
        result = self.line(f"call {given} @tm.{function}.{type_}({shown}){stays}")
        if not given.startswith("{"):
            return result
        first = self.line(f"extractvalue {given} {result}, 0")
        return first, self.line(f"extractvalue {given} {result}, 1")

    def _stays_call(self, function: str, type_: str) -> str:
        """In the place of a call come the instructions of the function: in loops, which become
        vectors, and some times where they run once. There long rows would be all LLVM works on,
        in however many functions they stand.
        """
        self.needs[function, type_] = None
        if self.turns or cost_of(function) <= _LITTLE:
            return ""
        known = self.once.get((function, type_), 0)
        self.once[function, type_] = known + 1
        return " noinline" if known >= _WRITTEN_OUT else ""

    def text(self, header: str) -> str:
        """The function's definition; `header` ends before the opening brace."""
        return "\n".join([f"{header} {{", "entry:", *self.entry, *self.lines, "}"])


_WRITTEN_OUT: Final = 8
_LITTLE: Final = 10
_PURE: Final = "nounwind willreturn nofree norecurse nosync memory(none)"
INLINED: Final = f"alwaysinline {_PURE}"
CALLED: Final = _PURE


class Metadata:
    """Numbered metadata of a module, from !0 on."""

    __slots__ = ("_known", "lines")

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: dict[str, str] = {}

    def add(self, body: str, distinct: bool = False) -> str:
        """A node; equal bodies share one unless they are distinct. `{self}` names the node."""
        if not distinct and (known := self._known.get(body)) is not None:
            return known
        name = f"!{len(self.lines)}"
        word = "distinct " if distinct else ""
        self.lines.append(f"{name} = {word}!{{{body.replace('{self}', name)}}}")
        if not distinct:
            self._known[body] = name
        return name
