"""The arguments of a call that a tensor does not suit: with Python's numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from ..symbolic import SymbolicTensor
from .python_numbers import number_of

# How deep in lists and dicts a call is given its tensors.
_DEPTH: Final = 6


def in_python(arguments: Any) -> Any:
    """The arguments of a call with Python's numbers, which are wanted, where they were tensors.

    None where no tensor has one, or the call may have called a function of the user's.
    """
    leaves = [*_leaves(arguments, _DEPTH)]
    if any(callable(one) and not isinstance(one, type) for one in leaves):
        return None
    numbers = {id(one): number_of(one) for one in leaves if isinstance(one, SymbolicTensor)}
    found = {key: number.want() for key, number in numbers.items() if number is not None}
    return _with(arguments, found, _DEPTH) if found else None


def _leaves(value: Any, depth: int) -> Iterator[Any]:
    kind: Any = cast(Any, type(value))
    if depth and kind in (list, tuple, dict):
        for one in value.values() if kind is dict else value:
            yield from _leaves(one, depth - 1)
    else:
        yield value


def _with(value: Any, found: Mapping[int, Any], depth: int) -> Any:
    kind: Any = cast(Any, type(value))
    if depth and kind in (list, tuple):
        return cast(Any, kind(_with(one, found, depth - 1) for one in value))
    if depth and kind is dict:
        return {key: _with(one, found, depth - 1) for key, one in value.items()}
    return found.get(id(value), value)
