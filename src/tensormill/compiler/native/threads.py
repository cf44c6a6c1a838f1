"""Native loops divided between threads that wait in native code, without the interpreter's lock.

`tm_parallel_for(count, body, context, grain)` calls `body(context, begin, end)` for every block
of `grain` iterations, at least one: `void body(ptr context, i64 begin, i64 end)`. Blocks are the
same for any number of threads, so what a body computes per block is, too; who takes which block is
left to chance. `tm_divided_for(count, body, context, each)` knows how long an iteration takes: it
makes blocks of a loop that is long, and one call of any other. The pool is machine code
(thread_pool.py). Each thread has a lane, a word in memory, and a lane an equal part of the blocks,
side by side:

    lane, bits     63 ............... 32   31 ................. 0
                    number of the job       next block to take

* A thread takes the blocks of its own lane, then those that are left in others: loops one after
  another go over the same rows, which so stay near the same processor. Two that share no cache but
  the memory's get numbers from each other at a fifth of the pace, or less.
* It reads the job, then takes a block by compare-and-exchange: that succeeds only if the lane is
  still that of the job which was read.
* The caller works as well, then waits until every block is done, and closes the lanes; nobody else
  touches the job then.
* A worker that finds nothing to do spins for some microseconds, then sleeps on the number of the
  job (a futex).
* A second caller, or a body that calls `tm_parallel_for`, runs its blocks alone. So does a thread
  that is one of as many as the pool has (`work_beside`): each has a processor's work already.

Workers are created by the first call that has more than one block. They are never joined: when the
process exits they sleep in the kernel. A forked child has none and makes its own.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from functools import cache
from typing import Final

from ...config import settings
from ...core.process.locks import ForkedLock
from ..machine.cache import open_cache
from ..machine.jit import NativeModule, compile_module, load_module, object_key
from .records import CACHE_LINE, CLOSED, LANES, POOL

_FUTEX: Final = {"x86_64": 202, "aarch64": 98}  # the number of the system call
_KEY: Final = "the pool of threads"  # beside the sources and the processor, for the disk cache
_EFFORT: Final = 0  # LLVM's passes would take 30 ms, to save nanoseconds beside waking a thread
_pool_lock = ForkedLock()


def address(name: str) -> int:
    """Where one of THREAD_FUNCTIONS is in memory: `void tm_parallel_for(i64, ptr, ptr, i64)`,
    `void tm_divided_for(i64, ptr, ptr, i64)` or `i64 tm_threads()`.
    """
    with _pool_lock():
        pool = _pool()
    pool.word("wanted").value = size() - 1
    return pool.module.address(name)


def size() -> int:
    """How many threads work on a loop, the caller included."""
    known = sys.platform == "linux" and platform.machine() in _FUTEX
    return settings.threads if known else 1


def running() -> int:
    """How many workers the pool of this process has started."""
    return _pool().word("started").value if _pool.cache_info().currsize else 0


def work_beside(callers: int) -> int:
    """From now on this thread is one of so many that make calls at the same time.

    Returns how many they were before; 0 is for a thread by itself.
    """
    if size() == 1:
        return 0
    before = _threads().pthread_getspecific(_company()) or 0
    _threads().pthread_setspecific(_company(), callers)
    return before


@cache
def _threads() -> ctypes.PyDLL:
    """The system's functions; none of them waits, so the interpreter's lock is kept."""
    library = ctypes.PyDLL(None)
    library.pthread_getspecific.restype = ctypes.c_void_p
    library.pthread_setspecific.argtypes = [ctypes.c_uint, ctypes.c_void_p]
    return library


def _company() -> int:
    """The key under which the system keeps a thread's number of callers, one for all threads."""
    with _pool_lock():
        return _new_key()


@cache
def _new_key() -> int:
    key = ctypes.c_uint()
    if _threads().pthread_key_create(ctypes.byref(key), None):
        raise MemoryError("the system has no key left for what threads keep")
    return key.value


class _Pool:
    """The pool's machine code and words, kept until the process ends: its workers live in it."""

    def __init__(self) -> None:
        names = [*POOL, "job", "lanes"]  # the lanes are last: they take several lines
        self._memory = ctypes.create_string_buffer(CACHE_LINE * (len(names) + LANES))
        first = ctypes.addressof(self._memory) + CACHE_LINE - 1
        first -= first % CACHE_LINE
        self._addresses = {name: first + CACHE_LINE * place for place, name in enumerate(names)}
        self.reset()
        self.word("company").value = _company()
        self.module = self._stored() or self._compiled()

    def _stored(self) -> NativeModule | None:
        """Code of these sources for such a machine, of which the text need not be written."""
        key = object_key(_KEY, effort=_EFFORT)
        return load_module(key, name="threads", symbols=self._addresses, cache=open_cache())

    def _compiled(self) -> NativeModule:
        from .thread_pool import pool_text

        text = pool_text(_FUTEX.get(platform.machine(), 0))
        return compile_module(
            text,
            name="threads",
            symbols=self._addresses,
            cache_key=_KEY,
            cache=open_cache(),
            effort=_EFFORT,
        )

    def reset(self) -> None:
        """No workers, no loop under way: so it begins, and so it is in a forked child."""
        for name in ("number", "started", "busy", "sleepers"):
            self.word(name).value = 0
        for lane in range(LANES):
            address = self._addresses["lanes"] + CACHE_LINE * lane
            ctypes.c_int64.from_address(address).value = CLOSED

    def word(self, name: str) -> ctypes.c_int32:
        return ctypes.c_int32.from_address(self._addresses[name])


@cache
def _pool() -> _Pool:
    pool = _Pool()
    os.register_at_fork(after_in_child=pool.reset)
    return pool
