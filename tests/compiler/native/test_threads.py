"""Native loops on threads: every block once, whoever calls, whatever forks."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from tensormill.compiler.machine.jit import compile_module
from tensormill.compiler.native import threads
from tensormill.compiler.native.names import THREAD_FUNCTIONS
from tensormill.compiler.native.records import LANES
from tensormill.config import settings
from tests.compiler.processes import outcome, start

Array: TypeAlias = npt.NDArray[Any]

# Adds one to each element of its block, and puts the block's begin and end beside where it begins.
TEXT = """
declare void @tm_parallel_for(i64, ptr, ptr, i64)
declare void @tm_divided_for(i64, ptr, ptr, i64)

define internal void @body(ptr %context, i64 %begin, i64 %end) {
entry:
  %ends = load ptr, ptr %context
  %values.at = getelementptr ptr, ptr %context, i64 1
  %values = load ptr, ptr %values.at
  %end.at = getelementptr i64, ptr %ends, i64 %begin
  store i64 %end, ptr %end.at
  br label %loop
loop:
  %i = phi i64 [ %begin, %entry ], [ %next, %loop ]
  %slot = getelementptr i64, ptr %values, i64 %i
  %old = load i64, ptr %slot
  %new = add i64 %old, 1
  store i64 %new, ptr %slot
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define internal void @outer(ptr %context, i64 %begin, i64 %end) {
  %grain.at = getelementptr i64, ptr %context, i64 2
  %grain = load i64, ptr %grain.at
  %count.at = getelementptr i64, ptr %context, i64 3
  %count = load i64, ptr %count.at
  call void @tm_parallel_for(i64 %count, ptr @body, ptr %context, i64 %grain)
  ret void
}

define void @run(ptr %context, i64 %count, i64 %grain) {
  call void @tm_parallel_for(i64 %count, ptr @body, ptr %context, i64 %grain)
  ret void
}

define void @share(ptr %context, i64 %count, i64 %each) {
  call void @tm_divided_for(i64 %count, ptr @body, ptr %context, i64 %each)
  ret void
}

define void @nested(ptr %context, i64 %times) {
  call void @tm_parallel_for(i64 %times, ptr @outer, ptr %context, i64 1)
  ret void
}
"""


class Loop:
    """The native loop, and what it counted."""

    def __init__(self) -> None:
        symbols = {name: threads.address(name) for name in THREAD_FUNCTIONS}
        self.module = compile_module(TEXT, name="loop", symbols=symbols)
        pair, triple = [ctypes.c_void_p, ctypes.c_int64], [ctypes.c_void_p, *[ctypes.c_int64] * 2]
        self._run = ctypes.CFUNCTYPE(None, *triple)(self.module.address("run"))
        self._share = ctypes.CFUNCTYPE(None, *triple)(self.module.address("share"))
        self._nested = ctypes.CFUNCTYPE(None, *pair)(self.module.address("nested"))

    def __call__(self, count: int, grain: int) -> tuple[Array, Array]:
        """How often each iteration ran, and at each block's begin its end."""
        return self._with(self._run, count, grain)

    def shared(self, count: int, each: int) -> tuple[Array, Array]:
        """The same of a loop that says how long an iteration takes."""
        return self._with(self._share, count, each)

    def _with(self, run: Any, count: int, last: int) -> tuple[Array, Array]:
        ends, values = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
        context = np.array([ends.ctypes.data, values.ctypes.data, last, count])
        run(context.ctypes.data, count, last)
        return values[:count], ends[:count]

    def nested(self, times: int, count: int, grain: int) -> Array:
        ends, values = np.zeros(count, np.int64), np.zeros(count, np.int64)
        context = np.array([ends.ctypes.data, values.ctypes.data, grain, count])
        self._nested(context.ctypes.data, times)
        return values


@pytest.fixture(scope="module")
def loop() -> Loop:
    return Loop()


@pytest.mark.parametrize("count", [1, 2, 3, 7, 64, 1000, 65_537])
@pytest.mark.parametrize("grain", [1, 2, 7, 1024])
def test_every_iteration_runs_once_in_blocks_of_the_grain(loop: Loop, count: int, grain: int):
    runs, ends = loop(count, grain)

    begins = np.arange(0, count, grain)
    expected = np.zeros(count, np.int64)
    expected[begins] = np.minimum(begins + grain, count)
    np.testing.assert_array_equal(runs, 1)
    np.testing.assert_array_equal(ends, expected)


@pytest.mark.parametrize(
    ("count", "each", "block"),
    [
        (100, 50_000, 100),  # no more than a thread takes at once
        (101, 50_000, 20),
        (65_537, 100, 10_048),  # whole cache lines
        (7, 10**9, 1),
        (1000, 0, 1000),
    ],
)
def test_blocks_of_a_long_loop_are_alike_in_work(loop: Loop, count: int, each: int, block: int):
    runs, ends = loop.shared(count, each)

    begins = np.arange(0, count, block)
    expected = np.zeros(count, np.int64)
    expected[begins] = np.minimum(begins + block, count)
    np.testing.assert_array_equal(runs, 1)
    np.testing.assert_array_equal(ends, expected)


def test_no_iterations_are_no_call(loop: Loop):
    runs, ends = loop(0, 16)

    assert (runs.size, ends.size) == (0, 0)


def test_many_loops_in_a_row_lose_nothing(loop: Loop):
    for _ in range(3000):
        runs, _ = loop(40, 3)
        assert np.all(runs == 1)


def test_one_thread_makes_the_same_blocks(loop: Loop, monkeypatch: pytest.MonkeyPatch):
    _, together = loop(1000, 37)
    monkeypatch.setattr(settings, "threads", 1)
    threads.address("tm_parallel_for")

    _, alone = loop(1000, 37)

    monkeypatch.undo()
    threads.address("tm_parallel_for")
    np.testing.assert_array_equal(together, alone)


def test_there_is_a_worker_for_each_other_thread(loop: Loop):
    loop(1000, 10)

    assert threads.size() == settings.threads
    assert threads.running() >= threads.size() - 1  # tests before may have asked for more


def test_python_threads_may_run_loops_at_once(loop: Loop):
    wrong: list[int] = []

    def work() -> None:
        wrong.extend(count for count in range(1, 300) if not np.all(loop(count, 5)[0] == 1))

    _together([work] * 4)

    assert wrong == []


def _together(functions: list[Callable[[], None]]) -> None:
    started = [threading.Thread(target=function) for function in functions]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def test_a_loop_inside_a_loop_runs_alone(loop: Loop, monkeypatch: pytest.MonkeyPatch):
    # One block outside, or the inner loops would race for the same memory.
    np.testing.assert_array_equal(loop.nested(1, 1000, 10), 1)


def _meet(patience: float) -> bool:
    """Whether the two blocks of a loop run at the same time: the first waits for the second."""
    second = threading.Event()
    met: list[bool] = []

    def body(_context: int, begin: int, _end: int) -> None:
        if begin:
            second.set()
        else:
            met.append(second.wait(patience))

    _run_blocks(body, 2)
    return met == [True]


def _run_blocks(body: Callable[[int, int, int], None], blocks: int) -> None:
    """Call Python for each of so many blocks, on the pool's threads."""
    types = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
    native = ctypes.CFUNCTYPE(None, *types)(body)
    run = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    run(threads.address("tm_parallel_for"))(blocks, ctypes.cast(native, ctypes.c_void_p), None, 1)


def test_a_thread_takes_the_blocks_of_its_part_then_those_that_are_left(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(settings, "threads", 2)
    blocks, own, others = 8, 4, threading.Event()
    taken: list[int] = []

    def body(_context: int, begin: int, _end: int) -> None:
        if begin == 0:  # the caller's first one: the other thread has time for all the rest
            others.wait(60)
            return
        taken.append(begin)
        if len(taken) == blocks - 1:
            others.set()

    _run_blocks(body, blocks)

    monkeypatch.undo()
    threads.address("tm_parallel_for")
    assert taken == [*range(own, blocks), *range(1, own)]


@pytest.mark.parametrize(("callers", "patience", "divided"), [(1, 60, True), (2, 0.2, False)])
def test_a_thread_that_is_one_of_many_runs_its_loops_by_itself(
    monkeypatch: pytest.MonkeyPatch, callers: int, patience: float, divided: bool
):
    monkeypatch.setattr(settings, "threads", 2)
    before = threads.work_beside(callers)
    try:
        assert _meet(patience) == divided
    finally:
        assert threads.work_beside(before) == callers
        monkeypatch.undo()
        threads.address("tm_parallel_for")


class _SlowSystem:
    """Makes keys, and lets two threads meet where both make one."""

    def __init__(self) -> None:
        self._meeting = threading.Barrier(2)
        self._keys = iter(range(1, 3))

    def pthread_key_create(self, key: Any, _destructor: None) -> int:
        key._obj.value = next(self._keys)
        with contextlib.suppress(threading.BrokenBarrierError):
            self._meeting.wait(0.2)
        return 0


def test_threads_that_ask_at_the_same_time_have_one_key(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(threads, "_threads", cache(_SlowSystem))
    monkeypatch.setattr(threads, "_new_key", cache(threads._new_key.__wrapped__))
    keys: list[int] = []
    askers = [threading.Thread(target=lambda: keys.append(threads._company())) for _ in range(2)]

    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()

    assert keys == [1, 1]


PROGRAM = """
import os, threading, time
from tensormill.config import settings
settings.threads = 3
from tests.compiler.native.test_threads import Loop
from tensormill.compiler.native import threads

def tasks():
    return len(os.listdir("/proc/self/task"))

before = tasks()
loop = Loop()
deadline = time.monotonic() + 10
while tasks() > before and time.monotonic() < deadline:
    pass  # the thread that LLVM was in has ended for Python, and soon will for the system
assert threads.running() == 0 and tasks() == before, "a worker was made before its time"
assert (loop(1000, 10)[0] == 1).all()
assert threads.running() == 2 and tasks() == before + 2
"""


def python(program: str) -> tuple[int, bytes, bytes]:
    return outcome(start(program))


@pytest.mark.sampled(among="threads and interrupts")
def test_workers_are_made_by_the_first_loop_and_do_not_hinder_the_exit():
    assert python(PROGRAM) == (0, b"", b"")


CROWD = """
import sys
from tensormill.config import settings
settings.threads = int(sys.argv[1])
from tests.compiler.native.test_threads import Loop
from tensormill.compiler.native import threads

loop = Loop()
for _ in range(20):
    for count, grain in ((2, 1), (17, 1), (1000, 7)):
        assert (loop(count, grain)[0] == 1).all()
assert threads.running() == settings.threads - 1
"""


@pytest.mark.parametrize("number", [LANES, LANES + 1, LANES + 4])
def test_more_threads_than_lanes_share_them(number: int):
    assert outcome(start(CROWD, str(number))) == (0, b"", b"")


@pytest.mark.sampled(among="threads and interrupts")
def test_a_forked_child_makes_its_own_workers():
    child = (
        PROGRAM
        + """
for _ in range(3):
    child = os.fork()
    if child == 0:
        good = threads.running() == 0 and all((loop(1000, 10)[0] == 1).all() for _ in range(20))
        os._exit(0 if good and threads.running() == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert (loop(1000, 10)[0] == 1).all()
"""
    )
    assert python(child) == (0, b"", b"")


@pytest.mark.sampled(among="threads and interrupts")
def test_exit_while_another_thread_loops_does_not_hang():
    busy = (
        PROGRAM
        + """
def forever():
    while True:
        loop(100_000, 100)
threading.Thread(target=forever, daemon=True).start()
time.sleep(0.2)
"""
    )
    assert python(busy)[0] == 0


@pytest.mark.sampled(among="threads and interrupts")
def test_an_interrupt_reaches_the_main_thread_while_workers_sleep():
    interrupted = (
        PROGRAM
        + """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # the background ignores it
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
began = time.monotonic()
try:
    time.sleep(30)
except KeyboardInterrupt:
    pass
assert time.monotonic() - began < 10
"""
    )
    assert python(interrupted) == (0, b"", b"")
