"""A folder takes the place of another one in one step, where the system can do that.

Where it cannot, there is a moment at which neither is in its place. Then everybody who would change
the place, or finds nothing there, waits for whoever is at it (`run_exclusively`), as far as files
have locks.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Any, Final

from .file_locks import run_exclusively
from .temporary_names import PREFIX, SUFFIX

_HERE: Final = -100  # AT_FDCWD
_EXCHANGE: Final = 2  # RENAME_EXCHANGE
# File systems without it (NFS, some of FUSE), and kernels.
_UNKNOWN: Final = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EXDEV}


def exchange_folders(one: str, other: str) -> None:
    """Let two folders of a file system change places.

    Where the system has no such step, `other` is away for a moment: who dies then leaves it under
    a name of its own, from which `bring_back` gets it.
    """
    if not _renameat2(one, other):
        run_exclusively(_lock_of(other), lambda: _exchange_in_steps(one, other))


def _exchange_in_steps(one: str, other: str) -> None:
    away = _away(other)
    while True:
        shutil.rmtree(away, ignore_errors=True)  # of one who died when all but that was done
        try:
            _take_away(other, away)
            os.rename(one, other)
            return
        except OSError as error:
            if not _is_taken(error):
                raise
        finally:
            _bring_back(other, one)


def move_folder(one: str, other: str) -> bool:
    """Give a folder another name, which no other has; False where one has it."""

    def move() -> bool:
        _bring_back(other)
        if os.path.isdir(other):
            return False
        try:
            os.rename(one, other)
        except OSError as error:
            if not _is_taken(error):
                raise
            return False
        return True

    return not os.path.isdir(other) and run_exclusively(_lock_of(other), move)


def _is_taken(error: BaseException) -> bool:
    """Whether somebody was quicker to put a folder in that place."""
    return isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST)


def _take_away(path: str, away: str) -> None:
    """Give a folder another name, or a copy where it can have none: one of a container's image,
    which lies below what the container writes. Of that the files go first: half of it is nothing.
    """
    try:
        os.rename(path, away)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.copytree(path, away, symlinks=True)
        for entry in sorted(os.scandir(path), key=lambda entry: entry.is_dir()):
            is_folder = entry.is_dir(follow_symlinks=False)
            shutil.rmtree(entry.path) if is_folder else os.remove(entry.path)
        os.rmdir(path)


def bring_back(path: str) -> None:
    """Put the folder in its place that somebody took away to exchange it, and died."""
    if not os.path.lexists(path) and os.path.isdir(_away(path)):
        run_exclusively(_lock_of(path), lambda: _bring_back(path))


def _bring_back(path: str, *others: str) -> None:
    """Put what was taken away from `path` there, or into the first other place that is free."""
    if not os.path.isdir(_away(path)):
        return
    for place in (path, *others):
        if not os.path.lexists(place):
            with suppress(OSError):
                os.rename(_away(path), place)
                return
            try:  # nothing else can be done, nor undone: once more
                os.rename(_away(path), place)
            except OSError:
                if os.path.lexists(path):  # by its successor; the next one would delete it
                    shutil.rmtree(_away(path), ignore_errors=True)
                raise
            return


def _away(path: str) -> str:
    return _beside(path, ".old")


def _lock_of(path: str) -> str:
    """A passing name, so that what the dead leave there is swept."""
    return _beside(path, SUFFIX)


def _beside(path: str, suffix: str) -> str:
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(folder, f"{PREFIX}{sha256(os.fsencode(name)).hexdigest()[:32]}{suffix}")


def _renameat2(one: str, other: str) -> bool:
    """Exchange two names; False where the system cannot."""
    if (call := _system_call()) is None:
        return False
    if call(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNKNOWN:
        return False
    raise OSError(number, os.strerror(number), one, None, other)


@cache
def _system_call() -> Any:
    """libc's function, which not every libc has."""
    found: Any = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if found is not None:
        path = ctypes.c_char_p
        found.argtypes = [ctypes.c_int, path, ctypes.c_int, path, ctypes.c_uint]
    return found
