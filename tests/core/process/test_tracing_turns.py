"""Turns of work that may wait for other such work, without functions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from tensormill.core.process import tracing_turns
from tensormill.core.process.tracing_turns import Turns
from tests.robust.test_threads import in_child, together


class Maker:
    """Makes each key once, by turns."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.made: list[Any] = []

    def make(self, key: Any, work: Callable[[], Any] = lambda: None) -> None:
        self.turns.take(key, lambda: self._make(key, work))

    def _make(self, key: Any, work: Callable[[], Any]) -> None:
        if key not in self.made:
            work()
            self.made.append(key)


def test_a_thread_may_be_at_it_several_times():
    maker = Maker()

    maker.make(1, lambda: maker.make(2, lambda: maker.make(3)))

    assert maker.made == [3, 2, 1]


def test_what_many_threads_want_is_made_once():
    maker = Maker()

    together(lambda number: [maker.make((number + key) % 20) for key in range(20)], 16)

    assert sorted(maker.made) == list(range(20))


@pytest.mark.parametrize("count", [2, 3, 8])
def test_threads_that_wait_for_each_other_go_on(count: int):
    makers = [Maker() for _ in range(count)]
    begun = threading.Barrier(count)

    def work(number: int) -> None:
        def further() -> None:
            begun.wait(60)
            makers[(number + 1) % count].make("other")

        makers[number].make("own", further)

    together(work, count)

    assert [sorted(maker.made) for maker in makers] == [["other", "own"]] * count


def test_what_another_thread_makes_is_waited_for_also_in_a_circle():
    first, second = Maker(), Maker()
    begun = threading.Barrier(2)

    def from_first() -> None:
        begun.wait(60)
        second.make("shared")

    def from_second() -> None:
        begun.wait(60)
        first.make("leaf")

    works = [
        lambda: first.make("top", from_first),
        lambda: second.make("shared", from_second),
    ]
    together(lambda number: works[number](), 2)

    assert sorted(first.made) == ["leaf", "top"]
    assert second.made == ["shared"]


def until_waiting(threads: dict[str, int], name: str) -> None:
    while threads.get(name) not in tracing_turns._waiting:
        pass


def test_a_circle_waits_for_who_makes_what_it_wants_further_out():
    """That one waits for the circle; the circle for turns that others began within its own."""
    odd, even, third = Maker(), Maker(), Maker()
    threads: dict[str, int] = {}
    circle_begins = threading.Event()

    def run(name: str, maker: Maker, key: str, further: Callable[[], None]) -> None:
        threads[name] = threading.get_ident()
        maker.make(key, further)

    def of_further_out() -> None:
        assert circle_begins.wait(60)
        even.make("leaf")

    def of_circle() -> None:
        circle_begins.set()
        until_waiting(threads, "further out")
        odd.make("later", lambda: [until_waiting(threads, "other"), third.make("shared")])

    def of_other() -> None:
        assert circle_begins.wait(60)
        even.make("later", lambda: odd.make("wanted"))

    works = [
        lambda: run("further out", odd, "wanted", of_further_out),
        lambda: run("circle", even, "top", of_circle),
        lambda: run("other", third, "shared", of_other),
    ]
    together(lambda number: works[number](), 3)

    assert sorted(odd.made) == ["later", "wanted"]
    assert sorted(even.made) == ["later", "leaf", "top"]
    assert third.made == ["shared"]


def test_a_thread_within_its_own_turn_waits_for_who_makes_the_same_further_out():
    odd, even = Maker(), Maker()
    both_begun = threading.Barrier(2)
    threads: dict[str, int] = {}

    def of_further_out() -> None:
        threads["further out"] = threading.get_ident()
        both_begun.wait(60)
        odd.make("leaf")

    def of_other() -> None:
        both_begun.wait(60)
        until_waiting(threads, "further out")
        even.make("own", lambda: even.make("wanted"))

    works = [
        lambda: even.make("wanted", of_further_out),
        lambda: odd.make("top", of_other),
    ]
    together(lambda number: works[number](), 2)

    assert sorted(even.made) == ["own", "wanted"]
    assert sorted(odd.made) == ["leaf", "top"]


def test_a_circle_of_what_is_being_made_ends_as_it_does_in_one_thread():
    first, second = Maker(), Maker()
    begun = threading.Barrier(2)
    seen: list[int] = []

    def from_first() -> None:
        if not seen:
            begun.wait(60)
        second.make("b", from_second)

    def from_second() -> None:
        if not seen:
            begun.wait(60)
        seen.append(len(seen))
        if len(seen) > 5:
            raise RecursionError
        first.make("a", from_first)

    works = [lambda: first.make("a", from_first), lambda: second.make("b", from_second)]
    with pytest.raises(RecursionError):
        together(lambda number: works[number](), 2)


def test_a_turn_that_fails_is_over_and_keeps_nothing():
    turns = Turns()

    def fail() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        turns.take("a", fail)

    assert turns.current() is None
    assert together(lambda number: turns.take("a", lambda: number), 4) == [0, 1, 2, 3]


def test_a_child_waits_for_no_thread_of_its_parent_but_goes_on_with_its_own():
    held, other = Turns(), Turns()
    begun, done = threading.Event(), threading.Event()

    def hold() -> None:
        begun.set()
        assert done.wait(60)

    thread = threading.Thread(target=held.take, args=("a", hold))
    thread.start()
    assert begun.wait(60)

    def work() -> None:
        assert held.take("a", lambda: 1) == 1
        assert other.take("b", lambda: 2) == 2  # within the turn that forked
        assert held.take("a", lambda: 3) == 3

    status = other.take("b", lambda: in_child(work))
    done.set()
    thread.join(60)

    assert status == 0
