"""Object code kept on disk between processes.

One file per entry: a header line (format, SHA-256 of the rest), a line of JSON metadata, the
object code. Files are written under a temporary name and renamed, so readers see whole entries only
and any number of processes may share a directory. Nothing is unpickled. The directory must belong
to the user and be closed to others, because what is read from it is executed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import stat
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, cast, final

from tensormill.config import STARTED, settings

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_MAGIC: Final = "tensormill object code 1"
_SUFFIX: Final = ".tmo"
_TEMPORARY_SUFFIX: Final = ".part"
# A temporary file this old belongs to a process that died before it renamed it.
_ABANDONED_SECONDS: Final = 3600.0
# How often the directory, which may hold ten thousands of files, is looked through while as much
# is stored as it may hold.
_LOOKS: Final = 64
# What is emitted for a graph is decided in these folders (the graph itself is in the key).
_DECIDING: Final = ("core", "ops", "graph", "compiler")


class Entry(NamedTuple):
    """What the cache keeps: object code, and a JSON mapping that describes it."""

    code: bytes
    metadata: Mapping[str, Json]


class UnsafeDirectoryError(PermissionError):
    """The cache's directory belongs to somebody else, or others may write to it."""


@final
class Cache:
    """A directory of entries, the least recently used of which go when it outgrows its limit.

    Attributes:
        directory: where the entries are; made at the first store, readable by the user alone.
        limit_bytes: size of all entries together, but for what was stored since somebody looked:
            a sixty-fourth of it on average. One entry larger than this is not kept.
    """

    def __init__(self, directory: Path, limit_bytes: int) -> None:
        self.directory = directory
        self.limit_bytes = limit_bytes

    def load(self, key: str) -> Entry | None:
        """The entry stored under `key`, or None. A damaged entry is removed and counts as absent.

        Raises:
            UnsafeDirectoryError: others could have written what would be executed.
        """
        if not self.directory.exists():
            return None
        _refuse_unsafe(self.directory)
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        entry = _decode(content)
        with contextlib.suppress(OSError):  # another process may have removed it meanwhile
            path.unlink() if entry is None else os.utime(path)
        return entry

    def store(self, key: str, entry: Entry) -> None:
        """Keep `entry` under `key`. A full disk or a read-only home is no error: nothing is kept.

        Raises:
            UnsafeDirectoryError: others can write to the directory.
        """
        content = _encode(entry)
        if len(content) > self.limit_bytes or _look_through()[1]:
            return
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            return
        _refuse_unsafe(self.directory)
        with contextlib.suppress(OSError):
            path = self._path(key)
            self._write(path, content)
            if _falls_to(path, _LOOKS * len(content) / max(self.limit_bytes, 1)):
                self._trim()

    def clear(self) -> None:
        """Remove every entry."""
        for path, _ in self._files():
            path.unlink(missing_ok=True)

    def size_bytes(self) -> int:
        """Size of all entries together."""
        return sum(status.st_size for _, status in self._files())

    def _path(self, key: str) -> Path:
        return self.directory / f"{hashlib.sha256(key.encode()).hexdigest()}{_SUFFIX}"

    def _write(self, path: Path, content: bytes) -> None:
        descriptor, temporary = tempfile.mkstemp(suffix=_TEMPORARY_SUFFIX, dir=self.directory)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise

    def _trim(self) -> None:
        files = sorted(self._files(), key=lambda file: file[1].st_mtime_ns)
        excess = sum(status.st_size for _, status in files) - self.limit_bytes
        for path, status in files:
            if excess <= 0:
                return
            path.unlink(missing_ok=True)
            excess -= status.st_size

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Entries and abandoned temporary files, with their status."""
        with contextlib.suppress(FileNotFoundError), os.scandir(self.directory) as found:
            for file in found:
                with contextlib.suppress(FileNotFoundError):
                    if _counts(file):
                        yield Path(file.path), file.stat(follow_symlinks=False)


def open_cache() -> Cache | None:
    """The cache that the settings ask for; None when they switch it off.

    None, too, with a warning, when its directory is not safe to run code from.
    """
    if not settings.cache_enabled or _is_outdated():
        return None
    try:
        if settings.cache_directory.exists():
            _refuse_unsafe(settings.cache_directory)
    except UnsafeDirectoryError as error:
        warnings.warn(f"compiled code is not cached: {error}", RuntimeWarning, stacklevel=2)
        return None
    return Cache(settings.cache_directory, settings.cache_limit_bytes)


def key_of(*parts: str) -> str:
    """A cache key that depends on each of `parts` and on the sources of this compiler."""
    digest = hashlib.sha256(_sources_digest().encode())
    for part in parts:
        encoded = part.encode()
        digest.update(f"{len(encoded)}:".encode())
        digest.update(encoded)
    return digest.hexdigest()


@functools.cache
def _sources_digest() -> str:
    """One digest of the library's sources that decide what code is emitted."""
    return _looked_through()[0]


@functools.cache
def _is_outdated() -> bool:
    """Whether sources were edited since this process started: its code is not what they say, and
    other processes would take it for that.
    """
    return _looked_through()[1]


@functools.cache
def _looked_through() -> tuple[str, bool]:
    return _look_through()


def _look_through() -> tuple[str, bool]:
    """A digest of the sources, and whether one of them is newer than this process.

    Sizes and times stand for contents: reading them all would cost more than a cached compile.
    """
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    digest, is_newer = hashlib.sha256(), False
    for folder in _DECIDING:
        for path, status in sorted(_sources(os.path.join(root, folder), folder)):
            digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
            is_newer = is_newer or status.st_mtime > STARTED
    return digest.hexdigest(), is_newer


def _sources(directory: str, inside: str = "") -> Iterator[tuple[str, os.stat_result]]:
    """Python files below a directory, by their path inside the first one."""
    with os.scandir(directory) as found:
        for entry in found:
            name = f"{inside}/{entry.name}"
            if entry.name.endswith(".py"):
                yield name, entry.stat()
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _sources(entry.path, name)


def _falls_to(path: Path, share: float) -> bool:
    """True for this share of all entries, whichever processes store them."""
    return int(path.name[:8], 16) < share * 2**32


def _counts(file: os.DirEntry[str]) -> bool:
    if file.name.endswith(_SUFFIX):
        return True
    if not file.name.endswith(_TEMPORARY_SUFFIX):
        return False
    status, directory = file.stat(follow_symlinks=False), Path(file.path).parent
    return directory.stat().st_mtime - status.st_mtime > _ABANDONED_SECONDS


def _refuse_unsafe(directory: Path) -> None:
    status = directory.stat()
    if status.st_uid != os.getuid():
        raise UnsafeDirectoryError(f"{directory} belongs to another user; code is not run from it")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise UnsafeDirectoryError(f"others may write to {directory}; code is not run from it")


def _encode(entry: Entry) -> bytes:
    body = json.dumps(entry.metadata, sort_keys=True).encode() + b"\n" + entry.code
    return f"{_MAGIC} {hashlib.sha256(body).hexdigest()}\n".encode() + body


def _decode(content: bytes) -> Entry | None:
    header, _, body = content.partition(b"\n")
    if header != f"{_MAGIC} {hashlib.sha256(body).hexdigest()}".encode():
        return None
    metadata, _, code = body.partition(b"\n")
    return Entry(code, cast("dict[str, Json]", json.loads(metadata)))
