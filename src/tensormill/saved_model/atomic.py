"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import IO
from uuid import uuid4


@contextmanager
def replacing(*paths: str) -> Iterator[tuple[IO[bytes], ...]]:
    """Files to write; at the end they take the places of those at `paths`, in this order.

    They are written under temporary names beside them and forced onto the disk first. Whatever
    raises in between, the old files stay as they are.
    """
    names = [f"{path}.{uuid4().hex}.tmp" for path in paths]
    try:
        with ExitStack() as stack:
            files = tuple(stack.enter_context(open(name, "xb")) for name in names)
            yield files
            for file in files:
                file.flush()
                os.fsync(file.fileno())
        _replace(names, paths)
    finally:
        remove(*names)
    for folder in {os.path.dirname(path) for path in paths}:
        sync_folder(folder or ".")


def _replace(names: Sequence[str], paths: Sequence[str]) -> None:
    """Give the files called `names` the names `paths`, all of them or none."""
    old = [f"{name}.old" for name in names]
    done: list[tuple[str, str]] = []
    try:
        for path, kept in zip(paths, old, strict=True):
            with suppress(OSError):  # there is none, or the file system has no second names
                os.link(path, kept)
        for name, path, kept in zip(names, paths, old, strict=True):
            os.replace(name, path)
            done.append((path, kept))
    except BaseException:
        for path, kept in done:
            if os.path.exists(kept):
                os.rename(kept, path)
            else:
                os.remove(path)
        raise
    finally:
        remove(*old)


def remove(*paths: str) -> None:
    """Delete those that exist."""
    for path in paths:
        with suppress(FileNotFoundError):
            os.remove(path)


def write_file(path: str, data: bytes) -> None:
    """Make or replace the file at `path`."""
    with replacing(path) as (file,):
        file.write(data)


def sync_folder(folder: str) -> None:
    """Force the names in `folder` onto the disk, where the system can do that."""
    if os.name == "nt":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
