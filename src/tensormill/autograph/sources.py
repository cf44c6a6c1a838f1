"""The text that a code object was compiled from, also where Python keeps none.

`linecache` knows files, the cells of notebooks, doctests, and modules of zip files. Of `python -c`,
of a script on standard input, of what was typed at a prompt and of text given to `exec` the words
are often still somewhere: there are candidates, and one is believed if it compiles to the very same
code.
"""

from __future__ import annotations
import __future__

import ast
import linecache
import os
import stat
import sys
import time
import warnings
from collections.abc import Iterator
from types import CodeType
from typing import Any

from .errors import ConversionError, NoSourceError

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
# A file written later than this may not be what was imported.
_STARTED = time.time()
# Texts longer than this are not compiled to see what they are, and no longer prompts are read.
_LONGEST = 1_000_000
_MOST_TYPED = 5_000


def lines_of(code: CodeType, scope: dict[str, Any] | None = None) -> list[str]:
    """The lines that the positions of `code` are about; `scope` are its function's globals.

    Raises:
        NoSourceError: they are nowhere; it says why.
        ConversionError: the file was changed after it was imported.
    """
    file = code.co_filename
    linecache.checkcache(file)
    lines = linecache.getlines(file, scope)
    if len(lines) >= code.co_firstlineno:
        return lines
    for text in _candidates(code, scope or {}):
        if _makes(text, code):
            return text.splitlines(keepends=True)
    raise NoSourceError(f"the source of {code.co_name} could not be read: {_reason(file)}")


def _is_recent(file: str) -> bool:
    """Whether a file was written after this program began."""
    try:
        return os.stat(file).st_mtime > _STARTED
    except OSError:
        return False


def _reason(file: str) -> str:
    if file == "<stdin>":
        return "Python keeps nothing of what it reads from a prompt or a pipe; put it into a file"
    if file.startswith("<"):
        return (
            f"it was made from text ({file}) that is gone; put it into a file, or its text into "
            "linecache.cache"
        )
    return f"there is no file {file}, only what was compiled from it"


# --- candidates ---


def _candidates(code: CodeType, scope: dict[str, Any]) -> Iterator[str]:
    file = code.co_filename
    if not file.startswith("<"):
        return
    if file == "<string>":
        yield from _command()
    if file == "<stdin>":
        yield from _standard_input()
    if file in ("<stdin>", "<console>"):
        yield from _typed()
    yield from _texts_at_hand(scope)


def _command() -> Iterator[str]:
    """What follows `python -c`."""
    for option, text in zip(sys.orig_argv, sys.orig_argv[1:], strict=False):
        if option.startswith("-") and option.endswith("c"):
            yield text + "\n"


def _standard_input() -> Iterator[str]:
    """A script given as `python < file`."""
    try:
        status = os.fstat(0)
        if stat.S_ISREG(status.st_mode) and status.st_size <= _LONGEST:
            yield os.pread(0, status.st_size, 0).decode()
    except (OSError, UnicodeDecodeError):
        return


def _typed() -> Iterator[str]:
    """Statements typed at a prompt, the latest first, if `readline` kept them."""
    readline: Any = sys.modules.get("readline")
    if readline is None:
        return
    last = readline.get_current_history_length()
    block: list[str] = []
    for number in range(last, max(0, last - _MOST_TYPED), -1):
        line = str(readline.get_history_item(number) or "")
        block.insert(0, line + "\n")
        if line[:1].isspace():
            continue
        yield "".join(block)
        above = str(readline.get_history_item(number - 1) or "") if number > 1 else ""
        if not above.startswith("@"):
            block = []


def _texts_at_hand(scope: dict[str, Any]) -> Iterator[str]:
    """Strings in the variables and constants of whoever is calling: one may have met `exec`."""
    seen: set[int] = set()
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    places: list[Any] = [scope.values()]
    while frame is not None:
        places += [frame.f_locals.values(), frame.f_globals.values(), frame.f_code.co_consts]
        frame = frame.f_back
    for place in places:
        for value in list(place):
            if type(value) is str and id(value) not in seen and _may_be_source(value):
                seen.add(id(value))
                yield value


def _may_be_source(text: str) -> bool:
    return len(text) <= _LONGEST and ("def " in text or "lambda" in text)


# --- is it this one? ---


def _makes(text: str, code: CodeType) -> bool:
    """Whether the code is part of what the text compiles to."""
    flags = code.co_flags & _FUTURES
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = compile(text, code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return _holds(made, code)


def _holds(whole: CodeType, part: CodeType) -> bool:
    return whole == part or any(
        _holds(constant, part) for constant in whole.co_consts if isinstance(constant, CodeType)
    )


def check_unchanged(node: ast.FunctionDef, code: CodeType) -> None:
    """Refuse a definition that is not the one that was compiled.

    Raises:
        ConversionError: it has another name, or speaks of what the code does not.
    """
    if node.name != code.co_name:
        raise ConversionError(changed(code))
    if not _is_recent(code.co_filename):
        return
    module = ast.Module([ast.FunctionDef(node.name, node.args, node.body, [])], [])
    made = compile(ast.fix_missing_locations(module), code.co_filename, "exec", dont_inherit=True)
    inner = [one for one in made.co_consts if isinstance(one, CodeType)][-1]
    # Private names are spelled otherwise in a class.
    if any(name not in _names(code) for name in _names(inner) if not name.startswith("__")):
        raise ConversionError(changed(code))


def changed(code: CodeType) -> str:
    return (
        f"{code.co_filename}:{code.co_firstlineno} is not the source of {code.co_name}: "
        "the file changed after it was imported"
    )


def _names(code: CodeType) -> set[str]:
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return names.union(*(_names(c) for c in code.co_consts if isinstance(c, CodeType)))
