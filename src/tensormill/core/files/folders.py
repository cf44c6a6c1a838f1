"""Folders that are made where they are missing."""

from __future__ import annotations

import errno
import os


def make_folders(path: str) -> None:
    """Make a folder and those around it, where they are missing.

    Raises:
        NotADirectoryError: a file is in the way.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except FileExistsError:
        # The last part is a file; Python says of the other parts what it should say of this one.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path) from None
