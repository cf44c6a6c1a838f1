"""Locks on files (flock), which the system opens when their owner dies.

None says that a file has no lock, as on some network file systems, and where there is no Unix.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

Result = TypeVar("Result")

# How to open what anybody may have put there.
LOOKED_AT: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def lock(descriptor: int, waits: bool = False) -> bool | None:
    """Lock an open file: False where somebody else has, and this one does not wait for it."""
    try:
        _flock(descriptor, waits=waits)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def unlock(descriptor: int) -> None:
    """Close the file, and open its lock even if a forked child has the file, too."""
    with suppress(OSError):
        _flock(descriptor, opens=True)
    os.close(descriptor)


def _flock(descriptor: int, opens: bool = False, waits: bool = False) -> None:
    try:
        import fcntl
    except ImportError:  # no Unix
        raise OSError(errno.ENOLCK, "no locks on this system") from None
    taking = fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB
    fcntl.flock(descriptor, fcntl.LOCK_UN if opens else taking)


def is_at(path: str, descriptor: int) -> bool:
    """Whether an open file is the one that has this name."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def run_exclusively(path: str, work: Callable[[], Result]) -> Result:
    """`work()`, while no other thread or process is at any for the same path; who is, is waited
    for.

    At the path a file is made, locked, and deleted in the end. Who cannot make it, and finds none,
    waits for nobody: nobody else is there.
    """
    while True:
        try:
            file = open(path, "rb", buffering=0, opener=_made_or_found)
        except OSError:
            return work()
        with file:  # closed and so unlocked, whatever interrupts any of this
            try:
                lock(file.fileno(), waits=True)
                if is_at(path, file.fileno()):  # not deleted by whom it was waited for
                    return _and_delete(path, work)
            finally:
                with suppress(OSError):
                    _flock(file.fileno(), opens=True)


def _made_or_found(path: str, _: int) -> int:
    try:
        return os.open(path, LOOKED_AT | os.O_CREAT | os.O_RDWR, 0o666)
    except OSError:  # the folder or the file is somebody else's, or the disk is full
        return os.open(path, LOOKED_AT | os.O_RDONLY)


def _and_delete(path: str, work: Callable[[], Result]) -> Result:
    try:
        return work()
    finally:
        with suppress(OSError):
            os.remove(path)
