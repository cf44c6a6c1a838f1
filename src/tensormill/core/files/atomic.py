"""Files that are there as a whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import IO, Final

from .temporary_names import passing_file, sync_folder

# Folders that may not be changed, files that are mounted or of another owner, the kernel's links.
_HELD_PLACES: Final = {
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.EBUSY, errno.EXDEV,
}  # fmt: skip


@contextmanager
def replacing(path: str, mode: int = 0o666, is_lasting: bool = True) -> Generator[IO[bytes]]:
    """A file to write; at the end it takes the place of what is at `path`.

    Whatever raises or kills in between, the old file stays as it is. One that `is_lasting` is
    forced onto the disk first, so that a power failure leaves one of them as well.
    """
    folder = os.path.dirname(path) or os.curdir
    with passing_file(folder, mode) as (name, file):
        yield file
        file.flush()
        if is_lasting:
            os.fsync(file.fileno())
        os.replace(name, path)
    if is_lasting:
        sync_folder(folder)


def write_file(path: str, data: bytes) -> None:
    """Make or replace the file at `path`."""
    with replacing(path) as file:
        file.write(data)


def append(path: str, data: bytes) -> None:
    """Append to a file, which is made if need be: all of it, or nothing where that raises."""
    with open(path, "ab", buffering=0) as file:
        end = file.tell()
        try:
            while data:
                data = data[file.write(data) :]
        except BaseException:
            file.truncate(end)
            raise


@contextmanager
def rewriting(path: str, mode: int = 0o666) -> Generator[IO[bytes]]:
    """A user's file to write, which may be any: its contents change, at the end, all else stays.

    That is owner and permissions, and the links that lead to it. What cannot be replaced so is
    written where it is: a device, a pipe, a file with other names as well, or in a folder that may
    not be changed.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY)
    except FileNotFoundError:
        with replacing(os.path.realpath(path), mode, is_lasting=False) as file:
            yield file
        return
    with os.fdopen(descriptor, "wb") as old, ExitStack() as stack:
        new = _beside(os.path.realpath(path), os.fstat(descriptor), stack)
        if new is None:
            _empty(old)
            yield old
        else:
            yield new[1]
            _put(*new, os.path.realpath(path), old)


def _beside(path: str, old: os.stat_result, stack: ExitStack) -> tuple[str, IO[bytes]] | None:
    """A passing file that could take the place of this one, and its name."""
    try:
        if not stat.S_ISREG(old.st_mode) or old.st_nlink > 1:
            return None
        if not os.path.samestat(os.stat(path), old):
            return None
        name, file = stack.enter_context(passing_file(os.path.dirname(path), 0o600))
        os.fchown(file.fileno(), old.st_uid, old.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))
    except OSError as error:
        if error.errno not in _HELD_PLACES:
            raise
        return None
    return name, file


def _put(name: str, new: IO[bytes], path: str, old: IO[bytes]) -> None:
    new.flush()
    os.fsync(new.fileno())
    try:
        os.replace(name, path)
    except OSError as error:
        if error.errno not in _HELD_PLACES:
            raise
        _empty(old)
        with open(name, "rb") as whole:
            shutil.copyfileobj(whole, old)
    else:
        sync_folder(os.path.dirname(path))


def _empty(file: IO[bytes]) -> None:
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        os.ftruncate(file.fileno(), 0)
