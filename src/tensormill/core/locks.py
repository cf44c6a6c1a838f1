"""Locks that a forked child finds open, whoever held them in its parent."""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager
from typing import Any, final

_guard = threading.Lock()
_forks = 0


@final
class ForkedLock:
    """A lock that its owner may take again: `with lock():`.

    Threads other than the one that forks do not exist in the child: what they held is open there.
    The call gives a lock written in C, between whose taking and the `with` no signal is handled.
    """

    __slots__ = ("_forks", "_lock")

    def __init__(self) -> None:
        self._lock: Any = threading.RLock()
        self._forks = _forks

    def __call__(self) -> AbstractContextManager[Any]:
        if self._forks != _forks:
            self._renew()
        return self._lock

    def _renew(self) -> None:
        with _guard:
            if self._forks != _forks:
                if not self._lock._is_owned():
                    self._lock = threading.RLock()
                self._forks = _forks


def forks() -> int:
    """How many forks lie between the first process and this one."""
    return _forks


def _forked() -> None:
    global _forks, _guard
    _forks += 1
    _guard = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
