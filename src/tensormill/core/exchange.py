"""A folder takes the place of another one in one step, where the system can do that."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
from functools import cache
from hashlib import sha256
from typing import Any, Final

_HERE: Final = -100  # AT_FDCWD
_EXCHANGE: Final = 2  # RENAME_EXCHANGE
# File systems without it (NFS, some of FUSE), and kernels.
_UNKNOWN: Final = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EXDEV}


def exchange_folders(one: str, other: str) -> None:
    """Let two folders of a file system change places.

    Where the system has no such step, `other` is away for a moment: who dies then leaves it under
    a name of its own, from which `bring_back` gets it.
    """
    if _renameat2(one, other):
        return
    away = _away(other)
    while True:
        shutil.rmtree(away, ignore_errors=True)  # of one who died when all but that was done
        _take_away(other, away)
        try:
            os.rename(one, other)
        except OSError as error:
            bring_back(other)
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):  # a reader brought it back
                raise
        else:
            os.rename(away, one)
            return


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
        os.rename(_away(path), path)


def _away(path: str) -> str:
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(folder, f".tensormill-{sha256(os.fsencode(name)).hexdigest()[:32]}.old")


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
