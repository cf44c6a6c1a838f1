"""The level-2 functions that compiled programs call; each is read when it is first needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from ..loops.externals import EXTERNALS
from ..loops.ir import NativeCall, NativeFunction, Signature
from ..loops.parse import parse_function
from ..loops.verify import signature_of
from ..loops.walk import every_statement
from ..machine.jit import host
from . import call_memory, convolutions, lists, ragged_lists, temporaries
from .records import RECORDS

_TEXTS: Final = (
    call_memory.FUNCTIONS, temporaries.FUNCTIONS, lists.FUNCTIONS, ragged_lists.FUNCTIONS,
)  # fmt: skip
_HEADER: Final = re.compile(r"^(?:\w+ )?function (\w+)\(", re.MULTILINE)


def names() -> list[str]:
    """All functions that there are."""
    return list(_sources())


@cache
def function(name: str) -> NativeFunction:
    """The function of a name."""
    return parse_function(_sources()[name], RECORDS)


def needed(called: Iterable[str]) -> list[NativeFunction]:
    """Those functions among `called`, and all that they call; each after who called it first."""
    found: dict[str, NativeFunction] = {}
    pending = [name for name in called if name in _sources()]
    for name in pending:  # which grows meanwhile
        if name not in found:
            found[name] = function(name)
            pending += [one for one in calls_of(found[name]) if one in _sources()]
    return list(found.values())


def calls_of(one: NativeFunction) -> list[str]:
    """What a function calls, externals among them."""
    statements = every_statement(one.body)
    return [each.function for each in statements if isinstance(each, NativeCall)]


class Signatures(Mapping[str, Signature]):
    """Those of externals and of all functions here."""

    def __getitem__(self, name: str) -> Signature:
        return EXTERNALS.get(name) or signature_of(function(name))

    def __iter__(self) -> Iterator[str]:
        yield from (*EXTERNALS, *_sources())

    def __len__(self) -> int:
        return len(EXTERNALS) + len(_sources())


SIGNATURES: Final = Signatures()


@cache
def _sources() -> dict[str, str]:
    """Of all functions. Those of convolutions depend on the processor."""
    return sources("".join((*_TEXTS, *_convolutions())))


def _convolutions() -> Iterator[str]:
    tile = convolutions.tile_rows(host().features)
    for short in convolutions.NUMBERS:
        yield convolutions.functions(short, tile)


def sources(text: str) -> dict[str, str]:
    """The texts of functions in a text of several, by their names."""
    starts = list(_HEADER.finditer(text))
    ends = [*(one.start() for one in starts[1:]), len(text)]
    return {match[1]: text[match.start() : end] for match, end in zip(starts, ends, strict=True)}
