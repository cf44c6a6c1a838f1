"""Values that objects find when they are asked for first."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tensormill.core.process.lazy_property import lazy_property
from tests.robust.test_threads import in_child


class Ready(threading.Event):
    """Whose value another thread may be made to wait for."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.times = 0

    @lazy_property
    def value(self) -> int:
        """How often it was found."""
        self.begun.set()
        assert self.wait(60)
        self.times += 1
        return self.times


def ready() -> Ready:
    one = Ready()
    one.set()
    return one


@contextmanager
def found_by_another() -> Iterator[Ready]:
    one = Ready()
    thread = threading.Thread(target=lambda: one.value)
    thread.start()
    assert one.begun.wait(60)
    try:
        yield one
    finally:
        one.set()
        thread.join(60)


def test_a_value_is_found_once_and_kept_by_its_object():
    one = ready()

    assert (1, 1, 1) == (one.value, one.value, one.times)
    assert one.__dict__["value"] == 1


def test_its_text_is_that_of_the_method():
    assert Ready.value.__doc__ == "How often it was found."


def test_no_thread_waits_for_what_another_finds_for_another_object():
    with found_by_another():
        assert ready().value == 1


def test_no_child_waits_for_what_a_thread_of_its_parent_was_finding():
    def work() -> None:
        signal.alarm(30)  # ends a child that waits for ever
        assert ready().value == 1

    with found_by_another():
        assert in_child(work) == 0
