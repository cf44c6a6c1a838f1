"""Native loops divided between threads that wait in native code, without the interpreter's lock.

`tm_parallel_for(count, body, context, grain)` calls `body(context, begin, end)` for every block
of `grain` iterations, at least one: `void body(ptr context, i64 begin, i64 end)`. Blocks are the
same for any number of threads, so what a body computes per block is, too; who takes which block is
left to chance. The pool is machine code compiled here:

    state, bits    63 ............... 32   31 ................. 0
                    number of the job       next block to take

* `state` holds the number of the job in its high half, the next block to take in its low half. A
  thread reads the job, then takes a block by compare-and-exchange: that succeeds only if the
  job is still the one that was read.
* The caller works as well, then waits until every block is done; nobody else touches the job then.
* A worker that finds nothing to do spins for some microseconds, then sleeps on the high half of
  `state` (a futex).
* A second caller, or a body that calls `tm_parallel_for`, runs its blocks alone.

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

from tensormill.compiler.machine.cache import open_cache
from tensormill.compiler.machine.jit import compile_module
from tensormill.config import settings
from tensormill.core.process.locks import ForkedLock

# `pause` takes about 40 cycles: workers wait some 20 µs for the next loop before they sleep.
_SPINS: Final = 2000
_FUTEX: Final = {"x86_64": 202, "aarch64": 98}  # the number of the system call
_PAUSE: Final = {"x86_64": "call void @llvm.x86.sse2.pause()", "aarch64": "fence acq_rel"}
_CLOSED: Final = 0xFFFFFFFF  # more than any block's number
# What all threads see: each of these has a line of the cache for itself, outside of the module, so
# that its code needs no memory that may be written.
_WORDS: Final = {
    "state": "i64", "done": "i64", "blocks": "i64", "count": "i64", "grain": "i64", "body": "ptr",
    "context": "ptr", "busy": "i32", "started": "i32", "wanted": "i32", "sleepers": "i32",
}  # fmt: skip
_LINE: Final = 64
# What other modules may call.
FUNCTIONS: Final = ("tm_parallel_for", "tm_threads")
_pool_lock = ForkedLock()

_TEXT: Final = """
{words}

declare i64 @syscall(i64, ...)
declare i32 @sched_yield()
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(i64)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sigfillset(ptr)

define void @tm_parallel_for(i64 %count, ptr %body, ptr %context, i64 %grain) {{
entry:
  %more = add i64 %count, %grain
  %padded = sub i64 %more, 1
  %blocks = sdiv i64 %padded, %grain
  %one = icmp slt i64 %blocks, 2
  %many = icmp sge i64 %blocks, {closed}
  %odd = or i1 %one, %many
  br i1 %odd, label %alone, label %look
look:
  %wanted = load atomic i32, ptr @wanted monotonic, align 4
  %single = icmp slt i32 %wanted, 1
  br i1 %single, label %alone, label %lock
lock:
  %locked = cmpxchg ptr @busy, i32 0, i32 1 acquire monotonic
  %free = extractvalue {{ i32, i1 }} %locked, 1
  br i1 %free, label %together, label %alone
alone:
  call void @in_order(i64 %count, ptr %body, ptr %context, i64 %grain)
  ret void
together:
  %started = load i32, ptr @started
  %none = icmp eq i32 %started, 0
  br i1 %none, label %start, label %publish
start:
  call void @start(i32 %wanted)
  br label %publish
publish:
  fence release
  store atomic i64 %count, ptr @count monotonic, align 8
  store atomic i64 %grain, ptr @grain monotonic, align 8
  store atomic ptr %body, ptr @body monotonic, align 8
  store atomic ptr %context, ptr @context monotonic, align 8
  store atomic i64 %blocks, ptr @blocks monotonic, align 8
  store atomic i64 0, ptr @done monotonic, align 8
  %last = load atomic i64, ptr @state monotonic, align 8
  %job = lshr i64 %last, 32
  %next = add i64 %job, 1
  %open = shl i64 %next, 32
  store atomic i64 %open, ptr @state seq_cst, align 8
  %sleepers = load atomic i32, ptr @sleepers seq_cst, align 4
  %awake = icmp eq i32 %sleepers, 0
  br i1 %awake, label %work, label %wake
wake:
  %high = getelementptr i8, ptr @state, i64 4
  call i64 (i64, ...) @syscall(
    i64 {futex}, ptr %high, i32 129, i32 2147483647, ptr null, ptr null, i32 0)
  br label %work
work:
  call i32 @help()
  br label %wait
wait:
  %spins = phi i64 [ 0, %work ], [ %spun, %again ]
  %done = load atomic i64, ptr @done acquire, align 8
  %complete = icmp eq i64 %done, %blocks
  br i1 %complete, label %close, label %patience
patience:
  %spun = add i64 %spins, 1
  %long = icmp ugt i64 %spun, {spins}
  br i1 %long, label %yield, label %pause
yield:
  call i32 @sched_yield()
  br label %again
pause:
  {pause}
  br label %again
again:
  br label %wait
close:
  %closed = or i64 %open, {closed}
  store atomic i64 %closed, ptr @state release, align 8
  store atomic i32 0, ptr @busy release, align 4
  ret void
}}

; How many threads share a loop, the caller included.
define i64 @tm_threads() {{
entry:
  %wanted = load atomic i32, ptr @wanted monotonic, align 4
  %all = add i32 %wanted, 1
  %threads = sext i32 %all to i64
  ret i64 %threads
}}

