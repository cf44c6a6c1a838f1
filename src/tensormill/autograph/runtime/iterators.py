"""Python's iterators, where a loop of the graph takes items from them.

Its body may be traced more than once, and an iterator cannot go back: `staged/taken_items.py` has
the items for all traces.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from .lasting_traces import is_any_loop_traced

_TAKING: Final = frozenset((
    all, any, deque, dict, enumerate, filter, frozenset, iter, list, map, max, min, next, set,
    sorted, sum, tuple, zip,
))  # fmt: skip


def gone_through(values: Any) -> Any:
    """What to go through in the place of some values."""
    if not (is_any_loop_traced() and hasattr(type(values), "__next__")):
        return values
    from .staged.rounds import taken_here

    taken = taken_here()
    return values if taken is None else taken.replayed(values)


def taking(function: Any, instead: Callable[..., Any]) -> Callable[..., Any]:
    """`instead` of a builtin function, with iterators that go back where it takes their items."""
    if not is_any_loop_traced():
        return instead
    if not (function in _TAKING or function.__module__ == "itertools"):
        return instead

    @wraps(instead, updated=())
    def called(*values: Any, **options: Any) -> Any:
        return instead(*map(gone_through, values), **options)

    return called
