"""Locks and forks: a child has only the thread that forked, and must not wait for the others.

A `ForkedLock` is open in the child, whichever thread held it: for what is whole at any moment, or
made anew by whoever comes next, where no function of a user runs (which may fork). For what another
thread may have left half done, a fork waits: an `AwaitedLock` is taken by whoever forks.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final, ParamSpec, TypeVar, final

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# How long a fork waits for a lock whose owner may wait for the thread that forks, in seconds.
PATIENCE: Final = 2.0
_SLICE: Final = 0.1
_MOMENT: Final = 0.01

_forks = 0
_begun = 0


class ForkedLock:
    """A lock that its owner may take again: `with lock():`.

    The call gives a lock written in C (`make` may say that it is a condition), between whose
    taking and the `with` no signal is handled.
    """

    __slots__ = ("__weakref__", "_lock", "_make")

    def __init__(self, make: Callable[[], Any] = threading.RLock) -> None:
        self._make = make
        self._lock: Any = make()
        number, known = id(self), _known  # it may outlive the names of this module
        # No Python runs as it goes: what a signal handler raises there would be printed and lost.
        known[number] = weakref.ref(self, functools.partial(known.pop, number))

    def __call__(self) -> Any:
        return self._lock

    def renew(self) -> None:
        """Open it, unless this thread holds it.

        For the thread that forked, before the child has others: one of those may have the number of
        a thread that the child does not have, and would pass for the owner of its locks.
        """
        if not self._lock._is_owned():
            self._lock = self._make()


@final
class AwaitedLock(ForkedLock):
    """A lock that a fork waits for.

    Args:
        is_short: what is done under it ends by itself, and soon: a fork waits as long as it takes.
            For any other the fork waits for PATIENCE at most, and not again until it was free.
        lock: one that somebody else made (an RLock).
    """

    __slots__ = ("is_short", "was_waited_for")

    def __init__(self, is_short: bool, lock: Any = None) -> None:
        super().__init__()
        if not is_short:
            _ask_first()
        self.is_short = is_short
        self.was_waited_for = False
        if lock is not None:
            self._lock = lock

    def __call__(self) -> Any:
        if _is_wanted and not self.is_short and not _forking._is_owned():
            # Locks are not fair: whoever takes it again and again lets the fork have it once.
            _over.wait(_MOMENT)
        return super().__call__()


def serialised(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """`function`, one thread at a time.

    For a cache whose results are compared by identity: two threads that want the same thing at
    once would make it twice, and `lru_cache` gives each its own.
    """
    lock = ForkedLock()

    @functools.wraps(function)
    def alone(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        with lock():
            return function(*args, **kwargs)

    return alone


def forks() -> int:
    """How many forks lie between the first process and this one."""
    return _forks


def forks_begun() -> int:
    """Another number after each fork, in the child and in the parent; it changes while all locks
    that forks wait for are taken.
    """
    return _begun


# ---------------------------------------------------------------- forking

_known: Final[dict[int, weakref.ref[ForkedLock]]] = {}  # in the order in which they were made
_taken: Final[list[Any]] = []
_forking: Any = threading.RLock()  # one thread at a time
_is_wanted = False
_over = threading.Event()


def _before() -> None:
    global _begun, _is_wanted
    if _is_forking():
        return
    _forking.acquire()
    _over.clear()
    _is_wanted = True
    known = [one for one in _alive() if isinstance(one, AwaitedLock)]
    # What was made last is likely used by what was made before.
    _take_long([lock for lock in known if not lock.is_short])
    for lock in known:
        if lock.is_short:
            _take(lock, -1)
    _begun += 1


def _alive() -> list[ForkedLock]:
    return [lock for one in list(_known.values()) if (lock := one()) is not None]


def _take_long(locks: list[AwaitedLock]) -> None:
    """Take these, which may be held within each other in an order that nobody knows: one that does
    not come in a while is the first next time, when this thread holds no other.
    """
    deadline = time.monotonic() + PATIENCE
    while locks:
        missing = _first_missing(locks)
        if missing is None:
            return
        _release()
        locks.remove(missing)
        if time.monotonic() < deadline and not missing.was_waited_for:
            locks.insert(0, missing)
        else:
            missing.was_waited_for = True


def _first_missing(locks: Sequence[AwaitedLock]) -> AwaitedLock | None:
    for lock in locks:
        if not _take(lock, 0 if lock.was_waited_for else _SLICE):
            return lock
        lock.was_waited_for = False
    return None


def _take(lock: AwaitedLock, timeout: float) -> bool:
    taken = lock()
    if not taken.acquire(timeout=timeout):
        return False
    _taken.append(taken)
    return True


def _release() -> None:
    while _taken:
        _taken.pop().release()


def _is_forking() -> bool:
    """Whether this thread has been asked already: it is once for each time of `_ask_first`."""
    return _is_wanted and _forking._is_owned()


def _after() -> None:
    global _is_wanted
    if not _is_forking():
        return
    _release()
    _is_wanted = False
    _over.set()
    _forking.release()


def _in_child() -> None:
    global _forks, _over
    if not _is_forking():
        return
    _forget_imports()
    _forks += 1
    _over = threading.Event()
    for one in _alive():
        one.renew()
    _after()


def _forget_imports() -> None:
    """Of other threads: CPython leaves the locks of the modules that they were importing taken for
    ever, and the modules half made. Whoever wants one of these here imports it anew.
    """
    bootstrap: Any = sys.modules["_frozen_importlib"]
    known: dict[str, Any] = getattr(bootstrap, "_module_locks", {})
    for name, reference in list(known.items()):
        if getattr(reference(), "owner", None) == threading.get_ident():
            continue
        known.pop(name, None)
        spec = getattr(sys.modules.get(name), "__spec__", None)
        if getattr(spec, "_initializing", False):
            del sys.modules[name]


# Modules that take a lock before a fork, for which a thread may wait that holds one of ours. Who is
# registered last is asked first.
_OTHERS: Final = frozenset(("concurrent.futures.thread", "logging"))
_asked_before: frozenset[str] = frozenset()


def _ask_first() -> None:
    global _asked_before
    known = _OTHERS & sys.modules.keys()
    if known != _asked_before:
        _asked_before = known
        _register()


def _register() -> None:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_in_child)


_register()
