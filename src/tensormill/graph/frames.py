"""The user's lines behind each operation, collected at a cost of a few microseconds."""

from __future__ import annotations

import sys
from types import CodeType

from ..core.source import SourceLine, is_ours, started_the_script

# Frames of the user that an operation remembers: its own line and who called that.
DEPTH = 6
# What a frame is: one of the user's, one to leave out, one with none of the user's around it.
USERS, SKIPPED, OUTERMOST = 0, 1, 2


class Frames:
    """Reads the stack of the caller. One line of code gives one SourceLine object."""

    __slots__ = ("_kinds", "_lines", "replayed")

    def __init__(self) -> None:
        # What is replayed from a file has the lines that were saved with it, not those of now.
        self.replayed: tuple[SourceLine, ...] | None = None
        self._kinds: dict[CodeType, int] = {}
        self._lines: dict[tuple[CodeType, int], SourceLine] = {}

    def collect(self) -> tuple[SourceLine, ...]:
        """The user's innermost frames, outermost first, without the library's."""
        if self.replayed is not None:
            return self.replayed
        kinds = self._kinds
        found: list[SourceLine] = []
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame is not None:
            code = frame.f_code
            if (kind := kinds.get(code)) is None:
                kind = kinds[code] = _kind_of(code.co_filename)
            if not kind:
                # The offset of the instruction is cheap to read; its line is not.
                place = (code, frame.f_lasti)
                if (line := self._lines.get(place)) is None:
                    line = SourceLine(code.co_filename, frame.f_lineno, code.co_name)
                    self._lines[place] = line
                found.append(line)
                if len(found) == DEPTH:
                    break
            elif kind == OUTERMOST:
                break
            frame = frame.f_back
        found.reverse()
        return tuple(found)


def _kind_of(file: str) -> int:
    if started_the_script(file):
        return OUTERMOST
    return SKIPPED if is_ours(file) or file.startswith("<frozen ") else USERS
