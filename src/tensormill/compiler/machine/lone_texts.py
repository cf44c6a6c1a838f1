"""A text of few functions that is the same whatever text they are taken from: with the
declarations and the metadata that they need, in an order and with numbers of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_DECLARED: Final = r"^declare [^@]*@([\w.]+)\("
_METADATA: Final = r"^!(\d+) = "
_NUMBER: Final = r"!(\d+)\b"
_NAME: Final = r"@([\w.]+)"


def lone_text(declared: Iterable[str], functions: Iterable[str], others: Iterable[str]) -> str:
    """Functions and what is `declared` for them, and what they need of a text's `others`: lines
    that declare something or are metadata.
    """
    text = "\n".join(functions)
    used = set(re.findall(_NAME, text))
    lines, metadata = set(declared), dict[str, str]()
    for line in others:
        if found := re.match(_METADATA, line):
            metadata[found[1]] = line
        elif (named := re.match(_DECLARED, line)) and named[1] in used:
            lines.add(line)
    numbers = _needed(text, metadata)
    lines_of_numbers = [metadata[number] for number in numbers]
    return "\n".join([*sorted(lines), _renumbered([text, *lines_of_numbers], numbers), ""])


def _needed(text: str, metadata: dict[str, str]) -> dict[str, int]:
    """The numbers of what a text refers to, directly or not, and those that they get."""
    found = dict.fromkeys(re.findall(_NUMBER, text))
    waiting = [*found]
    for number in waiting:  # which grows meanwhile
        for other in re.findall(_NUMBER, metadata[number]):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return {number: place for place, number in enumerate(found)}


def _renumbered(texts: Sequence[str], numbers: dict[str, int]) -> str:
    return re.sub(_NUMBER, lambda one: f"!{numbers[one[1]]}", "\n".join(texts))
