"""Locks that a forked child finds open, whoever held them in its parent."""

from __future__ import annotations

import os
import threading
from typing import Any, final

_guard = threading.Lock()
_forks = 0


@final
class ForkedLock:
    """A lock that its owner may take again, for `with`.

    Threads other than the one that forks do not exist in the child: what they held is open there.
    """

    __slots__ = ("_forks", "_lock")

    def __init__(self) -> None:
        self._lock: Any = threading.RLock()
        self._forks = _forks

    def __enter__(self) -> None:
        if self._forks != _forks:
            self._renew()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def _renew(self) -> None:
        with _guard:
            if self._forks != _forks:
                if not self._lock._is_owned():
                    self._lock = threading.RLock()
                self._forks = _forks


def _forked() -> None:
    global _forks, _guard
    _forks += 1
    _guard = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
