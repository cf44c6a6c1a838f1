"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO
from uuid import uuid4


@contextmanager
def replacing(*paths: str) -> Iterator[tuple[IO[bytes], ...]]:
    """Files to write; at the end they take the places of those at `paths`.

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
        for name, path in zip(names, paths, strict=True):
            os.replace(name, path)
    except BaseException:
        for name in names:
            if os.path.exists(name):
                os.remove(name)
        raise
    for folder in {os.path.dirname(path) for path in paths}:
        sync_folder(folder or ".")


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
