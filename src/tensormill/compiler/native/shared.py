"""Native functions in modules of their own, which programs share: LAPACK's work (lapack.py),
NumPy's Fourier transforms (fourier/), SciPy's functions (special/), rules of single numbers
(ops/shared_rules.py), and those of the library (library.py) that programs need most often: memory
and products. Each is compiled when one first needs it, and kept until the process ends.

What writes their texts, or what they call, is imported when a module needs it: most come from the
disk, and few programs need LAPACK.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Final

from ...config import settings
from ...core.process.locks import ForkedLock
from ..machine.cache import open_cache
from ..machine.jit import NativeModule, compile_module, load_module, object_key
from .memory import reserve_words
from .names import (
    APART,
    CALLS,
    FOURIER,
    LAPACK,
    MEMORY,
    MODULE_OF,
    RESERVE,
    RULES,
    SHARED,
    SPECIAL,
    THREAD_FUNCTIONS,
    TOGETHER,
)
from .writers import writer_of, written

if TYPE_CHECKING:
    from ..loops.ir import NativeFunction

# LLVM's passes would take 20 ms for calls of CPython, to save 4 ns of microseconds. Without the
# dearest ones, a third of them all, a gamma number takes as long; a Poisson number would take 4 %
# longer.
_QUICKLY: Final = 0
_MOST: Final = {f"{RULES}random__compiled_rejection__gamma_number": 1}
_lock = ForkedLock()


def functions(name: str) -> list[NativeFunction]:
    """The level-2 functions of a module, and what they call."""
    from .library import calls_of, needed  # many programs call none of these

    if name.startswith(SHARED):
        own = written(name)
        names = {one.name for one in own}
        called = [each for one in own for each in calls_of(one) if each not in names]
        return own + needed(called, copied=True)
    return needed(TOGETHER.get(name, (name,)), copied=True)


def address(name: str) -> int:
    """Where the machine code of a function is."""
    module = MODULE_OF.get(name, name)
    with _lock():
        return _module(module, _effort_for(module)).address(name)


def _effort_for(module: str) -> int:
    """As programs are made: LLVM's passes take up to a second for a module of LAPACK or SciPy. What
    every program needs is small, and made once.
    """
    if module in (CALLS, RESERVE):
        return _QUICKLY
    if module in TOGETHER or module.startswith(APART):
        return 2
    return min(settings.effort, _MOST.get(module, settings.effort))


def empty_reserve() -> None:
    """Free all the memory that is kept for calls to come (memory/reserve.py).

    Collections of cycles ask for it, wherever they begin. So it takes no lock: whoever makes a
    module under it may wait for what this thread has. The module is there when memory is held.
    """
    if reserve_words.held():
        memory = _module(MEMORY, _effort_for(MEMORY))
        ctypes.CFUNCTYPE(None, ctypes.c_int64)(memory.address("tm_drop_reserve"))(0)


@cache
def _module(name: str, effort: int) -> NativeModule:
    """The module of this name, or of the function that has one to itself."""
    disk, key, symbols = open_cache(), object_key(name, effort=effort), _symbols(name)
    if found := load_module(key, name=name, symbols=symbols, cache=disk):
        return found
    return compile_module(
        _text(name), name=name, symbols=symbols, cache_key=name, cache=disk, effort=effort
    )


def _text(name: str) -> str:
    """A module's LLVM IR; what writes it is of no use to code from the disk cache."""
    if name == CALLS:
        from ..calling.shared_calls import shared_calls

        return shared_calls()
    if name == RESERVE:
        from .memory.reserve_lock import lock_text

        return lock_text()
    from ..llvm.exported import exported_as

    return exported_as(functions(name), TOGETHER.get(name, (name,)), [*_loops_of(name)])


def _symbols(name: str) -> dict[str, int]:
    """What a function calls that is in no module."""
    if name == RESERVE:
        return {reserve_words.SYMBOL: reserve_words.address()}
    if name == MEMORY:
        return {one: address(one) for one in TOGETHER[RESERVE]}
    if name.startswith(RULES) or name in TOGETHER:
        return {}
    from . import blas, threads

    symbols = {one: threads.address(one) for one in THREAD_FUNCTIONS}
    if name.startswith(FOURIER):
        symbols |= {one: address(one) for one in TOGETHER[RESERVE]}
    if name.startswith(APART):
        from ..loops.cblas import cblas_product

        product = cblas_product(name.removeprefix(APART))
        return symbols | {product: blas.address(product)}
    if name.startswith(LAPACK):
        routines = writer_of(name).routines(name)
        return symbols | {one: blas.address(one) for one in routines}
    from . import ufunc_loops

    for one, (ufunc, types) in _loops_of(name).items():
        loop = ufunc_loops.loop(ufunc, types)
        symbols |= {f"{one}.function": loop.function, f"{one}.data": loop.data}
    return symbols


def _loops_of(name: str) -> dict[str, tuple[str, str]]:
    """What a function calls of NumPy's and SciPy's loops."""
    return writer_of(name).loops_of(name) if name.startswith((FOURIER, SPECIAL)) else {}
