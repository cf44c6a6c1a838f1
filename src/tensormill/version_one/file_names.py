"""`tf.io.match_filenames_once`: file names that do not change."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..graph.by_hand.collections import GraphKeys
from ..ops.strings.files import matching_files
from .variable import made


def match_filenames_once(pattern: Any, name: str | None = None) -> Any:
    """The paths that match a pattern, or any of several ones, in a variable: what is there now.

    In a graph that is built by hand it is one of `tf.compat.v1.local_variables`.

    pattern: a string tensor of any shape, with `*`, `?` and `[...]` as shells have them.

    >>> tf.io.write_file("a.txt", "")
    >>> tf.io.match_filenames_once("a*.txt").numpy()
    array([b'./a.txt'], dtype=object)

    Raises:
        DTypeMismatchError: `pattern` are not strings.
        InvalidArgumentError: they have two axes or more.
    """
    return made(
        lambda: matching_files(pattern), trainable=False, name=name or "matching_filenames",
        dtype=dtypes.string, shape=[None], collections=[GraphKeys.LOCAL_VARIABLES],
    )  # fmt: skip
