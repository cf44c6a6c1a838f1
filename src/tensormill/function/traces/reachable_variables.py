"""Which variables among the arguments the body may find elsewhere, too.

An optimizer knows its variables by their identity, a list by their order, a closure by a name. To a
body that can reach such a holder, a variable that is an argument has to be the caller's own object.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from ...core.values import TensorLike

# So many objects are looked at, and at each distance: it takes a few milliseconds.
_MOST: Final = 10_000
_CLOSED: Final = (ModuleType, type, CodeType, FrameType, TensorLike)


def within_reach(function: Any, arguments: Iterable[Any], wanted: Sequence[Any]) -> set[int]:
    """The ids of the `wanted` objects that something holds which the body can name: its closure,
    globals that it mentions, its instance, or an object among the arguments.
    """
    missing, found, seen = {id(one) for one in wanted}, set[int](), set[int]()
    around = list(_around(function))
    found |= missing.intersection(map(id, around))
    pending = [*around, *arguments]
    while pending and found != missing and len(seen) < _MOST:
        held = (inner for one in pending if _opens(one, seen) for inner in _held(one))
        pending = list(islice(held, _MOST))  # a list may have millions
        found |= missing.intersection(map(id, pending))
    return found


def _opens(value: Any, seen: set[int]) -> bool:
    if id(value) in seen or not gc.is_tracked(value) or isinstance(value, _CLOSED):
        return False
    seen.add(id(value))
    return True


def _held(value: Any) -> Iterable[Any]:
    """What an object refers to; of a function not all globals."""
    return _around(value) if isinstance(value, FunctionType) else gc.get_referents(value)


def _around(function: Any) -> Iterator[Any]:
    """The values that a function can name besides its arguments."""
    function = getattr(function, "__wrapped__", function)
    if isinstance(function, MethodType):
        yield function.__self__
        function = function.__func__
    if not isinstance(function, FunctionType):
        yield function
        return
    for cell in function.__closure__ or ():
        yield from gc.get_referents(cell)
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield function.__globals__[name]
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
