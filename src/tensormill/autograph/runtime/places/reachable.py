"""What a function can change through the values that it is given, or that it captured.

The attributes of objects of the user's, the variables of closures, and what lies in lists, dicts
and objects within these. A walk that is cut off early: it is made for each staged statement.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, MethodWrapperType
from typing import Any, Final

from ..policy import is_exempt, is_users
from ..sentinels import UNSET
from ..tensors import is_staged_list, is_weak
from .containers import is_plain
from .kept_objects import attributes_of
from .state import Attribute, Item, LocalVariable, Place

# Methods of containers: `rows.append`, `named.__setitem__`.
_BOUND: Final = (BuiltinFunctionType, MethodWrapperType)
_CHANGING: Final = (list, dict, set, deque, bytearray)
_DEPTH: Final = 4
_MOST: Final = 400


class Captured(LocalVariable):
    """A variable of a function around a closure. It lives as long as the closure."""

    __slots__ = ("code", "owner")

    def __init__(self, name: str, cell: Any, code: CodeType) -> None:
        """`code`: of the closure."""
        super().__init__(name, cell)
        self.owner, self.code = cell, code


class Receiver(Place):
    """A container that a bound method, a `functools.partial` or a tuple has: always this one."""

    __slots__ = ("container",)

    def __init__(self, name: str, container: Any) -> None:
        super().__init__(name)
        self.container = container

    def get(self) -> Any:
        return self.container

    def put(self, value: Any) -> None:
        raise ValueError(f"'{self.name}' always has the same {type(self.container).__name__}")


class OwnCount(Attribute):
    """A number that an object has from its class, until it gets one of its own."""

    __slots__ = ("of_class",)

    def __init__(self, name: str, owner: Any, attribute: str) -> None:
        super().__init__(name, owner, attribute)
        self.of_class = getattr(type(owner), attribute)

    def get(self) -> Any:
        return vars(self.owner).get(self.attribute, self.of_class)

    def put(self, value: Any) -> None:
        super().put(UNSET if value is self.of_class else value)


def places_within(roots: Iterable[Place]) -> Iterator[Place]:
    """The places that can be reached from the values of variables, each once."""
    seen: set[int] = set()
    pending = [(root.name, root.get(), 0) for root in roots]
    while pending and len(seen) < _MOST:
        name, value, depth = pending.pop(0)
        if depth > _DEPTH or id(value) in seen or not _opens(value):
            continue
        seen.add(id(value))
        for place in _own(name, value):
            yield place
            pending.append((place.name, place.get(), depth + 1))
        pending += [(inner, one, depth + 1) for inner, one in _inner(name, value)]


def _opens(value: Any) -> bool:
    kind = type(value)
    if kind in _BOUND:
        return type(value.__self__) in _CHANGING
    return kind in (list, tuple, dict, MethodType, functools.partial) or (
        not is_exempt(value) if kind is FunctionType else is_users(value)
    )


def _own(name: str, value: Any) -> list[Place]:
    """The places of an object or a closure itself, and of containers in a container."""
    kind = type(value)
    if is_plain(value):
        pairs = value.items() if kind is dict else enumerate(value)
        found = ((key, one) for key, one in pairs if is_plain(one) or is_staged_list(one))
        return [Item(f"{name}[{key!r}]", value, key) for key, one in islice(found, _MOST)]
    if kind in _BOUND:
        return [Receiver(name, value.__self__)]
    if kind in (tuple, functools.partial):
        return [Receiver(way, one) for way, one in _inner(name, value) if is_plain(one)]
    if kind is FunctionType:
        pairs = zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
        return [Captured(f"{name}.{variable}", cell, value.__code__) for variable, cell in pairs]
    if not is_users(value):
        return []
    found = _attributes(value)
    places: list[Place] = [Attribute(f"{name}.{one}", value, one) for one in found]
    if attributes_of(value) is not None:
        counts = [one for one in _counts_of_class(type(value)) if one not in found]
        places += [OwnCount(f"{name}.{one}", value, one) for one in counts]
    return places


def _attributes(value: Any) -> list[str]:
    slots = [getattr(cls, "__slots__", ()) for cls in type(value).__mro__]
    named = [name for one in slots for name in ((one,) if isinstance(one, str) else one)]
    return [*(attributes_of(value) or ()), *(one for one in named if hasattr(value, one))]


def _counts_of_class(cls: type) -> list[str]:
    """Numbers of a class, which an object's own begin with: `calls = 0`, then `self.calls += 1`."""
    pairs = {name: one for base in reversed(cls.__mro__) for name, one in vars(base).items()}
    return [name for name, one in pairs.items() if is_weak(one) and not name.startswith("__")]


def _inner(name: str, value: Any) -> list[tuple[str, Any]]:
    """What lies in a container, or is bound to a function."""
    kind = type(value)
    if kind is list or kind is tuple:
        return [(f"{name}[{k}]", one) for k, one in enumerate(value)]
    if kind is dict:
        return [(f"{name}[{key!r}]", one) for key, one in value.items()]
    if kind in _BOUND:
        return [(name, value.__self__)]
    if kind is MethodType:
        return [(name, value.__self__), (name, value.__func__)]
    if kind is functools.partial:
        given = [value.func, *value.args, *value.keywords.values()]
        return [(name, one) for one in given]
    return []
