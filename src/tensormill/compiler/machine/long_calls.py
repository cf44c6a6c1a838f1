"""LLVM's long calls, which several threads make at once, each with objects of its own.

llvmlite lets in one thread at a time. LLVM asks for less: what belongs to different contexts may be
worked on side by side. So the two calls that take nearly all of the time go past that lock. A fork
waits for them as for all others: each maker of code has a lock, taken while LLVM works with it.
"""

from __future__ import annotations

import ctypes
import importlib
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, TypeVar, final

from ...core.process.locks import AwaitedLock
from ...core.process.threads import start_thread

Result = TypeVar("Result")
_PASSES: Final = "LLVMPY_RunNewModulePassManager"
_OBJECT: Final = "LLVMPY_TargetMachineEmitToMemory"


@final
class Compiler:
    """What makes code of modules, one at a time: a target machine and a builder of passes."""

    def __init__(self, machine: Any, builder: Any) -> None:
        self.machine = machine
        self._builder = builder
        self._lock = AwaitedLock(is_short=True)

    def run_passes(self, module: Any) -> None:
        """Improve a module."""
        passes = self._builder.getModulePassManager()
        try:
            run = _unlocked(_PASSES)
            with self._lock():
                run(passes, module, self._builder)
        finally:
            _give_back(passes)

    def object_of(self, module: Any) -> bytes:
        """The object code of a module.

        Raises:
            RuntimeError: LLVM has none for it.
        """
        ffi: Any = importlib.import_module("llvmlite.binding.ffi")
        make = _unlocked(_OBJECT)
        with ffi.OutputString() as error:
            with self._lock():
                buffer = make(self.machine, module, 1, error)
            if not buffer:
                raise RuntimeError(str(error))
        try:
            begin, size = (
                ffi.lib.LLVMPY_GetBufferStart(buffer),
                ffi.lib.LLVMPY_GetBufferSize(buffer),
            )
            return ctypes.string_at(begin, size)
        finally:
            ffi.lib.LLVMPY_DisposeMemoryBuffer(buffer)


@cache
def _unlocked(name: str) -> Any:
    """A function of llvmlite's library, as the library has it."""
    library: Any = importlib.import_module("llvmlite.binding.ffi").lib
    function, known = getattr(ctypes.CDLL(library._name), name), getattr(library, name)
    function.argtypes, function.restype = known.argtypes, known.restype
    return function


def _give_back(passes: Any) -> None:
    """Free a pass manager: llvmlite (0.50) inherits a `_dispose` that does nothing for it before
    the one that is meant, which loses 100 KB in each compile.
    """
    manager: Any = importlib.import_module("llvmlite.binding.newpassmanagers").NewPassManager
    if passes._dispose.__func__ is not manager._dispose:
        manager._dispose(passes)
        passes.detach()


def side_by_side(works: Sequence[Callable[[], Result]], threads: int) -> list[Result]:
    """The results of all works, done by this thread and others, `threads` at most."""
    return _Works(works).done(min(threads, len(works)) - 1)


@final
class _Works:
    """Works, of which each thread takes the next one until none is left."""

    def __init__(self, works: Sequence[Callable[[], Any]]) -> None:
        self._works = works
        self._numbers = iter(range(len(works)))  # `next` of it is one step of the interpreter
        self._results: list[Any] = [None] * len(works)
        self._errors: dict[int, BaseException] = {}

    def done(self, helpers: int) -> list[Any]:
        """Their results, when they are done.

        Raises:
            BaseException: what the first of them that failed has raised; others may be undone.
        """
        begun = list[threading.Thread]()
        for _ in range(helpers):
            thread = threading.Thread(target=self._run, name="tensormill-llvm", daemon=False)
            try:
                start_thread(thread)
            except RuntimeError:  # no more threads: this one does the work
                break
            begun.append(thread)
        self._run()
        for thread in begun:
            thread.join()
        if self._errors:
            raise self._errors.pop(min(self._errors))
        return self._results

    def _run(self) -> None:
        for number in self._numbers:
            if self._errors:
                return
            try:
                self._results[number] = self._works[number]()
            except BaseException as error:  # told to whoever waits
                self._errors[number] = error
