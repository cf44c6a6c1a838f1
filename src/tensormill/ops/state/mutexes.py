"""Locks that graphs take: `tf.CriticalSection` is made of these."""

from __future__ import annotations

import threading
from typing import Any, Final

from ...core.process.locks import ForkedLock
from ...core.specs import ObjectSpec
from ...errors import InvalidArgumentError
from ..demands import refuse
from ..effects import World, Writes
from ..op import Attr, In, Op, Out

_MUTEX: Final = ObjectSpec("mutex")
_HELD: Final = ObjectSpec("held mutex", is_value=True)


class _Gate:
    """A lock that any thread may give back, and that knows who took it, as forks ask."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._owner: int | None = None

    def acquire(self) -> None:
        self._lock.acquire()
        self._owner = threading.get_ident()

    def release(self) -> None:
        self._owner = None
        self._lock.release()

    def _is_owned(self) -> bool:
        return self._owner == threading.get_ident()


class Mutex:
    """Taken by one at a time; whoever waits for it sleeps."""

    spec: Final = _MUTEX

    def __init__(self) -> None:
        self._lock: Final = ForkedLock(_Gate)

    def taken(self) -> HeldMutex:
        """The mutex, once nobody else has it."""
        lock = self._lock()
        lock.acquire()
        return HeldMutex(lock)


class HeldMutex:
    """A mutex that somebody has: given back when it is told to, or when nobody knows of it."""

    spec: Final = _HELD

    def __init__(self, lock: _Gate) -> None:
        self._lock: _Gate | None = lock

    def give_back(self) -> None:
        """Let the next one in. A second time nothing happens."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()

    def __del__(self) -> None:
        self.give_back()


_SHARED: Final[dict[tuple[str, str], Mutex]] = {}
_SHARING: Final = ForkedLock()


class MutexV2(Op):
    """The mutex of a name, which all share that say it; without a name, a new one each time."""

    resource = Out("resource")
    container = Attr("")
    shared_name = Attr("")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return _MUTEX

    def eager(self, np: Any) -> Mutex:
        if not self.shared_name:
            return Mutex()
        with _SHARING():
            return _SHARED.setdefault((self.container, self.shared_name), Mutex())


class MutexLock(Op):
    """Waits until nobody else has the mutex, and takes it."""

    mutex = In("resource")
    mutex_lock = Out("variant")
    effects = (Writes("mutex"), World.PYTHON)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        if getattr(self.mutex, "spec", None) != _MUTEX:
            refuse(InvalidArgumentError, "MutexLock needs the handle of a mutex")

    def infer(self) -> ObjectSpec:
        return _HELD

    def eager(self, np: Any) -> HeldMutex:
        return self.mutex.taken()


class ConsumeMutexLock(Op):
    """Gives a mutex back."""

    mutex_lock = In("variant")
    effects = (World.PYTHON,)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        if getattr(self.mutex_lock, "spec", None) != _HELD:
            refuse(InvalidArgumentError, "ConsumeMutexLock needs what MutexLock gave")

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.mutex_lock.give_back()
        return ()
