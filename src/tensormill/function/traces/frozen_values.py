"""Python values that a trace has made its constants, although they may change later.

A trace reads closures, globals and attributes of objects once. Only what the function's own code
names is looked at, and only numbers, strings and their like; nothing of the user's runs.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CellType, FunctionType
from typing import Any, cast

from ...core.process.named_tuples import NamedTuple
from ..explain.trace_differences import short
from .object_keys import PLAIN


class Frozen(NamedTuple):
    """A value as a trace has read it, and how it is read now (None: there is no more to read)."""

    name: str
    value: Any
    names_now: Callable[[], Mapping[str, Any] | None]
    label: str

    def change(self) -> str | None:
        """`name: traced as 1, 2 by now`; None where nothing changed or can be read."""
        names = self.names_now()
        if names is None or self.label not in names:
            return None
        now = names[self.label]
        if type(now) is type(self.value) and (now == self.value or now != now):
            return None
        return f"{self.name}: traced as {short(self.value)}, {short(now)} by now"


def frozen_values(function: Any, names: Sequence[str], values: Sequence[Any]) -> tuple[Frozen, ...]:
    """What a trace of `function`, maybe converted, for these arguments may have read."""
    function = getattr(function, "__wrapped__", function)
    instance = getattr(function, "__self__", None)
    function = getattr(function, "__func__", function)
    if not isinstance(function, FunctionType):
        return ()
    code, reference = function.__code__, weakref.ref(function)
    found = [*_among(code.co_freevars, "", lambda: _closure_of(reference()))]
    found += _among(code.co_names, "", lambda: getattr(reference(), "__globals__", None))
    objects = [*zip(names, values, strict=True)]
    if instance is not None:
        objects.append((code.co_varnames[0] if code.co_argcount else "self", instance))
    for name, value in objects:
        if isinstance(attributes := getattr(value, "__dict__", None), dict):
            found += _attributes(name, value, code.co_names, cast(dict[str, Any], attributes))
    return tuple(found)


def _attributes(
    name: str, value: Any, labels: Sequence[str], attributes: Mapping[str, Any]
) -> Iterator[Frozen]:
    if not any(type(attributes.get(label, attributes)) in PLAIN for label in labels):
        return
    try:
        reference = weakref.ref(value)
    except TypeError:
        return
    yield from _among(labels, f"{name}.", lambda: getattr(reference(), "__dict__", None))


def _among(
    labels: Sequence[str], prefix: str, names_now: Callable[[], Mapping[str, Any] | None]
) -> Iterator[Frozen]:
    names = names_now() or {}
    for label in labels:
        if label in names and type(names[label]) in PLAIN:
            yield Frozen(f"{prefix}{label}", names[label], names_now, label)


def _closure_of(function: Any) -> Mapping[str, Any] | None:
    if function is None:
        return None
    cells: tuple[CellType, ...] = function.__closure__ or ()
    pairs = zip(function.__code__.co_freevars, cells, strict=True)
    return {name: content for name, cell in pairs for content in _contents(cell)}


def _contents(cell: CellType) -> list[Any]:
    try:
        return [cell.cell_contents]
    except ValueError:  # not assigned yet
        return []
