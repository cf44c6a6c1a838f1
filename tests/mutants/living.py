"""A change in a program that runs: functions get the code that they would have with it.

To import a library anew for every change costs more than most tests do.
"""

from __future__ import annotations

import gc
from pathlib import Path
from types import CodeType, FunctionType

from .changes import Change


def functions_by_file() -> dict[str, list[FunctionType]]:
    """All functions that there are, also those that collections of cycles pass over."""
    frozen = gc.get_freeze_count() > 0
    gc.unfreeze()
    found: dict[str, list[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            found.setdefault(one.__code__.co_filename, []).append(one)
    if frozen:
        gc.freeze()
    return found


def change(functions: list[FunctionType], path: Path, source: bytes, one: Change) -> bool:
    """Give the functions of this source the code that it has with the change; whether any has it.

    What ran when the module was imported cannot be changed.
    """
    before, after = (_codes(text, path) for text in (source, _as_long(source, one)))
    if len(before) != len(after):
        return False
    new = {old: code for old, code in zip(before, after, strict=True) if old != code}
    found = [function for function in functions if function.__code__ in new]
    for function in found:
        function.__code__ = new[function.__code__]
    return bool(found)


def _as_long(source: bytes, change: Change) -> bytes:
    """The changed source, every line in its place."""
    lines = source[change.begin : change.end].count(b"\n")
    after = change.after.removesuffix(")")
    padded = after + "\n" * lines + change.after[len(after) :]
    return source[: change.begin] + padded.encode() + source[change.end :]


def _codes(source: bytes, path: Path) -> list[CodeType]:
    """All code of a module, from the outside to the inside."""
    found = [compile(source, str(path), "exec", dont_inherit=True)]
    for code in found:
        found += [part for part in code.co_consts if isinstance(part, CodeType)]
    return found
