"""Locks in forked children."""

from __future__ import annotations

import functools
import gc
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tensormill.core.process import locks
from tensormill.core.process.locks import AwaitedLock, ForkedLock
from tests.robust.test_threads import in_child, together


@contextmanager
def held_by_another(*held: ForkedLock) -> Iterator[threading.Event]:
    """Locks that another thread has taken, one after the other, until the event is set."""
    taken, release = threading.Event(), threading.Event()

    def hold(rest: tuple[ForkedLock, ...] = held) -> None:
        if rest:
            with rest[0]():
                hold(rest[1:])
        else:
            taken.set()
            assert release.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert taken.wait(60)
    try:
        yield release
    finally:
        release.set()
        thread.join(60)


def takes(*wanted: ForkedLock) -> Callable[[], None]:
    def take() -> None:
        for lock in wanted:
            assert lock().acquire(timeout=30)
            lock().release()

    return take


@pytest.mark.parametrize("make", [threading.RLock, threading.Condition])
def test_what_another_thread_holds_is_open_in_the_child(make: Callable[[], Any]):
    lock = ForkedLock(make)
    with held_by_another(lock):
        assert in_child(takes(lock)) == 0
        assert not lock().acquire(blocking=False)


def test_a_thread_of_the_child_is_not_the_one_of_the_parent_whose_number_it_has():
    """The system gives new threads the numbers of those that the child does not have."""
    lock = ForkedLock()

    def work() -> None:
        for one in [threading.Thread(target=takes(lock)) for _ in range(3)]:
            one.start()
            one.join(30)
            assert not one.is_alive()
        takes(lock)()

    with held_by_another(lock):
        assert in_child(work) == 0


def test_what_the_thread_that_forks_holds_it_holds_in_the_child():
    lock = AwaitedLock(is_short=False)

    def work() -> None:
        assert not any(together(lambda _: lock().acquire(blocking=False), 2))

    with lock():
        assert in_child(work) == 0


@pytest.mark.parametrize("is_short", [False, True])
def test_a_fork_waits(is_short: bool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(locks, "PATIENCE", 60.0)
    lock, seen = AwaitedLock(is_short), list[str]()
    with held_by_another(lock) as release:

        def let_go() -> None:
            seen.append("released")
            release.set()

        timer = threading.Timer(0.02, let_go)
        timer.start()
        assert in_child(takes(lock)) == 0
        assert seen == ["released"]
        timer.join()
    takes(lock)()


@pytest.mark.sampled(among="threads and interrupts")
def test_a_fork_does_not_wait_for_what_waits_for_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(locks, "PATIENCE", 0.2)
    lock = AwaitedLock(is_short=False)
    with held_by_another(lock):
        assert in_child(takes(lock)) == 0
        assert lock.was_waited_for
        monkeypatch.setattr(locks, "PATIENCE", 60.0)  # not again
        assert in_child(takes(lock)) == 0
    assert in_child(takes(lock)) == 0
    assert not lock.was_waited_for


@pytest.mark.sampled(among="threads and interrupts")
def test_locks_within_locks_are_awaited_in_any_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(locks, "PATIENCE", 60.0)
    inner, outer = AwaitedLock(is_short=False), AwaitedLock(is_short=False)
    stop, statuses, given_up = threading.Event(), list[int](), list[bool]()

    def nest(first: AwaitedLock, second: AwaitedLock) -> None:
        while not stop.is_set():
            with first(), second():
                pass

    threads = [
        threading.Thread(target=nest, args=pair) for pair in [(outer, inner), (outer, inner)]
    ]
    for thread in threads:
        thread.start()
    for _ in range(6):
        statuses.append(in_child(takes(inner, outer)))
        given_up.append(inner.was_waited_for or outer.was_waited_for)
    stop.set()
    for thread in threads:
        thread.join(60)

    assert statuses == [0] * 6
    assert given_up == [False] * 6


@pytest.mark.sampled(among="threads and interrupts")
def test_several_threads_may_fork_at_once():
    lock = AwaitedLock(is_short=False)

    assert together(lambda _: in_child(takes(lock)), 6) == [0] * 6


def test_a_lock_goes_with_its_owner():
    gc.collect()
    before = len(locks._known)
    kept = [AwaitedLock(is_short=True) for _ in range(3)]
    assert len(locks._known) == before + 3
    kept.clear()
    gc.collect()

    assert len(locks._known) == before


def test_threads_get_one_object_of_a_cache_that_is_serialised() -> None:
    both = threading.Barrier(2)

    @locks.serialised
    @functools.lru_cache(8)
    def made(key: str) -> object:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.05)  # both are here, if they may be
        return object()

    with ThreadPoolExecutor(2) as pool:
        assert len(set(pool.map(made, ["key", "key"]))) == 1


HALF_WAY = """
from tests.core.process.test_locks import PARENT, half_way
import os
if os.getpid() == PARENT:
    half_way.wait(60)
    half_way.wait(60)
answer = 42
"""
PARENT = os.getpid()
half_way = threading.Barrier(2)


def test_a_child_imports_anew_what_another_thread_was_importing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "imported_half_way.py").write_text(HALF_WAY)
    monkeypatch.syspath_prepend(tmp_path)
    found: list[int] = []

    def work() -> None:
        signal.alarm(60)
        assert importlib.import_module("imported_half_way").answer == 42

    importing = threading.Thread(
        target=lambda: found.append(importlib.import_module("imported_half_way").answer)
    )
    importing.start()
    half_way.wait(60)
    status = in_child(work)
    half_way.wait(60)
    importing.join(60)
    sys.modules.pop("imported_half_way", None)

    assert (status, found) == (0, [42])


def test_a_fork_waits_for_whoever_gives_work_to_a_pool() -> None:
    lock, is_held, done = AwaitedLock(is_short=False), threading.Event(), list[int]()

    def work(pool: ThreadPoolExecutor) -> None:
        with lock():
            is_held.set()
            while not locks._is_wanted:
                pass
            pool.submit(done.append, 1).result()
            done.append(2)

    with ThreadPoolExecutor(1) as pool:
        thread = threading.Thread(target=work, args=[pool])
        thread.start()
        is_held.wait()
        child = os.fork()
        if child == 0:
            os._exit(len(done))
        thread.join()

    assert 2 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