define internal void @in_order(i64 %count, ptr %body, ptr %context, i64 %grain) {{
entry:
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %loop, label %exit
loop:
  %begin = phi i64 [ 0, %entry ], [ %end, %loop ]
  %far = add i64 %begin, %grain
  %end = call i64 @llvm.smin.i64(i64 %far, i64 %count)
  call void %body(ptr %context, i64 %begin, i64 %end)
  %again = icmp slt i64 %end, %count
  br i1 %again, label %loop, label %exit
exit:
  ret void
}}

; Takes blocks of the current job until there are no more; gives the number of the job last seen.
define internal i32 @help() {{
entry:
  br label %look
look:
  %state = load atomic i64, ptr @state acquire, align 8
  %blocks = load atomic i64, ptr @blocks monotonic, align 8
  %block = and i64 %state, {closed}
  %left = icmp ult i64 %block, %blocks
  br i1 %left, label %take, label %exit
take:
  %count = load atomic i64, ptr @count monotonic, align 8
  %grain = load atomic i64, ptr @grain monotonic, align 8
  %body = load atomic ptr, ptr @body monotonic, align 8
  %context = load atomic ptr, ptr @context monotonic, align 8
  %after = add i64 %state, 1
  %taken = cmpxchg ptr @state, i64 %state, i64 %after acq_rel monotonic
  %mine = extractvalue {{ i64, i1 }} %taken, 1
  br i1 %mine, label %run, label %look
run:
  %begin = mul i64 %block, %grain
  %far = add i64 %begin, %grain
  %end = call i64 @llvm.smin.i64(i64 %far, i64 %count)
  call void %body(ptr %context, i64 %begin, i64 %end)
  atomicrmw add ptr @done, i64 1 release
  br label %look
exit:
  %high = lshr i64 %state, 32
  %job = trunc i64 %high to i32
  ret i32 %job
}}

define internal ptr @worker(ptr %unused) {{
entry:
  %high = getelementptr i8, ptr @state, i64 4
  br label %work
work:
  %seen = call i32 @help()
  br label %spin
spin:
  %spins = phi i64 [ 0, %work ], [ %spun, %pause ], [ 0, %woken ]
  %job = load atomic i32, ptr %high acquire, align 4
  %new = icmp ne i32 %job, %seen
  br i1 %new, label %work, label %patience
patience:
  %spun = add i64 %spins, 1
  %long = icmp ugt i64 %spun, {spins}
  br i1 %long, label %sleep, label %pause
pause:
  {pause}
  br label %spin
sleep:
  atomicrmw add ptr @sleepers, i32 1 seq_cst
  call i64 (i64, ...) @syscall(
    i64 {futex}, ptr %high, i32 128, i32 %seen, ptr null, ptr null, i32 0)
  atomicrmw sub ptr @sleepers, i32 1 seq_cst
  br label %woken
woken:
  br label %spin
}}

; Signals are left to the threads that the interpreter knows: workers block them all.
define internal void @start(i32 %wanted) {{
entry:
  %all = alloca [128 x i8], align 16
  %before = alloca [128 x i8], align 16
  %thread = alloca i64
  call i32 @sigfillset(ptr %all)
  call i32 @pthread_sigmask(i32 {set_mask}, ptr %all, ptr %before)
  br label %loop
loop:
  %made = phi i32 [ 0, %entry ], [ %next, %detach ]
  %result = call i32 @pthread_create(ptr %thread, ptr null, ptr @worker, ptr null)
  %good = icmp eq i32 %result, 0
  br i1 %good, label %detach, label %exit
detach:
  %id = load i64, ptr %thread
  call i32 @pthread_detach(i64 %id)
  %next = add i32 %made, 1
  %again = icmp slt i32 %next, %wanted
  br i1 %again, label %loop, label %exit
exit:
  call i32 @pthread_sigmask(i32 {set_mask}, ptr %before, ptr null)
  ; When the system allows no thread at all, it is not asked again.
  store i32 %wanted, ptr @started
  ret void
}}
"""


def address(name: str) -> int:
    """Where one of FUNCTIONS is in memory: `void tm_parallel_for(i64, ptr, ptr, i64)` or
    `i64 tm_threads()`.
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


class _Pool:
    """The pool's machine code and words, kept until the process ends: its workers live in it."""

    def __init__(self) -> None:
        self._memory = ctypes.create_string_buffer(_LINE * (len(_WORDS) + 1))
        first = ctypes.addressof(self._memory) + _LINE - 1
        first -= first % _LINE
        self._addresses = {name: first + _LINE * place for place, name in enumerate(_WORDS)}
        self.reset()
        text, symbols = _text(), self._addresses
        self.module = compile_module(
            text,
            name="threads",
            symbols=symbols,
            cache_key=text,
            cache=open_cache(),
            effort=0,  # LLVM's passes would take 30 ms, to save nanoseconds beside waking a thread
        )

    def reset(self) -> None:
        """No workers, no loop under way: so it begins, and so it is in a forked child."""
        for name in ("started", "busy", "sleepers"):
            self.word(name).value = 0
        ctypes.c_int64.from_address(self._addresses["state"]).value = _CLOSED

    def word(self, name: str) -> ctypes.c_int32:
        return ctypes.c_int32.from_address(self._addresses[name])


@cache
def _pool() -> _Pool:
    pool = _Pool()
    os.register_at_fork(after_in_child=pool.reset)
    return pool


def _text() -> str:
    machine = platform.machine()
    words = [f"@{name} = external global {kind}, align {_LINE}" for name, kind in _WORDS.items()]
    return _TEXT.format(
        words="\n".join(words),
        closed=_CLOSED,
        spins=_SPINS,
        futex=_FUTEX.get(machine, 0),
        pause=_PAUSE.get(machine, "fence acq_rel"),
        set_mask=2,
    )
