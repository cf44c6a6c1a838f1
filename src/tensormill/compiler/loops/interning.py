"""Equal expressions are one object: whether two are written alike is whether they are the same.

Hashing and comparing then cost the same for any expression, where going through it would cost as
much as it is long, written out: twice as much for each part that occurs twice in the next one.

A table per class knows the expressions that are alive, and holds none of them. It is looked up and
changed in single steps, so threads need no lock.
"""

from __future__ import annotations

import struct
import weakref
from collections.abc import Callable
from typing import Any, ClassVar, Final, TypeVar, cast

import numpy as np

Made = TypeVar("Made", bound="Interned")
Key = tuple[Any, ...]

# Takes an entry out of a dict if its object is gone, in one step: another thread may have put a
# new one in its place. WeakValueDictionary, whose `setdefault` is several steps, lives of it, too.
_remove_dead: Final = cast(
    Callable[[dict[Key, Any], Key], None],
    weakref._remove_dead_weakref,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
)


class ProgramPart:
    """Base of what programs are made of: dataclasses, shown by one function for all of them."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in self.__match_args__])
        return f"{type(self).__name__}({shown})"


class Interned(ProgramPart):
    """Base of classes whose `__new__` returns `interned(cls, fields)`."""

    __slots__ = ("__weakref__",)
    _known: ClassVar[dict[Key, _WeakReference]]
    _forget: ClassVar[Callable[[Any], None]]
    _puts: ClassVar[tuple[Callable[[Any, Any], None], ...]]

    def __init_subclass__(cls) -> None:
        known: dict[Key, _WeakReference] = {}
        # Expressions may outlive the names of this module.
        remove = _remove_dead
        cls._known = known
        slots = [cls.__dict__.get(name) for name in getattr(cls, "__slots__", ())]
        cls._puts = tuple(slot.__set__ for slot in slots if slot is not None)

        def forget(reference: _WeakReference) -> None:
            remove(known, reference.key)

        cls._forget = forget

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)


class _WeakReference(weakref.ref[Interned]):
    __slots__ = ("key",)
    key: Key


def interned(cls: type[Made], fields: Key, key: Key | None = None) -> Made:
    """The object of a class with these fields; `key` says what makes them equal, if not `==`."""
    key = fields if key is None else key
    known: dict[Key, Any] = cls._known  # pyright: ignore[reportPrivateUsage]
    reference = known.get(key)
    if reference is not None and (found := reference()) is not None:
        return found
    new = object.__new__(cls)
    for put, value in zip(cls._puts, fields, strict=True):  # pyright: ignore[reportPrivateUsage]
        put(new, value)
    reference = _WeakReference(new, cls._forget)  # pyright: ignore[reportPrivateUsage]
    reference.key = key
    while (found := known.setdefault(key, reference)()) is None:  # it died meanwhile
        _remove_dead(known, key)
    return found


def bits_of(value: complex | str) -> Any:
    """What a literal's value is told apart by: -0.0 is not 0.0, and a NaN is itself."""
    if isinstance(value, (float, np.floating)):
        return type(value), struct.pack("<d", value)
    if isinstance(value, (complex, np.complexfloating)):
        return type(value), struct.pack("<dd", value.real, value.imag)
    return type(value), value
