"""What ran, as TensorBoard's trace viewer shows it: an XSpace in `plugins/profile/RUN`.

Times within a line are picoseconds since its beginning, which is told in nanoseconds since 1970.
Format: tsl/profiler/protobuf/xplane.proto.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from ..core.files import gfile
from ..core.files.atomic import write_file
from ..core.process.named_tuples import NamedTuple
from ..graph.proto.messages import message

HOST: Final = "/host:CPU"


class ProfileEvent(NamedTuple):
    """What ran in a thread, from `start` to `end` (nanoseconds of one clock), and facts of it."""

    thread: int
    name: str
    start: int
    end: int
    facts: Mapping[str, Any]


class Plane:
    """Builds the message of what ran on the host; names are told once, by number."""

    def __init__(self) -> None:
        self.space: Any = message("XSpace")(hostnames=[socket.gethostname()])
        self._plane = self.space.planes.add(name=HOST)
        self._names: dict[str, int] = {}
        self._facts: dict[str, int] = {}

    def add_line(
        self, number: int, name: str, began: int, wall: int, events: Iterable[ProfileEvent]
    ) -> None:
        """A thread and its events; `began` is the clock's time that was `wall` since 1970."""
        line = self._plane.lines.add(id=number, name=name, display_name=name, timestamp_ns=wall)
        for event in sorted(events, key=lambda one: (one.start, -one.end)):
            made = line.events.add(
                metadata_id=self._name_number(event.name),
                offset_ps=max(event.start - began, 0) * 1000,
                duration_ps=(event.end - event.start) * 1000,
            )
            for key, value in event.facts.items():
                self._add_fact(made.stats.add(metadata_id=self._fact_number(key)), value)

    def _name_number(self, name: str) -> int:
        number = self._names.setdefault(name, len(self._names) + 1)
        entry = self._plane.event_metadata[number]
        entry.id, entry.name = number, name
        return number

    def _fact_number(self, key: str) -> int:
        number = self._facts.setdefault(key, len(self._facts) + 1)
        entry = self._plane.stat_metadata[number]
        entry.id, entry.name = number, key
        return number

    @staticmethod
    def _add_fact(stat: Any, value: Any) -> None:
        if isinstance(value, int):  # a bool is 0 or 1
            stat.int64_value = int(value)
        elif isinstance(value, float):
            stat.double_value = value
        else:
            stat.str_value = str(value)


def add_environment(space: Any, start: int, stop: int) -> None:
    """Tell in a plane of its own when the profile began and ended (nanoseconds since 1970)."""
    plane = space.planes.add(name="Task Environment")
    times = {"profile_start_time": start, "profile_stop_time": stop}
    for number, (key, value) in enumerate(times.items(), 1):
        plane.stat_metadata[number].id, plane.stat_metadata[number].name = number, key
        plane.stats.add(metadata_id=number, uint64_value=value)


def write_profile(logdir: Any, space: Any) -> None:
    """Write the message into a folder for this second's run."""
    run = time.strftime("%Y_%m_%d_%H_%M_%S")
    folder = os.path.join(gfile.text(logdir), "plugins", "profile", run)
    gfile.makedirs(folder)
    with gfile.translated(folder):
        path = os.path.join(folder, f"{socket.gethostname()}.xplane.pb")
        write_file(path, space.SerializeToString())
