"""`tf.profiler.experimental`: what ran, when, and on which line of the user's."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from typing import Any, Final

from ..core import context
from ..core.files.gfile import text as path_text
from ..core.process.locks import ForkedLock
from ..core.process.logs import logger
from ..core.process.named_tuples import NamedTuple
from ..core.source import user_line
from ..errors import AlreadyExistsError, UnavailableError
from .profile_files import Plane, ProfileEvent, add_environment, write_profile

# Trace viewers show no more.
MOST_EVENTS: Final = 1_000_000
ANNOTATIONS, OPERATIONS = 1, 2


class ProfilerOptions(NamedTuple):
    """What is recorded: host_tracer_level 1 the user's own traces, 2 operations and functions too.

    delay_ms: from when on. There are no devices to be traced, and Python's own calls are not.

    >>> tf.profiler.experimental.ProfilerOptions(host_tracer_level=1).host_tracer_level
    1
    """

    host_tracer_level: int = 2
    python_tracer_level: int = 0
    device_tracer_level: int = 1
    delay_ms: int | None = None


class ProfileRecording:
    """The profiler that runs."""

    def __init__(self, logdir: Any, options: ProfilerOptions) -> None:
        self.logdir: Final = logdir
        self.level: Final = options.host_tracer_level
        self._wall: Final = time.time_ns()
        self._began: Final = time.perf_counter_ns()
        self._from: Final = self._began + (options.delay_ms or 0) * 1_000_000
        self._events: list[ProfileEvent] = []
        self._threads: dict[int, str] = {}

    def add(self, name: str, start: int, end: int, facts: dict[str, Any]) -> None:
        """Note what ran in this thread."""
        if start < self._from or len(self._events) >= MOST_EVENTS:
            return
        number = threading.get_ident()
        self._threads.setdefault(number, threading.current_thread().name)
        self._events.append(ProfileEvent(number, name, start, end, facts))
        if len(self._events) == MOST_EVENTS:
            logger.warning("the profile is full: what runs from now on is not in it")

    # ---- as an observer

    def applied(self, application: context.Applied) -> None:
        """Note an operation that ran at once."""
        if self.level < OPERATIONS or context.building_graph():
            return
        name = application.op.name
        self.add(name, application.start, application.end, {"tf_op": f"{name}:{name}"} | _place())

    def called(self, function: Any, start: int, end: int) -> None:
        """Note the call of a function."""
        if self.level >= OPERATIONS:
            name = function.name.decode()
            self.add(name, start, end, {"tf_function_call": "compiled"} | _place())

    def space(self) -> Any:
        """All of it as a message."""
        plane = Plane()
        by_thread: dict[int, list[ProfileEvent]] = defaultdict(list)
        for event in list(self._events):
            by_thread[event.thread].append(event)
        for number, events in by_thread.items():
            plane.add_line(number, self._threads[number], self._began, self._wall, events)
        add_environment(plane.space, self._wall, time.time_ns())
        return plane.space


def _place() -> dict[str, Any]:
    line = user_line()
    return {} if line is None else {"source": f"{line.file}:{line.line}"}


class _Current:
    """The recording that runs in this process, if one does."""

    recording: ProfileRecording | None = None


_lock: Final = ForkedLock()


def start(logdir: Any, options: Any = None) -> None:
    """Record from now on what this thread runs, and the traces of all threads.

    logdir: where `stop` writes it, for TensorBoard. options: ProfilerOptions, or a dict of them.
    Of functions the calls are recorded, as they run as one piece of machine code.

    >>> tf.profiler.experimental.start("logs")
    >>> x = tf.square(2.0)
    >>> tf.profiler.experimental.stop()
    >>> len(tf.io.gfile.glob("logs/plugins/profile/*/*.xplane.pb"))
    1

    Raises:
        TypeError: `logdir` is no path.
        AlreadyExistsError: another profiler is running.
    """
    folder = path_text(logdir)
    chosen = options if isinstance(options, ProfilerOptions) else ProfilerOptions(**(options or {}))
    with _lock():
        if _Current.recording is not None:
            raise AlreadyExistsError("Another profiler is running.")
        _Current.recording = recording = ProfileRecording(folder, chosen)
    context.observe(recording)


def stop(save: bool = True) -> None:
    """Stop the profiler, and write what it recorded if `save`.

    >>> tf.profiler.experimental.start("logs")
    >>> tf.profiler.experimental.stop(save=False)

    Raises:
        UnavailableError: no profiler is running.
    """
    with _lock():
        recording, _Current.recording = _Current.recording, None
    if recording is None:
        raise UnavailableError("Cannot export profiling results. No profiler is running.")
    context.stop_observing(recording)
    if save:
        write_profile(recording.logdir, recording.space())


class Profile:
    """A block that is recorded: `with tf.profiler.experimental.Profile("logs"):`.

    >>> with tf.profiler.experimental.Profile("logs/block"):
    ...     x = tf.square(2.0)
    """

    def __init__(self, logdir: Any, options: Any = None) -> None:
        self._logdir = logdir
        self._options = options

    def __enter__(self) -> None:
        start(self._logdir, self._options)

    def __exit__(self, typ: Any, value: Any, tb: Any) -> None:
        stop()


class ProfileTrace:
    """A block that is shown in the profile under a name, with facts: `step_num` is that of a step.

    >>> with tf.profiler.experimental.Profile("logs/steps"):
    ...     for step in range(2):
    ...         with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
    ...             x = tf.square(2.0)
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        self._name = name
        self._facts = kwargs
        self._start = 0

    def __enter__(self) -> ProfileTrace:
        self._start = time.perf_counter_ns()
        return self

    def set_metadata(self, **kwargs: Any) -> None:
        """Add facts that are known later."""
        self._facts |= kwargs

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        recording = _Current.recording
        if recording is not None and recording.level >= ANNOTATIONS:
            facts = dict(self._facts) | _place()
            recording.add(self._name, self._start, time.perf_counter_ns(), facts)


def is_running() -> bool:
    return _Current.recording is not None
