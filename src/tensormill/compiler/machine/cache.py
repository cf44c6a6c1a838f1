"""Object code kept on disk between processes.

One file per entry: a header line (format, SHA-256 of the key and the rest), a line of JSON
metadata, the object code. Files are written under a passing name and renamed, so readers see whole
entries only and any number of processes may share a directory. Nothing is unpickled. The directory
must belong to the user and be closed to others, and so must each file that is opened in it, because
what is read from it is executed. Whatever else is in the place of an entry: it counts as absent.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import stat
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias, cast, final

from ...config import STARTED, settings
from ...core.process.named_tuples import NamedTuple

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_MAGIC: Final = "tensormill object code 2"
_SUFFIX: Final = ".tmo"
# Not through a link, nor waiting for a pipe.
_ENTRY: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
# How often the directory, which may hold ten thousands of files, is looked through while as much
# is stored as it may hold.
_LOOKS: Final = 64
# What is emitted for a graph is decided in these folders (the graph itself is in the key).
_DECIDING: Final = ("core", "ops", "graph", "compiler")


class CachedCode(NamedTuple):
    """What the cache keeps: object code, and a JSON mapping that describes it."""

    code: bytes
    metadata: Mapping[str, Json]


class UnsafeDirectoryError(PermissionError):
    """The cache's directory belongs to somebody else, or others may write to it."""


@final
class CodeCache:
    """A directory of entries, the least recently used of which go when it outgrows its limit.

    Attributes:
        directory: where the entries are; made at the first store, readable by the user alone.
        limit_bytes: size of all entries together, but for what was stored since somebody looked:
            a sixty-fourth of it on average. One entry larger than this is not kept.
    """

    def __init__(self, directory: Path, limit_bytes: int) -> None:
        self.directory = directory
        self.limit_bytes = limit_bytes

    def load(self, key: str) -> CachedCode | None:
        """The entry stored under `key`, or None. A damaged entry is removed and counts as absent.

        Raises:
            UnsafeDirectoryError: others could have written what would be executed.
        """
        path = self._path(key)
        content = self._read(path.name)
        if content is None:
            return None
        entry = _decode(key, content)
        with contextlib.suppress(OSError):  # another process may have removed it meanwhile
            path.unlink() if entry is None else os.utime(path)
        return entry

    def _read(self, name: str) -> bytes | None:
        """What the file of that name holds; None if there is none that may be trusted."""
        try:
            folder = os.open(self.directory, os.O_RDONLY)
        except OSError:
            return None
        try:
            _refuse_unsafe(self.directory, os.fstat(folder))
            with open(os.open(name, _ENTRY, dir_fd=folder), "rb") as file:
                status = os.fstat(file.fileno())
                is_plain = stat.S_ISREG(status.st_mode) and status.st_size <= self.limit_bytes
                return file.read() if is_plain and _reason(status) is None else None
        except UnsafeDirectoryError:
            raise
        except OSError:
            return None
        finally:
            os.close(folder)

    def store(self, key: str, entry: CachedCode) -> None:
        """Keep `entry` under `key`. A full disk or a read-only home is no error: nothing is kept.

        Raises:
            UnsafeDirectoryError: others can write to the directory.
        """
        from ...core.files.atomic import replacing  # who finds entries writes none

        content = _encode(key, entry)
        if len(content) > self.limit_bytes or _were_edited(STARTED, len(sys.modules)):
            return
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = self.directory.stat()
        except OSError:
            return
        _refuse_unsafe(self.directory, status)
        with contextlib.suppress(OSError):
            path = self._path(key)
            with replacing(str(path), 0o600, is_lasting=False) as file:
                file.write(content)
            if _falls_to(path, _LOOKS * len(content) / max(self.limit_bytes, 1)):
                self._trim()

    def discard(self, key: str) -> None:
        """Remove the entry stored under `key`: what it says cannot be used."""
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def clear(self) -> None:
        """Remove every entry."""
        for path, _ in self._files():
            path.unlink(missing_ok=True)

    def size_bytes(self) -> int:
        """Size of all entries together."""
        return sum(status.st_size for _, status in self._files())

    def _path(self, key: str) -> Path:
        return self.directory / f"{hashlib.sha256(key.encode()).hexdigest()}{_SUFFIX}"

    def _trim(self) -> None:
        files = sorted(self._files(), key=lambda file: file[1].st_mtime_ns)
        excess = sum(status.st_size for _, status in files) - self.limit_bytes
        for path, status in files:
            if excess <= 0:
                return
            path.unlink(missing_ok=True)
            excess -= status.st_size

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        """Entries, with their status."""
        with contextlib.suppress(OSError), os.scandir(self.directory) as found:
            for file in found:
                with contextlib.suppress(FileNotFoundError):
                    if file.name.endswith(_SUFFIX):
                        yield Path(file.path), file.stat(follow_symlinks=False)


def open_cache() -> CodeCache | None:
    """The cache that the settings ask for; None when they switch it off.

    None, too, with a warning, when its directory is not safe to run code from.
    """
    directory = settings.cache_directory
    if directory is None or not settings.cache_enabled or _is_outdated():
        return None
    try:
        _refuse_unsafe(directory, directory.stat())
    except FileNotFoundError:
        pass
    except UnsafeDirectoryError as error:
        warnings.warn(f"compiled code is not cached: {error}", RuntimeWarning, stacklevel=2)
        return None
    except OSError:  # a home that may not be looked into
        return None
    return CodeCache(directory, settings.cache_limit_bytes)


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


@functools.lru_cache(maxsize=1)
def _were_edited(started: float, modules: int) -> bool:
    """Whether sources are newer than `started`, asked again when there are other modules: what was
    imported before the last look is what the sources were then, and a look takes a millisecond.
    """
    del modules
    return _look_through(started)[1]


@functools.cache
def _looked_through() -> tuple[str, bool]:
    return _look_through(STARTED)


def _look_through(started: float) -> tuple[str, bool]:
    """A digest of the sources, and whether one of them is newer than `started`.

    Sizes and times stand for contents: reading them all would cost more than a cached compile.
    """
    root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    digest, is_newer = hashlib.sha256(), False
    for folder in _DECIDING:
        for path, status in sorted(_sources(os.path.join(root, folder), folder)):
            digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
            is_newer = is_newer or status.st_mtime > started
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


def _refuse_unsafe(directory: Path, status: os.stat_result) -> None:
    if reason := _reason(status):
        raise UnsafeDirectoryError(f"{directory} {reason}; code is not run from it")


def _reason(status: os.stat_result) -> str | None:
    """Why what is open may have been written by others, if it may."""
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "may be written by others"
    return None


def _encode(key: str, entry: CachedCode) -> bytes:
    body = json.dumps(entry.metadata, sort_keys=True).encode() + b"\n" + entry.code
    return _header(key, body) + b"\n" + body


def _header(key: str, body: bytes) -> bytes:
    digest = hashlib.sha256(hashlib.sha256(key.encode()).digest())
    digest.update(body)
    return f"{_MAGIC} {digest.hexdigest()}".encode()


def _decode(key: str, content: bytes) -> CachedCode | None:
    header, _, body = content.partition(b"\n")
    if header != _header(key, body):
        return None
    metadata, _, code = body.partition(b"\n")
    try:
        about = json.loads(metadata)
    except (ValueError, RecursionError):
        return None
    return CachedCode(code, cast("dict[str, Json]", about)) if isinstance(about, dict) else None
