"""Keys of objects that are neither tensors nor numbers nor containers.

A trace keeps nobody's object alive. An object that only equals itself is held weakly: once it is
gone, its key matches no call. What is compared by `==` would then be traced again for each equal
object that a caller makes anew (`f(Size(2))`), so a key that stays holds a copy, if the object
consists of numbers, strings and their like alone; else it is held weakly, too.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import islice
from typing import Any, Final, cast

from ...core.process.named_tuples import NamedTuple

# What a copy may consist of: nothing that could be large in secret, or be changed.
PLAIN: Final = (int, float, complex, bool, str, bytes, type(None), types.EllipsisType)
_CONTAINERS: Final = (tuple, list, set, frozenset)
_DEEPEST: Final = 8  # also ends the search where objects hold each other
_LARGEST: Final = 100  # parts


class ObjectKey:
    """An object that equals nothing but itself, held weakly: dead objects match no call."""

    __slots__ = ("_hash", "_reference")

    def __init__(self, value: Any) -> None:
        self._hash = id(value)
        self._reference: Callable[[], Any] = reference_to(value)

    @property
    def value(self) -> Any:
        return self._reference()

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ObjectKey) or other._hash != self._hash:
            return False
        mine = self._reference()
        return mine is not None and mine is other._reference()


class EqualKey:
    """An object that is compared by `==`. Made for one call, it holds the object itself."""

    __slots__ = ("_hash", "_reference")

    def __init__(self, hash_: int, reference: Callable[[], Any]) -> None:
        self._hash = hash_
        self._reference = reference

    @property
    def value(self) -> Any:
        return self._reference()

    def kept(self) -> EqualKey:
        """The key for as long as a trace lives."""
        value = self._reference()
        copy = plain_copy(value)
        return EqualKey(self._hash, reference_to(value) if copy is None else lambda: copy)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EqualKey) or other._hash != self._hash:
            return False
        mine, theirs = self._reference(), other._reference()
        if mine is None or type(mine) is not type(theirs):
            return False
        return mine is theirs or bool(mine == theirs)


class MethodKey(NamedTuple):
    """A method and its instance: `thing.method` is a new object each time that it is asked for."""

    function: ObjectKey
    instance: ObjectKey | EqualKey

    def kept(self) -> MethodKey:
        held = self.instance
        return self._replace(instance=held.kept()) if isinstance(held, EqualKey) else self


def object_key(value: Any) -> ObjectKey | EqualKey | MethodKey:
    """The key of something that is no tensor, number, string or container.

    Raises:
        TypeError: it is not hashable.
    """
    if isinstance(value, types.MethodType):
        return MethodKey(ObjectKey(value.__func__), _key_of_instance(value.__self__))
    kind: type[Any] = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind.__eq__ is object.__eq__:
        return ObjectKey(value.key_of_traces if hasattr(kind, "key_of_traces") else value)
    try:
        return EqualKey(hash(value), lambda: value)
    except TypeError:
        raise TypeError(
            f"Could not generate a generic TraceType for {value!r} of type {kind.__name__}: it is "
            "not hashable. Make it hashable (a frozen dataclass), pass its parts, or implement "
            "the Tracing Protocol (__tf_tracing_type__) for it"
        ) from None


def _key_of_instance(instance: Any) -> ObjectKey | EqualKey:
    try:
        key = object_key(instance)
    except TypeError:
        return ObjectKey(instance)
    return ObjectKey(instance) if isinstance(key, MethodKey) else key


def reference_to(value: Any) -> Callable[[], Any]:
    """A weak reference, where there can be one."""
    try:
        return weakref.ref(value)
    except TypeError:  # slots without __weakref__: held for as long as the trace
        return lambda: value


def plain_copy(value: Any) -> Any:
    """An equal object that shares nothing with `value`; None unless it has few and plain parts."""
    try:
        plain = list(islice(_are_plain(value, _DEEPEST), _LARGEST + 1))
        if len(plain) > _LARGEST or not all(plain):
            return None
        copy = deepcopy(value)
        is_like = copy == value and hash(copy) == hash(value)
    except Exception:  # the user's own __reduce__, __deepcopy__ or __eq__
        return None
    return copy if is_like and copy is not value else None


def _are_plain(value: Any, depth: int) -> Iterator[bool]:
    """Of each innermost part whether it is plain, as far as anybody asks."""
    kind: type[Any] = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind in PLAIN or not depth:
        yield kind in PLAIN
        return
    for part in _parts_of(value, kind):
        yield from _are_plain(part, depth - 1)


def _parts_of(value: Any, kind: type[Any]) -> Iterator[Any]:
    if kind in _CONTAINERS:
        yield from value
    elif kind is dict:
        yield from value
        yield from value.values()
    else:
        made = value.__reduce_ex__(4)  # how it is made: a function, arguments, state, items
        if not isinstance(made, tuple):
            raise TypeError(made)  # a global of some module
        _, arguments, *rest = cast(tuple[Any, ...], made)
        yield from (part for part in arguments if part is not kind)
        yield from rest
