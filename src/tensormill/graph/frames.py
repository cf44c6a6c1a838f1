"""The user's lines behind each operation, collected at a cost of a few microseconds."""

from __future__ import annotations

import sys
from types import CodeType

from ..core.source import SourceLine, is_ours

# Frames of the user that an operation remembers: its own line and who called that.
DEPTH = 6


class Frames:
    """Reads the stack of the caller. One line of code gives one SourceLine object."""

    __slots__ = ("_lines", "_ours", "replayed")

    def __init__(self) -> None:
        # What is replayed from a file has the lines that were saved with it, not those of now.
        self.replayed: tuple[SourceLine, ...] | None = None
        self._ours: dict[CodeType, bool] = {}
        self._lines: dict[tuple[CodeType, int], SourceLine] = {}

    def collect(self) -> tuple[SourceLine, ...]:
        """The user's innermost frames, outermost first, without the library's."""
        if self.replayed is not None:
            return self.replayed
        ours = self._ours
        found: list[SourceLine] = []
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame is not None:
            code = frame.f_code
            if (skipped := ours.get(code)) is None:
                skipped = ours[code] = is_ours(code.co_filename)
            if not skipped:
                # The offset of the instruction is cheap to read; its line is not.
                place = (code, frame.f_lasti)
                if (line := self._lines.get(place)) is None:
                    line = SourceLine(code.co_filename, frame.f_lineno, code.co_name)
                    self._lines[place] = line
                found.append(line)
                if len(found) == DEPTH:
                    break
            frame = frame.f_back
        found.reverse()
        return tuple(found)
