"""What Python has before the body of a loop is traced, so that it can be traced again.

    def layer(x):
        counts["layers"] = counts.get("layers", 0) + 1        # Python's: a loop counts it once
        return x * weights[f"layer{counts['layers']}"]

A body is traced once more where it shows something new of the loop. What it has done to objects of
Python's by then would be done twice. So all that can be reached from it is looked at before: its
variables, the globals that its code names, the objects, containers and functions that are in these.
"""

from __future__ import annotations

import functools
from collections import ChainMap, UserDict, UserList, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any, Final

from ....core.signatures import names_in
from ..policy import is_exempt, is_of_library, is_users
from .containers import Held
from .kept_objects import (
    KeptClass,
    KeptDict,
    KeptGlobals,
    KeptObject,
    KeptSlots,
    attributes_of,
    kept_container,
    slots_of,
)

# The nearest come first.
_MOST: Final = 4000
_MOST_ITEMS: Final = 400
_BOUND: Final = (BuiltinFunctionType, MethodWrapperType)
# Containers of which attributes hold something: all that there is, in some.
_WITH_ATTRIBUTES: Final = (list, dict, UserDict, UserList, ChainMap)
_SIMPLE: Final = frozenset((bool, int, float, complex, str, bytes, type(None)))


class Changes:
    """Objects that have been changed: what was in them, and what is there now."""

    def __init__(self, rows: Sequence[tuple[KeptObject, Any, Any]]) -> None:
        self.rows = rows
        both = [one.values_in(contents) for one, *each in rows for contents in each]
        self._held = _nobody((), both)


def _nobody(objects: Iterable[Any], contents: Iterable[Iterable[Any]]) -> Held:
    """Notes that who keeps these is nobody, where it matters who knows a list."""
    held = [*objects]
    for values in contents:
        if not _SIMPLE.issuperset(map(type, values)):
            held += values
    return Held(held)


class ReachableObjects:
    """All that can be reached from some functions, as it is now."""

    def __init__(self, functions: Iterable[Callable[..., Any]]) -> None:
        self.iterators: list[Any] = []  # which cannot go back
        self._kept: list[KeptObject] = []
        self._pending: deque[Any] = deque(functions)
        seen: dict[int, Any] = {}
        while self._pending and len(seen) < _MOST:
            value = self._pending.popleft()
            if type(value) not in _SIMPLE and id(value) not in seen:
                seen[id(value)] = value
                self._look_at(value)
        self._pending.clear()
        self._hold()

    def restore(self) -> None:
        """Let all be as it was."""
        for one in self._kept:
            one.restore()

    def watch(self) -> Callable[[], Changes]:
        """What, when it is called, tells what has been changed meanwhile."""
        starts = [one.now() for one in self._kept]

        def changes() -> Changes:
            rows = zip(self._kept, starts, strict=True)
            found = [(one, start, one.now()) for one, start in rows]
            return Changes([row for row in found if row[0].differs(*row[1:])])

        return changes

    def keep(self, changes: Changes) -> None:
        """Let these stay."""
        for one, start, end in changes.rows:
            one.keep(start, end)
        self._hold()

    def _hold(self) -> None:
        contents = [one.values_in(one.before) for one in self._kept]
        self._held = _nobody((one.value for one in self._kept), contents)

    def _keep(self, kept: KeptObject) -> None:
        self._kept.append(kept)
        self._pending += islice(kept.values_in(kept.before), _MOST_ITEMS)

    def _look_at(self, value: Any) -> None:
        if isinstance(value, type):
            self._look_at_class(value)
            return
        self._pending += _parts(value)
        if type(value) is FunctionType:
            self._look_at_function(value)
        elif (kept := kept_container(value)) is not None:
            self._keep(kept)
        elif hasattr(type(value), "__next__") and not is_users(value):
            self.iterators.append(value)
        if is_users(value):
            self._look_at_object(value)

    def _look_at_object(self, value: Any) -> None:
        if isinstance(attributes := attributes_of(value), dict):
            self._keep(KeptDict(attributes))
        if slots_of(type(value)):
            self._keep(KeptSlots(value))
        self._pending.append(type(value))

    def _look_at_class(self, value: type) -> None:
        if not is_of_library(value.__module__):
            self._keep(KeptClass(value))
            self._pending += [vars(value).get("__call__"), vars(value).get("__init__")]
            self._pending += value.__mro__[1:]

    def _look_at_function(self, function: FunctionType) -> None:
        if is_exempt(function):
            return
        names, scope = names_in(function.__code__), function.__globals__
        self._keep(KeptGlobals(scope, names))
        values = [scope.get(name) for name in names]
        values += [one for cell in function.__closure__ or () for one in _value_of(cell)]
        for one in values:
            if isinstance(one, ModuleType):
                self._look_at_module(one, names, {id(one)})

    def _look_at_module(self, module: ModuleType, names: frozenset[str], seen: set[int]) -> None:
        """What code names behind the name of a module."""
        scope = vars(module)
        if is_of_library(module.__name__):
            found = (scope.get(name) for name in names)
            self._pending += [one for one in found if type(one) in (*_BOUND, MethodType)]
        else:
            self._keep(KeptGlobals(scope, names))
        for name in names:
            inner = scope.get(name)
            if isinstance(inner, ModuleType) and id(inner) not in seen:
                seen.add(id(inner))
                self._look_at_module(inner, names, seen)


def _value_of(cell: CellType) -> list[Any]:
    try:
        return [cell.cell_contents]
    except ValueError:  # it has none
        return []


def _parts(value: Any) -> Iterator[Any]:
    """What there is behind what cannot be changed itself."""
    kind = type(value)
    if kind is FunctionType:
        yield getattr(value, "__wrapped__", None)
        yield from value.__closure__ or ()
        yield from value.__defaults__ or ()
    elif kind is MethodType:
        yield from (value.__func__, value.__self__)
    elif kind is functools.partial:
        yield from (value.func, *value.args, *value.keywords.values())
    elif kind in _BOUND:
        yield value.__self__  # of `rows.append`, `random.random`
    elif kind is staticmethod or kind is classmethod:
        yield value.__func__
    elif hasattr(kind, "python_function"):  # of `tf.function`
        yield value.python_function
    elif kind is property:
        yield from (value.fget, value.fset)
    elif isinstance(value, tuple | frozenset):
        yield from islice(value, _MOST_ITEMS)
    elif isinstance(value, _WITH_ATTRIBUTES) and kind not in (list, dict):
        yield from getattr(value, "__dict__", {}).values()
