"""The user's line behind a call."""

from __future__ import annotations

import linecache
import os
import sys
from types import FrameType

from .process.named_tuples import NamedTuple

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_COMMAND = os.path.join(_OURS, "cli", "")
_STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep
_PLACES_OF_PACKAGES = frozenset(("site-packages", "dist-packages"))
_INSTALLED = tuple(f"{_STANDARD_LIBRARY}{one}" for one in _PLACES_OF_PACKAGES)


class SourceLine(NamedTuple):
    """A place in the user's code, or in `code` that was read elsewhere and saved its text."""

    file: str
    line: int
    function: str
    code: str = ""

    @property
    def text(self) -> str:
        return self.code or linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        return f"{os.path.basename(self.file)}:{self.line}"


def is_ours(file: str) -> bool:
    return file.startswith(_OURS)


def is_of_python(file: str) -> bool:
    """Whether it is of the standard library: some of it has no file, and text from 3.14 on."""
    return file.startswith((_STANDARD_LIBRARY, "<frozen ")) and not file.startswith(_INSTALLED)


def is_installed(file: str) -> bool:
    """Whether it is of a package that pip or a distribution put there: not what somebody writes."""
    return not _PLACES_OF_PACKAGES.isdisjoint(file.split(os.sep))


def started_the_script(file: str) -> bool:
    """Whether it is of the command `tensormill run`, around whose frames are none of the user's."""
    return file.startswith(_COMMAND)


def user_frame() -> FrameType | None:
    """The innermost frame that is not of this library."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return frame


def user_line() -> SourceLine | None:
    """Where the user's code called us, or None where it did not (at exit, in a callback)."""
    frame = user_frame()
    if frame is None:
        return None
    return SourceLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
