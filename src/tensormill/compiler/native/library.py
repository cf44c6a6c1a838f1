"""The level-2 functions that compiled programs call; each is read when it is first needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from ..calling import entry_loops, quick_calls
from ..loops.externals import EXTERNALS, signature_of
from ..loops.ir import NativeCall, NativeFunction, Signature
from ..loops.walk import every_statement
from ..machine.jit import host
from . import (
    beam_search,
    examples,
    lending,
    orders,
    panels,
    products,
    sides,
    strips,
    texts,
)
from .lists import alike, ragged
from .memory import call_memory, reserve, temporaries
from .names import SHARED, is_shared
from .records import RECORDS
from .windows import (
    convolutions,
    few_filters,
    interpolation,
    shifted_rows,
    winograd,
    winograd_gradients,
)

_TEXTS: Final = (
    reserve.FUNCTIONS, call_memory.FUNCTIONS, temporaries.FUNCTIONS, sides.FUNCTIONS,
    alike.FUNCTIONS, ragged.FUNCTIONS, orders.FUNCTIONS,
    products.FUNCTIONS, examples.FUNCTIONS, texts.FUNCTIONS, entry_loops.FUNCTIONS,
    lending.FUNCTIONS, quick_calls.FUNCTIONS, convolutions.FUNCTIONS, beam_search.FUNCTIONS,
    interpolation.FUNCTIONS,
)  # fmt: skip
_HEADER: Final = re.compile(r"^(?:\w+ )?function (\w+)\(", re.MULTILINE)


def names() -> list[str]:
    """All functions that there are."""
    return [*_sources(), *_in_tiles()]


@cache
def function(name: str) -> NativeFunction:
    """The function of a name; a shared one is in a module of its own, and in no program's.

    Raises:
        KeyError: there is none.
    """
    from ..loops.parse import parse_function  # many programs call none of these

    if name.startswith(SHARED):
        from .writers import written  # which lowers rules

        return written(name)[0]
    if (text := _source(name)) is None:
        raise KeyError(name)
    return parse_function(text, RECORDS)


def needed(called: Iterable[str], *, copied: bool = False) -> list[NativeFunction]:
    """Those functions among `called`, and all that they call; each after who called it first.

    Shared ones, which are elsewhere already, are left out unless they are to be `copied`.
    """
    found: dict[str, NativeFunction] = {}
    pending = list(called)
    for name in pending:  # which grows meanwhile
        if name in found or (is_shared(name) and not copied):
            continue
        if _source(name) is not None:
            found[name] = function(name)
            pending += calls_of(found[name])
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
        yield from (*EXTERNALS, *names())

    def __len__(self) -> int:
        return len(EXTERNALS) + len(names())


SIGNATURES: Final = Signatures()


@cache
def _sources() -> dict[str, str]:
    return sources("".join(_TEXTS))


@cache
def _in_tiles() -> dict[str, str]:
    """Those depend on the processor, and few programs need them."""
    tile = convolutions.tile_rows(host().features)
    others = few_filters, shifted_rows, winograd, winograd_gradients, panels, strips
    texts = [convolutions.functions(one, tile) for one in convolutions.NUMBERS]
    return sources("".join((*texts, *(one.functions(tile) for one in others))))


def _source(name: str) -> str | None:
    found = _sources().get(name)
    if found is None and name.startswith((*convolutions.NAMES, *panels.NAMES, *strips.NAMES)):
        return _in_tiles().get(name)
    return found


def sources(text: str) -> dict[str, str]:
    """The texts of functions in a text of several, by their names."""
    starts = list(_HEADER.finditer(text))
    ends = [*(one.start() for one in starts[1:]), len(text)]
    return {match[1]: text[match.start() : end] for match, end in zip(starts, ends, strict=True)}
