"""Works that threads share, and LLVM's long calls, which several threads make at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from tensormill.compiler.machine import jit, long_calls
from tensormill.compiler.machine.long_calls import side_by_side
from tensormill.core.process import locks
from tests.forks import errors_of


def work(number: int) -> Callable[[], int]:
    return lambda: number * number


@pytest.mark.parametrize("threads", [1, 2, 7, 50])
def test_results_come_in_the_order_of_the_works(threads: int):
    assert side_by_side([work(number) for number in range(20)], threads) == [
        number * number for number in range(20)
    ]


def test_works_that_wait_for_each_other_have_a_thread_each():
    barrier = threading.Barrier(3, timeout=60)

    assert sorted(side_by_side([barrier.wait] * 3, 3)) == [0, 1, 2]


def test_what_a_work_raises_is_raised_and_no_further_one_begins():
    done = list[int]()

    def failing() -> int:
        raise ValueError("work 0")

    works = [failing, *(lambda number=number: done.append(number) or 0 for number in range(5))]

    with pytest.raises(ValueError, match="work 0"):
        side_by_side(works, 1)
    assert done == []


def test_where_no_thread_begins_the_caller_does_all(monkeypatch: pytest.MonkeyPatch):
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(long_calls, "start_thread", refuse)

    assert side_by_side([work(number) for number in range(5)], 4) == [0, 1, 4, 9, 16]


def test_a_fork_waits_for_the_calls(monkeypatch: pytest.MonkeyPatch):
    known = long_calls._unlocked
    held = list[tuple[str, bool]]()

    def unlocked(name: str) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            awaited = [one for one in locks._alive() if isinstance(one, locks.AwaitedLock)]
            held.append((name, any(one()._is_owned() for one in awaited)))
            return known(name)(*args)

        return call

    monkeypatch.setattr(long_calls, "_unlocked", unlocked)
    jit.object_code("define i32 @f() {\n ret i32 7\n}\n", "test", jit.host(), 2)

    assert held == [(long_calls._PASSES, True), (long_calls._OBJECT, True)]


FORKING = """
import os, threading
from tensormill.compiler.machine import division, jit

division.PIECE_LINES = 20
jit.settings.threads = 3
LOOP = '''define i64 @loop{0}(i64 %x) noinline nounwind {{
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %y = phi i64 [ %x, %entry ], [ %z, %turn ]
  %z = mul i64 %y, {0}
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %x
  br i1 %more, label %turn, label %end
end:
  ret i64 %z
}}'''
TEXT = "\\n".join([*(LOOP.format(number) for number in range(3, 15)), ""])

def make():
    return jit.object_code(TEXT, "loops", jit.host(), 2)[0]

def work():
    while not is_done:
        assert make() == expected

expected, is_done = make(), False
thread = threading.Thread(target=work)
thread.start()
try:
    for _ in range(4):
        child = os.fork()
        if not child:
            os._exit(0 if make() == expected else 1)
        assert os.waitpid(child, 0)[1] == 0
finally:
    is_done = True
    thread.join()
"""


def test_children_make_code_that_their_parent_was_at_in_several_threads() -> None:
    assert errors_of({"forks": FORKING}) == {"forks": ""}
