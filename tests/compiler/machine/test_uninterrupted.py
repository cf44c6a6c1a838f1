"""Work in a thread that no signal reaches, and the thread that waits for it."""

from __future__ import annotations

import os
import threading
from typing import Any

import pytest

from tensormill.compiler.machine.uninterrupted import run_uninterrupted
from tests.robust.test_interrupts import signal_soon


def test_the_main_thread_has_another_one_do_it() -> None:
    assert run_uninterrupted(threading.current_thread) is not threading.main_thread()


def test_other_threads_do_it_themselves() -> None:
    seen: list[bool] = []

    def work() -> None:
        seen.append(run_uninterrupted(threading.current_thread) is threading.current_thread())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert seen == [True]


def test_what_it_raises_comes_out() -> None:
    def fail() -> None:
        raise ValueError("no such thing")

    with pytest.raises(ValueError, match="no such thing"):
        run_uninterrupted(fail)


def test_where_no_thread_begins_it_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)

    assert run_uninterrupted(threading.current_thread) is threading.main_thread()


def test_an_interrupt_stops_the_wait_and_not_the_work() -> None:
    go_on, ended = threading.Event(), threading.Event()

    def work() -> None:
        assert go_on.wait(60)
        ended.set()

    with signal_soon(), pytest.raises(KeyboardInterrupt):
        run_uninterrupted(work)
    go_on.set()

    assert ended.wait(60)


def test_a_child_that_a_handler_forks_does_it_again() -> None:
    parent, done, children = os.getpid(), threading.Event(), list[int]()

    def work() -> int:
        assert os.getpid() != parent or done.wait(60)
        return os.getpid()

    def fork(number: int, frame: Any) -> None:
        children.append(os.fork())
        if children[0]:
            done.set()

    with signal_soon(fork):
        result = run_uninterrupted(work)
        if os.getpid() != parent:
            os._exit(0 if result == os.getpid() else 1)

    assert result == parent
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0
