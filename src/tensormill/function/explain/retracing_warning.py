"""The warning about functions that are traced again and again, and what to do about it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from types import CodeType
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from ...core.process.locks import ForkedLock
from ...core.process.logs import logger
from ...core.source import user_line
from .trace_differences import Difference, advice

WINDOW: Final = 10  # calls, behind those of the oldest trace
TOO_MANY: Final = 5  # traces among them
# Two warnings come at once, as in TensorFlow; further ones at most this often.
SECONDS: Final = 60.0


class Detector:
    """Counts the calls of all functions with the same code, and which of them traced."""

    def __init__(self) -> None:
        # Calls of which nobody was told yet; native code counts, too.
        self.counter: Final = np.zeros(1, np.int64)
        self._calls: Final[deque[int]] = deque()  # of each trace: its own call, and what it served
        self._warnings = 0
        self._last = 0.0
        self._lock: Final = ForkedLock()

    def called(self) -> None:
        """A call was served by a trace that existed."""
        self.counter[0] += 1

    def traced(self, function: Any, difference: Difference | None) -> None:
        """A call had to be traced, and was served."""
        with self._lock():
            if self._calls:
                self._calls[-1] += int(self.counter[0])
            self.counter[0] = 0
            self._calls.append(1)
            while sum(self._calls) - self._calls[0] > WINDOW:
                self._calls.popleft()
            count, calls = len(self._calls), sum(self._calls)
            if count < TOO_MANY or not self._may_warn():
                return
            self._warnings += 1
            self._last = time.monotonic()
        logger.warning("%s", _message(function, count, calls, difference))

    def _may_warn(self) -> bool:
        return self._warnings < 2 or time.monotonic() - self._last > SECONDS


_detectors: Final[WeakKeyDictionary[CodeType, Detector]] = WeakKeyDictionary()
_lock: Final = ForkedLock()


def detector_of(function: Any) -> Detector:
    """The detector of a function's code: functions made by one line of code share it."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        return Detector()
    with _lock():
        found = _detectors.get(code)
        if found is None:
            found = _detectors[code] = Detector()
        return found


def _message(function: Any, traces: int, calls: int, difference: Difference | None) -> str:
    lines = [
        f"{traces} out of the last {calls} calls to {function!r} triggered tf.function retracing. "
        "Tracing is expensive: it runs the Python code and compiles the result."
    ]
    where = user_line()
    if where is not None:
        lines.append(f"  called at {where.file}:{where.line}, in {where.function}: {where.text}")
    lines += [f"  {line}" for line in _reasons(difference)]
    return "\n".join(lines)


def _reasons(difference: Difference | None) -> Sequence[str]:
    if difference is None:
        return (
            "The function object itself is new: make the tf.function once, outside of the loop "
            "(creating @tf.function repeatedly in a loop).",
        )
    return (f"The closest earlier trace differs at {difference}", f"-> {advice(difference)}")
