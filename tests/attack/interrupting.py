"""Ctrl-C at a chosen step of what the main thread does: as CPython delivers it.

A trace function that raises would do so where no signal can: CPython handles signals after calls,
at the begin of functions and at the end of turns of loops. So the hook only counts lines; at the
chosen one it puts `PyErr_SetInterrupt` in its place, which is C, and after which the interpreter
looks for signals where it always does. Nothing in Python traces from then on, or the signal would
be handled in that.
"""

from __future__ import annotations

import ctypes
import gc
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from tests.attack import interrupting as this

OWN = __file__, suppress.__init__.__code__.co_filename

set_interrupt = ctypes.PyDLL(None).PyErr_SetInterrupt
trace_nothing = ctypes.PyDLL(None).Py_IsInitialized
for function in (set_interrupt, trace_nothing):
    function.argtypes, function.restype = [ctypes.py_object] * 3, None


class Interrupter:
    """Runs something and interrupts it at step `line`, `instruction` instructions later."""

    def __init__(self, line: int, instruction: int = 0) -> None:
        self.line, self.instruction = line, instruction
        self.lines = 0
        self.place = ""
        self.raised: BaseException | None = None  # keeps all frames that it came through

    def run(self, act: Callable[[], None]) -> bool:
        """Whether an interrupt came out of `act`, or right after it."""
        # What is raised in callbacks and finalizers of a collection, also by a signal, CPython
        # prints and drops: nothing to be judged. None begins, though the collector is on.
        thresholds = gc.get_threshold()
        gc.set_threshold(0)
        before = signal.signal(signal.SIGINT, self.handle)
        try:
            sys.settrace(self.enter)
            try:
                act()
            finally:
                sys.settrace(None)
        except KeyboardInterrupt as error:
            self.raised = error
            return True
        except RuntimeError as error:
            # CPython's own: a thread's `start` gives up a lock twice where it is interrupted.
            if not isinstance(error.__context__, KeyboardInterrupt):
                raise
            self.raised = error
            return True
        finally:
            signal.signal(signal.SIGINT, before)
            gc.set_threshold(*thresholds)
        return False

    def handle(self, number: int, frame: FrameType | None) -> None:
        sys.settrace(None)
        if not self.place:
            self.place = told(frame)
            raise KeyboardInterrupt

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename == this.__file__:
            return None
        return self.count

    def count(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event != "line":
            return self.count
        self.lines += 1
        if self.lines != self.line:
            return self.count
        if self.instruction == 0:
            return last_traced(frame)
        frame.f_trace_opcodes = True
        return self.count_instructions

    def count_instructions(self, frame: FrameType, event: str, arg: Any) -> Any:
        self.instruction -= 1
        return last_traced(frame) if self.instruction <= 0 else self.count_instructions


def last_traced(frame: FrameType) -> Any:
    """What traces this frame when no other is traced any more."""
    sys.settrace(trace_nothing)
    outer = frame.f_back
    while outer is not None:
        outer.f_trace, outer = None, outer.f_back
    return set_interrupt


def told(frame: FrameType | None) -> str:
    """Where that is: the innermost frames."""
    places: list[str] = []
    while frame is not None and len(places) < 4:
        places.append(f"{frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(places)
