"""`tf.compat.v1.resource_loader`: files that lie beside a program."""

from __future__ import annotations

import os
from pathlib import Path

from ..core.source import user_line


def get_data_files_path() -> str:
    """The folder of the file that calls this.

    >>> import os
    >>> os.path.isabs(tf.compat.v1.resource_loader.get_data_files_path())
    True
    """
    line = user_line()
    return os.path.dirname(os.path.realpath(line.file if line is not None else ""))


def get_path_to_datafile(path: str) -> str:
    """A file in the folder of the file that calls this.

    >>> tf.compat.v1.resource_loader.get_path_to_datafile("words.txt").endswith("words.txt")
    True
    """
    return os.path.join(get_data_files_path(), path)


def get_root_dir_with_all_resources() -> str:
    """The same as `get_data_files_path`.

    >>> import os
    >>> os.path.isabs(tf.compat.v1.resource_loader.get_root_dir_with_all_resources())
    True
    """
    return get_data_files_path()


def load_resource(path: str) -> bytes:
    """What is in a file whose path begins at the folder of this library.

    >>> tf.compat.v1.resource_loader.load_resource("py.typed")
    b''

    Raises:
        OSError: there is no such file.
    """
    return (Path(__file__).parent.parent / path).read_bytes()


def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """The path itself.

    >>> tf.compat.v1.resource_loader.readahead_file_path("words.txt")
    'words.txt'
    """
    return path
