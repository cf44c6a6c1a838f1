"""How a native loop that may run for ever notices Ctrl-C.

A loop counts the work of its turns down in a register, and once in a while asks `tm_poll`, which
looks at the clock: every twentieth of a second it lets Python handle its signals. Python decides
what a signal means; where that raises, the program is left like after a failed check.

`add_plain` is for programs that have given up Python's lock, `add_general` for those that can call
back.
"""

from __future__ import annotations

from typing import Final

from ..llvm.function_texts import FunctionTexts
from ..llvm.prototypes import (
    CHECK_SIGNALS,
    CLOCK,
    GIVE_LOCK_BACK,
    RESTORE_THREAD,
    SAVE_THREAD,
    SIGNALS,
    TAKE_LOCK,
    Prototype,
)
from ..llvm.writer import Writer
from ..loops.costs import known_cost, may_take_longer
from ..loops.ir import LONG, Program, Repeat
from ..loops.records import record
from ..loops.walk import every_statement

# In hundredths of a nanosecond as `costs` has them: 0.1 ms, in truth some milliseconds at most.
BUDGET: Final = 10_000_000
_TURN: Final = 100
_SECOND: Final = 1_000_000_000  # nanoseconds
_INTERVAL: Final = _SECOND // 20
_RARE: Final = "noinline cold nounwind"

# Nothing but the frame and what no other code sees is touched: so loops keep values in registers.
POLL: Final = Prototype(
    "tm_poll", "i64", ("ptr",), internal=True,
    effects=" memory(argmem: readwrite, inaccessiblemem: readwrite)",
)  # fmt: skip
_MONOTONIC: Final = 1  # the number of the clock
_TIME: Final = record("Time", seconds="i64", nanoseconds="i64")


def add_plain(texts: FunctionTexts, polled: int, thread: int, error: int) -> None:
    """`tm_poll` for the frame's words `polled` and `thread`."""
    w = _asks_when_due(polled)
    at = w.word("%frame", thread)
    w.invoke(RESTORE_THREAD, w.load("ptr", at))
    raised = w.invoke(CHECK_SIGNALS)
    w.store("ptr", w.invoke(SAVE_THREAD), at)
    bad = w.line(f"icmp ne i32 {raised}, 0")
    w.do(f"ret i64 {w.line(f'select i1 {bad}, i64 {error}, i64 0')}")
    texts.add(w, POLL, "frame", hints=_RARE)


def add_general(texts: FunctionTexts, polled: int, context: int) -> None:
    """`tm_poll` for the frame's words `polled` and `context`."""
    w = _asks_when_due(polled)
    lock = w.invoke(TAKE_LOCK)
    error = w.invoke(SIGNALS, "%frame", str(context))
    w.invoke(GIVE_LOCK_BACK, lock)
    w.do(f"ret i64 {error}")
    texts.add(w, POLL, "frame", hints=_RARE)


def _asks_when_due(polled: int) -> Writer:
    """`tm_poll` up to where Python is asked."""
    w = Writer()
    time = w.stack(f"[{_TIME.bytes} x i8]", 8)
    w.invoke(CLOCK, str(_MONOTONIC), time)
    seconds, more = w.get(time, _TIME, "seconds"), w.get(time, _TIME, "nanoseconds")
    now = w.line(f"add i64 {w.line(f'mul i64 {seconds}, {_SECOND}')}, {more}")
    at = w.word("%frame", polled)
    last = w.load("i64", at)
    w.branch(w.line(f"icmp eq i64 {last}, 0"), "note", "look")
    w.begin("look")
    passed = w.line(f"sub i64 {now}, {last}")
    w.branch(w.line(f"icmp sgt i64 {passed}, {_INTERVAL}"), "ask", "on")
    w.begin("note")
    w.store("i64", now, at)
    w.jump("on")
    w.begin("on")
    w.do("ret i64 0")
    w.begin("ask")
    w.store("i64", now, at)
    return w


def has_endless_loops(program: Program) -> bool:
    """Whether anything in a program may go on for as long as it likes."""
    return any(isinstance(one, Repeat) for one in every_statement(program.body))


def work_of_turn(loop: Repeat) -> int:
    """What a turn of a loop takes off the budget, without the loops inside that ask themselves."""
    parts = (*loop.before, *loop.body)
    may_be_long = any(map(may_take_longer, every_statement(parts)))
    return min(_TURN + known_cost(parts) + LONG * may_be_long, BUDGET)
