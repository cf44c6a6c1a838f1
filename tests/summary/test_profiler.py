"""`tf.profiler.experimental`: the files say what ran, when, and where the user asked for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.proto.messages import message
from tensormill.summary import profiler

profile = tf.profiler.experimental


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    yield
    if profiler.is_running():
        profile.stop(save=False)


def planes_of(folder: Path) -> Any:
    """What ran on the host, and what is told of the profile itself."""
    (file,) = folder.glob("plugins/profile/*/*.xplane.pb")
    return message("XSpace").FromString(file.read_bytes()).planes


def read(folder: Path) -> list[dict[str, Any]]:
    """The events of all threads: name, start, end, facts."""
    plane, _ = planes_of(folder)
    assert "/host:CPU" == plane.name
    found: list[dict[str, Any]] = []
    for line in plane.lines:
        for event in line.events:
            facts = {
                plane.stat_metadata[stat.metadata_id].name: getattr(stat, stat.WhichOneof("value"))
                for stat in event.stats
            }
            found.append({
                "name": plane.event_metadata[event.metadata_id].name, "thread": line.name,
                "start": event.offset_ps, "end": event.offset_ps + event.duration_ps, **facts,
            })  # fmt: skip
    return found


def here(offset: int) -> str:
    import sys

    return f"{__file__}:{sys._getframe(1).f_lineno + offset}"


def test_the_profile_tells_when_it_began_and_ended(tmp_path: Path) -> None:
    before = time.time_ns()
    with profile.Profile(tmp_path):
        pass
    host, told = planes_of(tmp_path)
    facts = {told.stat_metadata[one.metadata_id].name: one.uint64_value for one in told.stats}

    assert ("/host:CPU", "Task Environment") == (host.name, told.name)
    assert ["profile_start_time", "profile_stop_time"] == list(facts)
    assert before <= facts["profile_start_time"] <= facts["profile_stop_time"] <= time.time_ns()


def test_operations_functions_and_traces_are_told_with_their_lines(tmp_path: Path) -> None:
    double = tf.function(lambda x: x * 2, autograph=False)
    with profile.Profile(tmp_path), profile.Trace("step", step_num=3, rate=0.5) as trace:
        tf.constant(1) + 2
        line = here(-1)
        double(tf.constant(2))
        trace.set_metadata(kind="train")

    step, add, call = read(tmp_path)
    assert ("step", 3, 0.5, "train") == (step["name"], step["step_num"], step["rate"], step["kind"])
    assert ("AddV2", line) == (add["name"], add["source"])
    assert call["name"].startswith("__inference_")
    assert (
        step["start"] <= add["start"] <= add["end"] <= call["start"] <= call["end"] <= step["end"]
    )


def test_other_threads_tell_of_their_traces(tmp_path: Path) -> None:
    def work() -> None:
        with profile.Trace("elsewhere"):
            pass

    with profile.Profile(str(tmp_path)):
        thread = threading.Thread(target=work, name="worker")
        thread.start()
        thread.join()

    assert [("elsewhere", "worker")] == [(one["name"], one["thread"]) for one in read(tmp_path)]


@pytest.mark.parametrize(("level", "expected"), [(0, []), (1, ["mine"]), (2, ["mine", "Neg"])])
def test_options_say_how_much_is_recorded(level: int, expected: list[str], tmp_path: Path) -> None:
    profile.start(tmp_path, profile.ProfilerOptions(host_tracer_level=level))
    with profile.Trace("mine"):
        -tf.constant(1)
    profile.stop()

    assert expected == [one["name"] for one in read(tmp_path)]


def test_recording_begins_after_a_delay(tmp_path: Path) -> None:
    profile.start(tmp_path, {"delay_ms": 1_000_000})
    -tf.constant(1)
    profile.stop()

    assert [] == read(tmp_path)


def test_a_full_profile_takes_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(profiler, "MOST_EVENTS", 2)
    with profile.Profile(tmp_path):
        for _ in range(3):
            -tf.constant(1)

    assert 2 == len(read(tmp_path))
    assert 1 == caplog.text.count("the profile is full")


def test_one_profiler_runs_at_a_time(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.UnavailableError, match="No profiler is running"):
        profile.stop()
    profile.start(tmp_path)
    with pytest.raises(tf.errors.AlreadyExistsError):
        profile.start(tmp_path)
    profile.stop(save=False)

    assert [] == [*tmp_path.iterdir()]


def test_afterwards_nothing_is_looked_at(tmp_path: Path) -> None:
    from tensormill.core import context

    with profile.Profile(tmp_path):
        assert not context.top().plain

    assert context.top().plain
