"""Many variables are checked in a loop: LLVM takes 2 ms for each one that has code of its own."""

from __future__ import annotations

from typing import Final

from ...core.process.named_tuples import NamedTuple
from ..llvm.function_texts import FunctionTexts
from ..llvm.prototypes import DEC_REF, INC_REF, Prototype
from ..llvm.types import Register
from ..llvm.writer import Writer
from ..loops.records import record
from .entry_context import CONTEXT
from .object_layouts import ARRAY, OBJECT

# A row of the table: where the storage and the dtype stand in the context, where the array does in
# the frame, its rank, and where its sizes begin in the table of sizes.
STATE: Final = record("State", storage="i64", dtype="i64", word="i64", rank="i64", first="i64")
# What is noted while a program runs: an array, and the slot that it was in.
HELD: Final = record("Held", array="ptr", slot="ptr")
# Of the context, the frame, the slot of storages and the notes (or null).
CHECK: Final = Prototype("tm_check_states", "i1", ("ptr", "ptr", "i64", "ptr"), internal=True)
# Of the notes, and of what is put into the variables for the time being.
HOLD: Final = Prototype("tm_hold_states", "void", ("ptr", "ptr"), internal=True)
RELEASE: Final = Prototype("tm_release_states", "void", ("ptr",), internal=True)


class CheckedVariable(NamedTuple):
    """A variable: where its storage and dtype stand in the context, and its array in the frame (in
    words); its sizes; whether it is written.
    """

    storage: int
    dtype: int
    word: int
    sizes: tuple[int, ...]
    written: bool


class StateTable:
    """The variables of one program, those that are written first."""

    def __init__(self, states: list[CheckedVariable]) -> None:
        self.states = sorted(states, key=lambda one: not one.written)
        self.written = sum(one.written for one in states)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.states)

    @property
    def held_bytes(self) -> int:
        """How much memory the notes of all of them take."""
        return HELD.bytes * self.count

    def add_to(self, texts: FunctionTexts, holds: bool) -> None:
        """Write `tm_check_states`, which puts the arrays into the frame; False: something is
        different.

        With `holds` it also notes arrays and slots, which `tm_hold_states` takes out of the
        variables and `tm_release_states` puts back.
        """
        texts.lines += self._tables()
        self._add_check(texts, holds)
        if holds:
            self._add_hold(texts)
            self._add_release(texts)

    def _tables(self) -> list[str]:
        sizes, rows = list[int](), list[str]()
        for one in self.states:
            row = 8 * one.storage, 8 * one.dtype, 8 * one.word, len(one.sizes), len(sizes)
            rows += [f"i64 {number}" for number in row]
            sizes += one.sizes
        numbers = ", ".join(f"i64 {size}" for size in (*sizes, 0))  # one at least
        return [
            f"@tm.states = internal constant [{len(rows)} x i64] [{', '.join(rows)}]",
            f"@tm.sizes = internal constant [{len(sizes) + 1} x i64] [{numbers}]",
        ]

    # ---------------------------------------------------------------- the functions

    def _add_check(self, texts: FunctionTexts, holds: bool) -> None:
        w = Writer()
        array_type = w.get("%context", CONTEXT, "array_type")
        loop = w.begin_loop("state", "next")
        k = loop.number
        row = w.line(f"getelementptr [{STATE.bytes} x i8], ptr @tm.states, i64 {k}")
        storage = w.load("ptr", w.at("%context", w.get(row, STATE, "storage")))
        slot = w.at(storage, "%slot")
        array = w.load("ptr", slot)
        of_array = w.get(array, OBJECT, "type")
        w.branch(w.line(f"icmp eq ptr {of_array}, {array_type}"), "header", "refuse")
        w.begin("header")
        dtype = w.get(array, ARRAY, "dtype")
        wanted = w.load("ptr", w.at("%context", w.get(row, STATE, "dtype")))
        same_dtype = w.line(f"icmp eq ptr {dtype}, {wanted}")
        rank = w.line(f"sext i32 {w.get(array, ARRAY, 'rank')} to i64")
        wanted_rank = w.get(row, STATE, "rank")
        same_rank = w.line(f"icmp eq i64 {rank}, {wanted_rank}")
        only_here = w.line(f"icmp eq i32 {w.get(array, OBJECT, 'references')}, 1")
        is_read = w.line(f"icmp sge i64 {k}, {self.written}")
        may_write = w.line(f"or i1 {only_here}, {is_read}")
        same = w.line(f"and i1 {same_dtype}, {same_rank}")
        w.branch(w.line(f"and i1 {same}, {may_write}"), "data", "refuse")
        w.begin("data")
        data = w.get(array, ARRAY, "data")
        w.store("ptr", data, w.at("%frame", w.get(row, STATE, "word")))
        if holds:
            held = _note(w, k)
            w.put(array, held, HELD, "array")
            w.put(slot, held, HELD, "slot")
        sizes, first = w.get(array, ARRAY, "sizes"), w.get(row, STATE, "first")
        _check_sizes(w, sizes, first, wanted_rank)
        w.begin("next")
        w.end_loop(loop, self.count, "done")
        w.do("ret i1 true")
        w.begin("refuse")
        w.do("ret i1 false")
        texts.add(w, CHECK, "context", "frame", "slot", "held", hints="nounwind")

    def _add_hold(self, texts: FunctionTexts) -> None:
        w = Writer()
        loop = w.begin_loop("hold", "next")
        k = loop.number
        held = _note(w, k)
        w.invoke(INC_REF, w.get(held, HELD, "array"))
        w.branch(w.line(f"icmp slt i64 {k}, {self.written}"), "lend", "next")
        w.begin("lend")
        w.invoke(INC_REF, "%lent")
        w.store("ptr", "%lent", w.get(held, HELD, "slot"))
        w.jump("next")
        w.begin("next")
        w.end_loop(loop, self.count, "done")
        w.do("ret void")
        texts.add(w, HOLD, "held", "lent")

    def _add_release(self, texts: FunctionTexts) -> None:
        w = Writer()
        loop = w.begin_loop("release", "next")
        k = loop.number
        held = _note(w, k)
        array = w.get(held, HELD, "array")
        w.branch(w.line(f"icmp slt i64 {k}, {self.written}"), "give.back", "next")
        w.begin("give.back")
        slot = w.get(held, HELD, "slot")
        stand_in = w.load("ptr", slot)
        w.store("ptr", array, slot)
        w.invoke(DEC_REF, stand_in)
        w.jump("next")
        w.begin("next")
        w.invoke(DEC_REF, array)
        w.end_loop(loop, self.count, "done")
        w.do("ret void")
        texts.add(w, RELEASE, "held")


def _note(w: Writer, k: Register) -> Register:
    """Where the note of a variable is."""
    return w.line(f"getelementptr [{HELD.bytes} x i8], ptr %held, i64 {k}")


def _check_sizes(w: Writer, sizes: Register, first: Register, rank: Register) -> None:
    """Go on to `next` where an array's sizes are those of the table from `first` on."""
    before, following = w.label, w.name()
    w.jump("axis")
    w.begin("axis")
    j = w.phi("i64", ("0", before), (following, "size"))
    w.branch(w.line(f"icmp slt i64 {j}, {rank}"), "size", "next")
    w.begin("size")
    size = w.load("i64", w.word(sizes, j))
    wanted = w.load("i64", w.word("@tm.sizes", w.line(f"add i64 {first}, {j}")))
    w.define(following, f"add i64 {j}, 1")
    w.branch(w.line(f"icmp eq i64 {size}, {wanted}"), "axis", "refuse")
