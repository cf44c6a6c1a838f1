"""Files and folders under passing names: what is being written, and not yet in its place.

They lie in the folder where they will be, and are locked (flock) as long as their writer lives: the
system opens the locks of a process that dies. So what nobody locks is nobody's, and whoever writes
into the folder next deletes it. Where a file system has no locks, age tells instead.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import IO, Final
from uuid import uuid4

from .file_locks import LOOKED_AT, is_at, lock, unlock

PREFIX: Final = ".tensormill-"
SUFFIX: Final = ".tmp"
_NEW: Final = os.O_CREAT | os.O_EXCL | os.O_WRONLY
_FOLDERS_REMEMBERED: Final = 1000
ABANDONED_SECONDS: Final = 86400.0  # for where nothing else can be known
# What os.link says where files have one name only, or somebody else's may not get another.
NO_LINKS: Final = {
    errno.EPERM, errno.EACCES, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EMLINK,
}  # fmt: skip
_due: dict[str, int] = {}


@contextmanager
def passing_file(folder: str, mode: int = 0o666) -> Generator[tuple[str, IO[bytes]]]:
    """A new file to write, and its passing name; deleted at the end if it still has that."""
    sweep_sometimes(folder)
    path, descriptor = _claimed(folder, lambda name: os.open(name, _NEW, mode))
    with _owned(path, descriptor), os.fdopen(descriptor, "wb", closefd=False) as file:
        yield path, file


@contextmanager
def passing_folder(folder: str) -> Generator[str]:
    """The passing name of a new folder; what has that name at the end is deleted."""
    sweep_sometimes(folder)
    path, descriptor = _claimed(folder, _new_folder)
    with _owned(path, descriptor):
        yield path


@contextmanager
def _owned(path: str, descriptor: int) -> Generator[None]:
    try:
        yield
    finally:
        delete(path)
        unlock(descriptor)


def _new_folder(path: str) -> int | None:
    os.mkdir(path)
    try:
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:  # a sweep was quicker
        return None


def _claimed(folder: str, make: Callable[[str], int | None]) -> tuple[str, int]:
    """A new name and the descriptor of what `make` made there, which is locked."""
    while True:
        path = os.path.join(folder, f"{PREFIX}{uuid4().hex}{SUFFIX}")
        descriptor = make(path)
        if descriptor is None:
            continue
        if lock(descriptor) is not False and is_at(path, descriptor):
            return path, descriptor
        os.close(descriptor)  # a sweep was quicker than the lock


def is_passing(name: str) -> bool:
    """Whether a file or folder is called so until it has its place."""
    return name.startswith(PREFIX) and name.endswith(SUFFIX)


def delete(path: str) -> None:
    """Delete a file or a folder with all that is in it, if it is there."""
    with suppress(FileNotFoundError):
        if stat.S_ISDIR(os.lstat(path).st_mode):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.remove(path)


# ---- what nobody writes any more


@contextmanager
def abandoned(path: str) -> Generator[os.stat_result | None]:
    """Within, nobody else writes what is at `path`; None if somebody does or it is not there."""
    try:
        descriptor = _looked_at(path)
    except OSError:  # gone, or somebody else's
        yield None
        return
    try:
        found = os.fstat(descriptor)
        locked = lock(descriptor)
        if locked is None:
            locked = time.time() - found.st_mtime > ABANDONED_SECONDS
        yield found if locked and is_at(path, descriptor) else None
    finally:
        unlock(descriptor)


def _looked_at(path: str) -> int:
    try:  # NFS locks only what may be written
        return os.open(path, LOOKED_AT | os.O_RDWR)
    except (IsADirectoryError, PermissionError):
        return os.open(path, LOOKED_AT | os.O_RDONLY)


# ---- sweeping


def sweep_sometimes(folder: str) -> None:
    """Sweep a folder for the first time in this process, and again after as many files as it has,
    so that a million of them cost no more each than ten.
    """
    known = os.path.realpath(folder)  # not its number, which the next folder has that is made
    left = _due.get(known, 0)
    if left > 0:
        _due[known] = left - 1
        return
    if len(_due) > _FOLDERS_REMEMBERED:
        _due.clear()
    _due[known] = sweep(folder)


def sweep(folder: str, settle: Callable[[str], None] | None = None) -> int:
    """Delete what writers that died have left under passing names; how many names there are.

    A file with another name as well was about to be used by something: it is kept until whoever
    knows by what comes with `settle`, which gets its path before it is deleted.
    """
    try:
        names = os.listdir(folder)
    except OSError:  # not there yet, or not to be read
        return 0
    for name in names:
        if is_passing(name):
            path = os.path.join(folder, name)
            with suppress(OSError), abandoned(path) as found:
                _settle(path, found, settle)
    return len(names)


def _settle(path: str, found: os.stat_result | None, settle: Callable[[str], None] | None) -> None:
    if found is None:
        return
    if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
        if settle is None:
            return
        settle(path)
    delete(path)


# ---- folders


def sync_folder(folder: str) -> None:
    """Force the names in `folder` onto the disk, where the system can do that."""
    if os.name == "nt":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise  # those have file systems that know nothing of it
    finally:
        os.close(descriptor)
