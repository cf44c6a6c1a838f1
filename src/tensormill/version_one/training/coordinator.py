"""`tf.train.Coordinator`: threads that stop together, and tell why."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any, Final

from ...errors import OutOfRangeError

CLEAN: Final = (OutOfRangeError,)  # how queues say that nothing more comes


class Coordinator:
    """Lets several threads stop when one of them asks for it.

    clean_stop_exception_types: exceptions that stop the threads and are no errors: by default
    OutOfRangeError.

    >>> import threading
    >>> coordinator, seen = tf.train.Coordinator(), []
    >>> def work():
    ...     with coordinator.stop_on_exception():
    ...         while not coordinator.should_stop():
    ...             seen.append(1)
    ...             if len(seen) == 3:
    ...                 coordinator.request_stop()
    >>> thread = threading.Thread(target=work)
    >>> thread.start()
    >>> coordinator.join([thread])
    >>> len(seen), coordinator.joined
    (3, True)
    """

    def __init__(self, clean_stop_exception_types: Any = None) -> None:
        types = CLEAN if clean_stop_exception_types is None else clean_stop_exception_types
        self._clean: Final = tuple(types) if isinstance(types, Iterable) else (types,)
        self._lock: Final = threading.Lock()
        self._stop: Final = threading.Event()
        self._error: BaseException | None = None
        self._threads: set[threading.Thread] = set()
        self._joined = False

    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop. The first exception that is given, `sys.exc_info()` or one by
        itself, is what `join` raises.
        """
        error = ex[1] if isinstance(ex, tuple) else ex
        with self._lock:
            if self._joined:
                if error is not None:
                    raise error
                return
            if not self._stop.is_set():
                clean = isinstance(error, self._clean)
                self._error = None if clean else error
                self._stop.set()

    def clear_stop(self) -> None:
        """Begin again: nobody has asked to stop."""
        with self._lock:
            self._joined, self._error = False, None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Whether somebody has asked to stop."""
        return self._stop.is_set()

    @contextmanager
    def stop_on_exception(self) -> Generator[None]:
        """Ask all threads to stop where the code within raises, and hand the exception to them."""
        try:
            yield
        except BaseException as error:
            self.request_stop(error)

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until somebody asks to stop, or for so many seconds; whether somebody did."""
        return self._stop.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Let `join` wait for a thread that it is not told of."""
        with self._lock:
            self._threads.add(thread)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Wait until all threads have ended; from when somebody asks them to stop on, for so many
        seconds at most.

        Raises:
            Exception: what a thread asked to stop for.
            RuntimeError: threads still run, unless `ignore_live_threads`.
        """
        with self._lock:
            waiting = self._threads | set(threads or ())
        while any(one.is_alive() for one in waiting) and not self._stop.wait(0.05):
            pass
        deadline = time.monotonic() + stop_grace_period_secs
        for one in waiting:
            one.join(max(0.0, deadline - time.monotonic()))
        left = [one.name for one in waiting if one.is_alive()]
        with self._lock:
            self._joined, self._threads = True, set()
            error = self._error
        if error is not None:
            raise error
        if left and not ignore_live_threads:
            raise RuntimeError(f"Coordinator stopped with threads still running: {' '.join(left)}")

    @property
    def joined(self) -> bool:
        """Whether `join` has waited for all threads."""
        return self._joined

    def raise_requested_exception(self) -> None:
        """Raise what a thread asked to stop for, if it was an exception."""
        with self._lock:
            if self._error is not None:
                raise self._error


class LooperThread(threading.Thread):
    """A thread that calls a function over and over, until its coordinator stops.

    timer_interval_secs: from one call to the next; None: at once. `start_loop` and `stop_loop` may
    be written for what comes before and after, `run_loop` in the place of `target`.

    >>> coordinator, seen = tf.train.Coordinator(), []
    >>> def work():
    ...     seen.append(1)
    ...     if len(seen) == 3:
    ...         coordinator.request_stop()
    >>> thread = tf.compat.v1.train.LooperThread.loop(coordinator, None, work)
    >>> coordinator.join([thread])
    >>> len(seen)
    3

    Raises:
        ValueError: there is no coordinator, or there are arguments and no target.
    """

    def __init__(
        self,
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any] | None = None,
        args: Any = None,
        kwargs: Any = None,
    ) -> None:
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        if target is None and (args is not None or kwargs is not None):
            raise ValueError("'args' and 'kwargs' are for a 'target'")
        super().__init__(daemon=True)
        self._coord: Final = coord
        self._seconds: Final = timer_interval_secs
        self._call: Final = (target, tuple(args or ()), dict(kwargs or {}))
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:
        """A thread that has begun."""
        looper = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        looper.start()
        return looper

    def run(self) -> None:
        """What the thread does."""
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._seconds is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                due = time.monotonic()
                while not self._coord.wait_for_stop(max(0.0, due - time.monotonic())):
                    due += self._seconds
                    self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Before the first call."""

    def stop_loop(self) -> None:
        """After the last call."""

    def run_loop(self) -> None:
        """A call."""
        target, args, kwargs = self._call
        if target is not None:
            target(*args, **kwargs)
