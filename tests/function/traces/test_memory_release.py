"""When the memory of dropped traces goes back to the system."""

from __future__ import annotations

import gc
import sys
import types

import pytest

from tensormill.function.traces import cache, memory_release


@pytest.fixture
def given_back(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The times of giving back, which takes half a second of a clock that stands still else."""
    clock, calls = [1000.0], list[float]()
    gc.collect()  # what other tests have dropped counts as well

    def give_back() -> None:
        calls.append(clock[0])
        clock[0] += 0.5

    monkeypatch.setattr(memory_release, "_give_back", give_back)
    monkeypatch.setattr(memory_release.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(memory_release, "_dropped", 0)
    monkeypatch.setattr(memory_release, "_not_before", 0.0)
    return calls


def test_little_stays(given_back: list[float]):
    memory_release.note_dropped(memory_release.ENOUGH - 1)
    gc.collect()

    assert given_back == []


def test_much_goes_after_a_whole_collection(given_back: list[float]):
    memory_release.note_dropped(memory_release.ENOUGH)
    gc.collect(1)
    assert given_back == []
    gc.collect()
    gc.collect()

    assert given_back == [1000.0]


def test_giving_back_takes_little_of_the_time(
    given_back: list[float], monkeypatch: pytest.MonkeyPatch
):
    memory_release.note_dropped(memory_release.ENOUGH)
    gc.collect()
    memory_release.note_dropped(memory_release.ENOUGH)
    gc.collect()
    assert given_back == [1000.0]
    monkeypatch.setattr(memory_release.time, "monotonic", lambda: 1100.0)
    gc.collect()

    assert len(given_back) == 2


def test_traces_that_go_with_their_function_count(given_back: list[float]):
    one = cache.TraceCache()
    one._sizes["key"] = memory_release.ENOUGH
    del one
    gc.collect()

    assert given_back == [1000.0]


def test_nothing_is_given_back_while_what_would_do_it_is_imported(monkeypatch: pytest.MonkeyPatch):
    begun = types.ModuleType(memory_release._SHARED)
    monkeypatch.setitem(sys.modules, memory_release._SHARED, begun)

    memory_release._give_back()
