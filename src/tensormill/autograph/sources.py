"""The text that a code object was compiled from, where Python keeps none.

Of `python -c`, of a script on standard input, of what was typed at a prompt and of text given to
`exec` the words are often still somewhere: there are candidates, and one is believed if it compiles
to the very same code.
"""

from __future__ import annotations
import __future__

import ast
import os
import stat
import sys
import warnings
from collections.abc import Iterator
from itertools import chain
from types import CodeType
from typing import Any

from .errors import NoSourceError

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
# Texts longer than this are not compiled to see what they are, and no longer prompts are read.
_LONGEST = 1_000_000
_MOST_TYPED = 5_000


def text_of(code: CodeType, scope: dict[str, Any], known: str) -> str:
    """The text that `code` was compiled from; `scope` are its function's globals.

    What is `known` under the name of its file may be another text of that name.

    Raises:
        NoSourceError: it is nowhere; the message says why.
    """
    for text in chain([known], _candidates(code, scope)):
        if _makes(text, code):
            return text
    raise NoSourceError(
        f"the source of {code.co_name} could not be read: {_reason(code.co_filename)}"
    )


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


def is_other(node: ast.FunctionDef, code: CodeType) -> bool:
    """Whether a definition speaks of what the code does not: it is not the one compiled."""
    module = ast.Module([ast.FunctionDef(node.name, node.args, node.body, [])], [])
    made = compile(ast.fix_missing_locations(module), code.co_filename, "exec", dont_inherit=True)
    inner = [one for one in made.co_consts if isinstance(one, CodeType)][-1]
    known = _names(code)
    # Private names are spelled otherwise in a class.
    return any(name not in known for name in _names(inner) if not name.startswith("__"))


def _names(code: CodeType) -> set[str]:
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return names.union(*(_names(c) for c in code.co_consts if isinstance(c, CodeType)))
