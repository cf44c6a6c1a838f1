"""`tf.io.gfile`: files and folders of the local file system."""

from __future__ import annotations

import errno
import glob as globbing
import os
import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ...errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnimplementedError,
    UnknownError,
)
from .atomic import rewriting

_CLASSES: dict[type[Exception], tuple[str, ...]] = {
    NotFoundError: ("ENOENT", "ENODEV", "ENXIO"),
    AlreadyExistsError: ("EEXIST",),
    PermissionDeniedError: ("EACCES", "EPERM", "EROFS"),
    FailedPreconditionError: ("EISDIR", "ENOTDIR", "ENOTEMPTY", "EBUSY", "ETXTBSY"),
    ResourceExhaustedError: ("ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EMLINK", "ENOMEM"),
    InvalidArgumentError: ("EINVAL", "ENAMETOOLONG"),
    OutOfRangeError: ("EFBIG",),
    UnimplementedError: ("EXDEV", "ENOSYS", "EOPNOTSUPP"),
}
_KINDS = {getattr(errno, name): kind for kind, names in _CLASSES.items() for name in names}


@contextmanager
def translated(path: Any) -> Generator[None]:
    """Raise what TensorFlow raises where the file system fails."""
    try:
        yield
    except OSError as error:
        kind = _KINDS.get(error.errno, UnknownError)
        reason = error.strerror or str(error)
        raise kind(f"{text(path)}; {reason}") from None


def text(path: Any) -> str:
    """A path as a string; one of bytes, a string tensor's element, or a path object, too."""
    if hasattr(path, "numpy"):
        path = path.numpy()
    return os.fsdecode(path)


def confined(path: Any, directories: Sequence[str], writes: bool) -> str:
    """The path, which has to lead into one of these directories; with none, anywhere.

    What is written must lie there whatever links there are; what is read may be a link that lies
    there: whoever made the directory has put it there.

    Raises:
        PermissionDeniedError: it leads elsewhere.
    """
    if not directories:
        return text(path)
    whole = os.path.abspath(text(path))  # without '..', so that no link is between
    place = os.path.realpath(whole) if writes else whole
    for directory in directories:
        root = os.path.realpath(directory) if writes else os.path.abspath(directory)
        if place == root or place.startswith(os.path.join(root, "")):
            return whole
    raise PermissionDeniedError(
        f"{text(path)}; functions of the SavedModel in {directories[0]} may only "
        f"{'write' if writes else 'read'} files in that directory. "
        "tf.saved_model.LoadOptions(allowed_directories=[...]) allows other ones"
    )


def exists(path: Any) -> bool:
    """Whether there is a file or folder."""
    return os.path.exists(text(path))


def isdir(path: Any) -> bool:
    """Whether there is a folder."""
    return os.path.isdir(text(path))


def join(path: Any, *paths: Any) -> Any:
    """A path of several parts; bytes if the first one is."""
    joined = os.path.join(text(path), *map(text, paths))
    return joined.encode() if isinstance(path, bytes) else joined


def listdir(path: Any) -> list[str]:
    """The names in a folder.

    Raises:
        NotFoundError: there is no such folder.
    """
    if not isdir(path):
        raise NotFoundError(f"Could not find directory {text(path)}")
    with translated(path):
        return os.listdir(text(path))


def glob(pattern: Any) -> list[str]:
    """The paths that match a pattern, or any of several ones."""
    several = isinstance(pattern, (list, tuple))
    patterns: list[Any] = [*pattern] if several else [pattern]
    return sorted(found for one in patterns for found in globbing.glob(text(one)))


def mkdir(path: Any) -> None:
    """Make a folder in one that is there.

    Raises:
        AlreadyExistsError, NotFoundError: it is there, or the folder around it is not.
    """
    with translated(path):
        os.mkdir(text(path))


def makedirs(path: Any) -> None:
    """Make a folder and those around it, where they are missing."""
    with translated(path):
        os.makedirs(text(path), exist_ok=True)


def remove(path: Any) -> None:
    """Delete a file.

    Raises:
        NotFoundError: there is none.
    """
    with translated(path):
        os.remove(text(path))


def rmtree(path: Any) -> None:
    """Delete a folder with all that is in it (or a file).

    Raises:
        NotFoundError: there is none.
    """
    with translated(path):
        shutil.rmtree(text(path)) if isdir(path) else os.remove(text(path))


def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file.

    Raises:
        AlreadyExistsError: `dst` is there, and overwrite is false.
        NotFoundError: `src` is not.
    """
    _refuse(dst, overwrite)
    with translated(src), open(text(src), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode & 0o777
        with translated(dst), rewriting(text(dst), mode) as copied:
            shutil.copyfileobj(file, copied)


def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Give a file or folder another name.

    Raises:
        AlreadyExistsError: `dst` is there, and overwrite is false.
        NotFoundError: `src` is not.
    """
    _refuse(dst, overwrite)
    with translated(src):
        os.replace(text(src), text(dst))


def _refuse(path: Any, overwrite: bool) -> None:
    if not overwrite and exists(path):
        raise AlreadyExistsError(f"file already exists: {text(path)}")


@dataclass(frozen=True)
class FileStatistics:
    """What `stat` tells of a file."""

    length: int
    mtime_nsec: int
    is_directory: bool


def stat(path: Any) -> FileStatistics:
    """The size and age of a file.

    Raises:
        NotFoundError: there is none.
    """
    with translated(path):
        found = os.stat(text(path))
    return FileStatistics(found.st_size, found.st_mtime_ns, isdir(path))


def walk(
    top: Any, topdown: bool = True, onerror: Callable[[OSError], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Every folder below `top` with the names of its folders and files."""
    return os.walk(text(top), topdown, onerror)


class GFile:
    """A file to read from or write to; text, unless the mode has a "b".

    Raises:
        NotFoundError: it is not there.
    """

    def __init__(self, name: Any, mode: str = "r", encoding: str = "utf-8") -> None:
        self.name, self.mode = name, mode
        coding = None if "b" in mode else encoding
        with translated(name):
            self._file: Any = open(text(name), mode, encoding=coding)

    def __getattr__(self, name: str) -> Any:
        if name in ("read", "readline", "readlines", "write", "tell", "flush", "close"):
            return getattr(self._file, name)
        raise AttributeError(f"'GFile' object has no attribute '{name}'")

    def size(self) -> int:
        """How many bytes there are."""
        self._file.flush()
        return os.fstat(self._file.fileno()).st_size

    def seek(self, offset: int | None = None, whence: int = 0) -> None:
        """Go on reading at another place."""
        self._file.seek(offset or 0, whence)

    def seekable(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(self._file)

    def __next__(self) -> Any:
        return next(self._file)

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __del__(self) -> None:
        file = self.__dict__.get("_file")
        if file is not None:
            file.close()
