"""The tensors and variables that functions of Python may mean: what their code can name."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any, Final

from ...core import tree
from ...core.signatures import names_in
from ...core.source import is_installed
from ...core.values import TensorBase
from ..wrapping import Wrapping

# The nearest come first.
_MOST: Final = 4000
_MOST_ITEMS: Final = 400
_SIMPLE: Final = frozenset((bool, int, float, complex, str, bytes, type(None), CodeType))


def reachable_tensors(function: Callable[..., Any]) -> Iterator[Any]:
    """Tensors and variables in its closure, its defaults, its globals, what it calls of these, in
    containers there, and in attributes that its code names; the nearest of them.
    """
    seen: dict[int, Any] = {}
    names: set[str] = set()
    waiting: deque[Any] = deque([function])
    while waiting and len(seen) < _MOST:
        value = waiting.popleft()
        if type(value) in _SIMPLE or id(value) in seen:
            continue
        seen[id(value)] = value
        if isinstance(value, TensorBase):
            yield value
            continue
        if type(value) is FunctionType:
            names |= names_in(value.__code__)
        waiting += islice(_parts(value, names), _MOST_ITEMS)


def _parts(value: Any, names: set[str]) -> Iterator[Any]:
    kind = type(value)
    if kind is FunctionType:
        yield from _parts_of_function(value)
    elif kind is MethodType:
        yield from (value.__func__, value.__self__)
    elif kind is functools.partial:
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, (tuple, list, set, frozenset)):
        yield from value
    elif isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, tree.Composite):
        yield from tree.flatten(value, expand_composites=True)
    elif isinstance(value, Wrapping):
        yield getattr(value, "__wrapped__", None)
    elif hasattr(kind, "python_function"):  # of `tf.function`
        yield value.python_function
    else:
        yield from _named_attributes(value, names)


def _parts_of_function(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        yield from _value_of(cell)
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    if not is_installed(function.__code__.co_filename):
        scope = function.__globals__
        yield from (scope[name] for name in names_in(function.__code__) if name in scope)


def _named_attributes(value: Any, names: set[str]) -> Iterator[Any]:
    """What a user's object has under a name that some code looked up."""
    attributes = getattr(value, "__dict__", None)
    if isinstance(value, type) or not isinstance(attributes, dict):
        return
    methods = vars(type(value))
    for name in names:
        if name in attributes:
            yield attributes[name]
        elif type(method := methods.get(name)) is FunctionType:
            yield method


def _value_of(cell: CellType) -> list[Any]:
    try:
        return [cell.cell_contents]
    except ValueError:  # it has none
        return []
