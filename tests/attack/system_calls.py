"""Children whose system calls on files are counted, and end or fail at a chosen one.

They are traced (ptrace(2)), so that no call escapes: not those of libraries, nor of CPython itself.
The numbers and registers are those of Linux on x86-64.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final

_TRACE_ME, _GET_REGISTERS, _SET_REGISTERS, _NEXT_CALL, _SET_OPTIONS = 0, 12, 13, 24, 0x4200
_GOOD_STOPS, _KILL_ON_EXIT = 1, 1 << 20
_CALL_STOP: Final = signal.SIGTRAP | 0x80
_RESULT, _SECOND, _THIRD, _NUMBER = 10, 13, 12, 15  # rax, rsi, rdx, orig_rax
_REGISTERS: Final = ctypes.c_ulonglong * 27
_CREATING: Final = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_RDWR

WRITES: Final = {1: "write", 18: "pwrite64", 20: "writev", 296: "pwritev"}
OPENS: Final = {2: "open", 257: "openat"}
# What may fail on a full disk.
GROWING: Final = WRITES | OPENS | {
    40: "sendfile", 74: "fsync", 75: "fdatasync", 82: "rename", 83: "mkdir", 85: "creat",
    86: "link", 88: "symlink", 258: "mkdirat", 264: "renameat", 265: "linkat", 266: "symlinkat",
    285: "fallocate", 316: "renameat2", 326: "copy_file_range",
}  # fmt: skip
CHANGING: Final = GROWING | {
    73: "flock", 76: "truncate", 77: "ftruncate", 84: "rmdir", 87: "unlink", 90: "chmod",
    91: "fchmod", 92: "chown", 93: "fchown", 260: "fchownat", 263: "unlinkat", 268: "fchmodat",
    280: "utimensat",
}  # fmt: skip


class Fate(Enum):
    """What the chosen call meets."""

    KILL = "killed before it"
    TEAR = "killed when half of it was written"
    FULL = "the disk is full from it on"
    FAIL = "it alone fails"


@dataclass(frozen=True)
class Outcome:
    """How a child ended: `call` is the one that met its fate, None where there were fewer."""

    call: str | None
    error: str
    calls: int


def run(action: Callable[[], object], number: int = -1, fate: Fate = Fate.KILL) -> Outcome:
    """Do something in a child, whose call `number` on files meets its fate."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():  # of threads, which the child does not use
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _act(action, writing)
    os.close(writing)
    with open(reading, "rb") as pipe:
        tracer = _Tracer(child, number, fate)
        tracer.follow()
        return Outcome(tracer.met, pipe.read().decode(), tracer.calls)


def _act(action: Callable[[], object], pipe: int) -> None:
    status = 0
    try:
        _trace(_TRACE_ME, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        action()
    except BaseException as error:
        status = 1
        told = "".join(traceback.format_exception_only(error)).encode()[-4000:]
        ctypes.CDLL(None).kill(os.getpid(), signal.SIGCONT)  # marks the end for the tracer
        os.write(pipe, told)
    finally:
        os._exit(status)


class _Tracer:
    """Follows one child from call to call."""

    def __init__(self, child: int, number: int, fate: Fate) -> None:
        self.calls = 0
        self.met: str | None = None
        self._child, self._number, self._fate = child, number, fate
        self._entered = False
        self._failing = 0
        self._is_over = False
        self._is_killed = False

    def follow(self) -> None:
        _, status = os.waitpid(self._child, 0)
        if not os.WIFSTOPPED(status):
            raise OSError("this system lets no process trace its children")
        _trace(_SET_OPTIONS, self._child, _GOOD_STOPS | _KILL_ON_EXIT)
        passed = 0
        while not self._is_killed:
            _trace(_NEXT_CALL, self._child, passed)
            _, status = os.waitpid(self._child, 0)
            if not os.WIFSTOPPED(status):
                return
            passed = self._stopped(os.WSTOPSIG(status))
        os.waitpid(self._child, 0)

    def _stopped(self, number: int) -> int:
        """The signal that goes on to the child."""
        if number == signal.SIGCONT:
            self._is_over = True
        if number != _CALL_STOP:
            return number
        self._entered = not self._entered
        if self._is_over:
            return 0
        registers = _REGISTERS()
        _trace(_GET_REGISTERS, self._child, ctypes.addressof(registers))
        if self._entered:
            self._enter(registers)
        else:
            self._leave(registers)
        return 0

    def _enter(self, registers: Any) -> None:
        kind = registers[_NUMBER]
        if not _is_counted(registers):
            return
        self.calls += 1
        is_chosen = self.calls == self._number
        if is_chosen:
            self.met = CHANGING[kind]
        if self._fate in (Fate.KILL, Fate.TEAR):
            if is_chosen:
                self._kill(registers)
            return
        is_next = self.met is not None and self._fate is Fate.FULL
        if (is_chosen or is_next) and kind in GROWING:
            self._failing = errno.ENOSPC
            registers[_NUMBER] = 2**64 - 1  # no call
            _trace(_SET_REGISTERS, self._child, ctypes.addressof(registers))

    def _kill(self, registers: Any) -> None:
        if self._fate is Fate.TEAR and registers[_NUMBER] in WRITES and registers[_THIRD] > 1:
            registers[_THIRD] //= 2
            _trace(_SET_REGISTERS, self._child, ctypes.addressof(registers))
            _trace(_NEXT_CALL, self._child)
            os.waitpid(self._child, 0)
        os.kill(self._child, signal.SIGKILL)
        self._is_killed = True

    def _leave(self, registers: Any) -> None:
        if self._failing:
            registers[_RESULT] = 2**64 - self._failing
            self._failing = 0
            _trace(_SET_REGISTERS, self._child, ctypes.addressof(registers))


def _is_counted(registers: Any) -> bool:
    kind = registers[_NUMBER]
    if kind not in OPENS:
        return kind in CHANGING
    return bool(registers[_THIRD if kind == 257 else _SECOND] & _CREATING)


@cache
def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    return libc


def _trace(request: int, child: int, data: int = 0) -> None:
    if _libc().ptrace(request, child, None, data) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
