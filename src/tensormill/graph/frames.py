"""The user's lines behind each operation, collected at a cost of a few microseconds."""

from __future__ import annotations

import sys
from types import CodeType

from ..core.source import SourceLine, is_installed, is_ours, started_the_script

# Frames that an operation remembers: its own line and who called that. One more where these are all
# of libraries that call each other: Keras is deeper.
DEPTH = 6
# What a frame is: one of the user's, one of another library's, one to leave out, one with none of
# the user's around it.
USERS, INSTALLED, SKIPPED, OUTERMOST = range(4)
_kinds: dict[str, int] = {}  # by file


class Frames:
    """Reads the stack of the caller. One line of code gives one SourceLine object."""

    __slots__ = ("_lines", "replayed")

    def __init__(self) -> None:
        # What is replayed from a file has the lines that were saved with it, not those of now.
        self.replayed: tuple[SourceLine, ...] | None = None
        # By the code's `id`, with the code, so that no other gets it: its hash is made of all that
        # it consists of, each time that somebody asks, which was a tenth of what tracing takes.
        self._lines: dict[tuple[int, int], tuple[SourceLine, CodeType]] = {}

    def collect(self) -> tuple[SourceLine, ...]:
        """The innermost frames, outermost first, without this library's: one is the user's own
        where there is one.
        """
        if self.replayed is not None:
            return self.replayed
        found: list[SourceLine] = []
        has_own = False
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame is not None:
            code = frame.f_code
            file = code.co_filename
            if (kind := _kinds.get(file)) is None:
                kind = _kinds[file] = _kind_of(file)
            if kind == USERS or (kind == INSTALLED and len(found) < DEPTH):
                # The offset of the instruction is cheap to read; its line is not.
                place = (id(code), frame.f_lasti)
                if (known := self._lines.get(place)) is None:
                    line = SourceLine(file, frame.f_lineno, code.co_name)
                    known = self._lines[place] = (line, code)
                found.append(known[0])
                has_own = has_own or kind == USERS
                if has_own and len(found) >= DEPTH:
                    break
            elif kind == OUTERMOST:
                break
            frame = frame.f_back
        found.reverse()
        return tuple(found)


def _kind_of(file: str) -> int:
    if started_the_script(file):
        return OUTERMOST
    if is_ours(file) or file.startswith("<frozen "):
        return SKIPPED
    return INSTALLED if is_installed(file) else USERS
