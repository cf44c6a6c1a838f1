"""Calls of public functions that few other tables have, one on each line of the files in `lines`.

A line is its own name, and an expression of what `line_names` has. These run eagerly alone: what is
compiled of them are operations and functions that have samples and calls of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import line_names
from .asked import plain
from .call import Call
from .line_names import CONSTANTS, NAMESPACES, OPERANDS, Looking

COMPILED: list[str] = []
FILES = sorted((Path(__file__).parent / "lines").glob("*.txt"))
LINES = [line for file in FILES for line in file.read_text().splitlines()]
HELPERS = ("described", "folder", "found", "nothing", "spec", "text_of", "within", "written")


def names_of(tf: Any, words: set[str]) -> dict[str, Any]:
    """What these words mean, where they mean anything."""
    itself = plain(tf)
    looking = Looking(itself)
    names = {word: getattr(looking, word) for word in words if hasattr(Looking, word)}
    names |= {word: OPERANDS[word](itself) for word in words if word in OPERANDS}
    names |= {word: NAMESPACES[word](tf) for word in words if word in NAMESPACES}
    names |= {word: getattr(line_names, word) for word in HELPERS}
    return names | CONSTANTS | {"__name__": __name__}


def evaluated(line: str) -> Callable[..., Any]:
    def call(tf: Any) -> Any:
        value = eval(line, names_of(tf, set(re.findall(r"\w+", line))))
        flat = plain(tf).nest.flatten(value, expand_composites=True)
        return [plain(tf).convert_to_tensor(one) for one in flat]

    return call


CALLS: dict[str, Call] = {line: (evaluated(line), []) for line in LINES}
