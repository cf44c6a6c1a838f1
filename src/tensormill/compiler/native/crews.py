"""The machine code that runs sides of a program (sides.py) at the same time, a part of the pool's.

`tm_beside(crew, count, work)` runs `count` sides: one after the other where `work`, which is what
all but the longest take, is short, else as blocks of the pool, of which each thread takes the next.
A side whose predecessor has failed ends, or does not begin: who runs one after the other never
comes to it.

A side asks `tm_look` for signals, with its frame. Python hears of them by the thread that called,
from a side which that thread runs, or while it waits for the others: only that thread may ask.
"""

from __future__ import annotations

from typing import Final

from ..llvm.function_texts import FunctionTexts
from ..llvm.prototypes import (
    BESIDE,
    LOOK,
    PARALLEL_FOR,
    SLEEP,
    THIS_THREAD,
    Prototype,
)
from ..llvm.types import Register
from ..llvm.writer import Writer
from ..lowered import INTERRUPTED
from .records import CREW, SIDE

# What all sides but the longest take at least, in hundredths of a nanosecond: waking a thread, and
# making frames, takes some microseconds, and the costs of calls are guesses.
WORTH: Final = 20_000_000
# Turns of waiting after which who called sleeps in between, so many microseconds.
_LONG: Final = 4000
_NAP: Final = 50

DIVISION: Final = PARALLEL_FOR._replace(name="side_by_side", internal=True)
PATIENCE: Final = Prototype("patience", "void", ("ptr", "i64"), internal=True)
_IN_ORDER: Final = PARALLEL_FOR._replace(name="in_order", internal=True)
_SIDE: Final = Prototype("side", "void", ("ptr", "i64", "i64"), internal=True)
_ASK: Final = Prototype("ask", "i64", ("ptr",), internal=True)
_NOBODY: Final = -1  # of sides, all come after this one


def add_crews(texts: FunctionTexts) -> None:
    """`tm_beside`, `tm_look`, and what they need."""
    _add_beside(texts)
    _add_side(texts)
    _add_look(texts)
    _add_ask(texts)
    _add_patience(texts)


def _add_beside(texts: FunctionTexts) -> None:
    w = Writer()
    w.put(w.invoke(THIS_THREAD), "%crew", CREW, "thread")
    w.branch(w.line(f"icmp sge i64 %work, {WORTH}"), "beside", "alone")
    for label, function in (("beside", DIVISION), ("alone", _IN_ORDER)):
        w.begin(label)
        w.invoke(function, "%count", f"@{_SIDE.name}", "%crew", "1")
        w.do("ret void")
    texts.add(w, BESIDE, "crew", "count", "work")


def _add_side(texts: FunctionTexts) -> None:
    """Run side `begin`, unless one before it has failed."""
    w = Writer()
    stop = _stop(w, "%crew")
    w.branch(w.line(f"icmp slt i64 {stop}, %begin"), "exit", "run")
    w.begin("run")
    function = w.load("ptr", w.word(w.get("%crew", CREW, "functions"), "%begin"))
    before = w.line(f"mul i64 %begin, {w.get('%crew', CREW, 'bytes')}")
    frame = w.at(w.at("%crew", CREW.bytes + SIDE.bytes), before)
    table = w.get("%crew", CREW, "table")
    failed = w.line(f"call i32 {function}(ptr {frame}, ptr {table})")
    w.branch(w.line(f"icmp eq i32 {failed}, 0"), "exit", "failed")
    w.begin("failed")
    _end_after(w, "%crew", "%begin")
    w.jump("exit")
    w.begin("exit")
    w.do("ret void")
    texts.add(w, _SIDE, "crew", "begin", "end")


def _add_look(texts: FunctionTexts) -> None:
    """0, or an error number with which the side that has this frame must leave."""
    w = Writer()
    side = w.at("%frame", -SIDE.bytes)
    crew, number = w.get(side, SIDE, "crew"), w.get(side, SIDE, "number")
    w.branch(w.line(f"icmp slt i64 {_stop(w, crew)}, {number}"), "leave", "goes")
    w.begin("leave")
    w.do(f"ret i64 {INTERRUPTED}")
    w.begin("goes")
    thread = w.get(crew, CREW, "thread")
    w.branch(w.line(f"icmp eq i64 {w.invoke(THIS_THREAD)}, {thread}"), "ask", "other")
    w.begin("other")
    w.do("ret i64 0")
    w.begin("ask")
    w.do(f"ret i64 {w.invoke(_ASK, crew)}")
    texts.add(w, LOOK, "frame")


def _add_ask(texts: FunctionTexts) -> None:
    """Ask for signals as the frame around does; where a handler raised, all sides end."""
    w = Writer()
    poll, frame = w.get("%crew", CREW, "poll"), w.get("%crew", CREW, "frame")
    w.branch(w.line(f"icmp eq ptr {poll}, null"), "fine", "call")
    w.begin("call")
    raised = w.line(f"call i64 {poll}(ptr {frame})")
    w.branch(w.line(f"icmp eq i64 {raised}, 0"), "fine", "raised")
    w.begin("fine")
    w.do("ret i64 0")
    w.begin("raised")
    w.put(raised, "%crew", CREW, "raised")
    _end_after(w, "%crew", str(_NOBODY))
    w.do(f"ret i64 {raised}")
    texts.add(w, _ASK, "crew")


def _add_patience(texts: FunctionTexts) -> None:
    """What who called does while others run; a handler that raised is not called again."""
    w = Writer()
    raised = w.get("%crew", CREW, "raised")
    w.branch(w.line(f"icmp eq i64 {raised}, 0"), "ask", "wait")
    w.begin("ask")
    w.invoke(_ASK, "%crew")
    w.jump("wait")
    w.begin("wait")
    w.branch(w.line(f"icmp ugt i64 %turns, {_LONG}"), "sleep", "exit")
    w.begin("sleep")
    w.invoke(SLEEP, str(_NAP))
    w.jump("exit")
    w.begin("exit")
    w.do("ret void")
    texts.add(w, PATIENCE, "crew", "turns")


def _stop(w: Writer, crew: Register) -> Register:
    """Which side is the first that failed."""
    address = w.field(crew, CREW, "stop")
    return w.line(f"load atomic i64, ptr {address} monotonic, align 8")


def _end_after(w: Writer, crew: Register, number: Register) -> None:
    """Let sides end that come after this one."""
    address = w.field(crew, CREW, "stop")
    w.do(f"atomicrmw min ptr {address}, i64 {number} monotonic")
