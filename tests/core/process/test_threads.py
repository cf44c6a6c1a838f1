"""Threads are begun whole, whatever a signal's handler raises."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tensormill.core.process.threads import start_thread


def test_another_thread_begins_what_the_main_thread_wants(monkeypatch: Any) -> None:
    really, seen = threading.Thread.start, list[int]()

    def start(thread: threading.Thread) -> None:
        seen.append(threading.get_ident())
        really(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    thread = threading.Thread(target=lambda: seen.append(threading.get_ident()))
    start_thread(thread)
    thread.join()

    assert threading.get_ident() not in seen
    assert 2 == len(set(seen))


def test_it_is_told_that_there_is_none(monkeypatch: Any) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(RuntimeError, match="can't start"):
        start_thread(threading.Thread())


def test_other_threads_begin_theirs_themselves() -> None:
    begun: list[bool] = []
    inner = threading.Thread(target=lambda: begun.append(True))

    def work() -> None:
        start_thread(inner)
        inner.join()

    outer = threading.Thread(target=work)
    outer.start()
    outer.join()

    assert [True] == begun
