"""Sets of what is alive, which threads look through while others add."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tensormill.core.process.live_objects import LiveObjects
from tests.robust.test_threads import together


class Thing:
    pass


@pytest.fixture
def threads_change_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_it_keeps_nothing_alive():
    kept, things = LiveObjects[Thing](), [Thing(), Thing()]
    kept.add(things[0])
    kept.add(things[1])

    assert {*kept} == {*things}
    things.pop()
    assert [*kept] == things


@pytest.mark.usefixtures("threads_change_often")
def test_threads_add_and_look_at_once():
    kept = LiveObjects[Thing]()

    def work(number: int) -> int:
        own: list[Thing] = []
        for _ in range(300):
            kept.add(thing := Thing())
            own.append(thing)
            assert len({*kept} & {*own}) == len(own)
        return number

    assert together(work, 4) == [0, 1, 2, 3]
