"""How a native loop that may run for ever notices Ctrl-C, in LLVM IR.

A loop counts the work of its turns down in a register, and once in a while asks `tm_poll`, which
looks at the clock: every twentieth of a second it lets Python handle its signals. Python decides
what a signal means; where that raises, the program is left like after a failed check.

`plain` is for programs that have given up Python's lock, `general` for those that can call back.
"""

from __future__ import annotations

from typing import Final

from ..loops.costs import known_cost, may_take_longer
from ..loops.ir import LONG, Program, Repeat
from ..loops.walk import every_statement

POLL: Final = "tm_poll"
# In hundredths of a nanosecond as `costs` has them: 0.1 ms, in truth some milliseconds at most.
BUDGET: Final = 10_000_000
_TURN: Final = 100
_INTERVAL: Final = 50_000_000  # nanoseconds

# Nothing but the frame and what no other code sees is touched: so loops keep values in registers.
CALL: Final = "call i64 @tm_poll(ptr %frame) memory(argmem: readwrite, inaccessiblemem: readwrite)"

_CLOCK: Final = """
declare i32 @clock_gettime(i32, ptr)

define internal i64 @tm_poll(ptr %frame) noinline cold nounwind {{
entry:
  %time = alloca [2 x i64]
  %unknown = call i32 @clock_gettime(i32 1, ptr %time)
  %seconds = load i64, ptr %time
  %more.at = getelementptr i64, ptr %time, i64 1
  %more = load i64, ptr %more.at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %more
  %last.at = getelementptr i64, ptr %frame, i64 {polled}
  %last = load i64, ptr %last.at
  %first = icmp eq i64 %last, 0
  br i1 %first, label %note, label %look
look:
  %passed = sub i64 %now, %last
  %long = icmp sgt i64 %passed, {interval}
  br i1 %long, label %ask, label %on
note:
  store i64 %now, ptr %last.at
  br label %on
on:
  ret i64 0
ask:
  store i64 %now, ptr %last.at
{ask}
}}
"""

_PLAIN: Final = """\
  %thread.at = getelementptr i64, ptr %frame, i64 {thread}
  %thread = load ptr, ptr %thread.at
  call void @PyEval_RestoreThread(ptr %thread)
  %raised = call i32 @PyErr_CheckSignals()
  %again = call ptr @PyEval_SaveThread()
  store ptr %again, ptr %thread.at
  %bad = icmp ne i32 %raised, 0
  %error = select i1 %bad, i64 {error}, i64 0
  ret i64 %error"""

_GENERAL: Final = """\
  %gil = call i32 @PyGILState_Ensure()
  %error = call i64 @tm_signals(ptr %frame)
  call void @PyGILState_Release(i32 %gil)
  ret i64 %error"""

# With Python's lock held: 0, or an error number after the exception has been put in the frame.
_SIGNALS: Final = """
declare i32 @PyErr_CheckSignals()
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare void @PyErr_NormalizeException(ptr, ptr, ptr)
declare void @Py_DecRef(ptr)
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)

define internal i64 @tm_signals(ptr %frame) noinline nounwind {{
entry:
  %raised = call i32 @PyErr_CheckSignals()
  %bad = icmp ne i32 %raised, 0
  br i1 %bad, label %take, label %fine
fine:
  ret i64 0
take:
  %type.at = alloca ptr
  %value.at = alloca ptr
  %trace.at = alloca ptr
  call void @PyErr_Fetch(ptr %type.at, ptr %value.at, ptr %trace.at)
  call void @PyErr_NormalizeException(ptr %type.at, ptr %value.at, ptr %trace.at)
  %type = load ptr, ptr %type.at
  call void @Py_DecRef(ptr %type)
  %trace = load ptr, ptr %trace.at
  call void @Py_DecRef(ptr %trace)
  %value = load ptr, ptr %value.at
  %kept.at = getelementptr i64, ptr %frame, i64 {kept}
  store ptr %value, ptr %kept.at
  ret i64 {error}
}}
"""


def plain(polled: int, thread: int, error: int) -> str:
    """`tm_poll` for the frame's words `polled` and `thread`."""
    ask = _PLAIN.format(thread=thread, error=error)
    declared = "declare i32 @PyErr_CheckSignals()\n"
    return declared + _CLOCK.format(polled=polled, interval=_INTERVAL, ask=ask)


def general(polled: int) -> str:
    """`tm_poll` for the frame's word `polled`, beside `signals`."""
    return _CLOCK.format(polled=polled, interval=_INTERVAL, ask=_GENERAL)


def signals(kept: int, error: int) -> str:
    """`tm_signals`, which puts an exception (a reference to it) into the frame's word `kept`."""
    return _SIGNALS.format(kept=kept, error=error)


def has_endless_loops(program: Program) -> bool:
    """Whether anything in a program may go on for as long as it likes."""
    return any(isinstance(one, Repeat) for one in every_statement(program.body))


def work_of_turn(loop: Repeat) -> int:
    """What a turn of a loop takes off the budget, without the loops inside that ask themselves."""
    parts = (*loop.before, *loop.body)
    may_be_long = any(map(may_take_longer, every_statement(parts)))
    return min(_TURN + known_cost(parts) + LONG * may_be_long, BUDGET)
