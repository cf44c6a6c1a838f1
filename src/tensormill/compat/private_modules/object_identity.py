"""`tensorflow.python.util.object_identity`: sets and dicts that look at what an object is."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, MutableMapping, MutableSet
from typing import Any


class ObjectReference:
    """An object as a key: equal to another key of that very object."""

    __slots__ = ("_object",)

    def __init__(self, object: Any) -> None:
        self._object = object

    @property
    def unwrapped(self) -> Any:
        return self._object

    def deref(self) -> Any:
        return self._object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectReference) and self.unwrapped is other.unwrapped

    def __hash__(self) -> int:
        return id(self._object)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} wrapping {self.unwrapped!r}>"


class WeakObjectReference(ObjectReference):
    """A key that does not keep its object alive."""

    __slots__ = ("_identity",)

    def __init__(self, object: Any, forget: Any = None) -> None:
        super().__init__(weakref.ref(object, forget))
        self._identity = id(object)

    @property
    def unwrapped(self) -> Any:
        return self._object()

    def deref(self) -> Any:
        return self._object()

    def __hash__(self) -> int:
        return self._identity


class ObjectIdentityDictionary(MutableMapping[Any, Any]):
    """A dict whose keys are compared by identity; they need no hash."""

    def __init__(self, items: Any = ()) -> None:
        self._storage: dict[ObjectReference, Any] = {}
        self.update(dict.fromkeys((), None) if items == () else items)

    def _key(self, key: Any) -> ObjectReference:
        return ObjectReference(key)

    def __getitem__(self, key: Any) -> Any:
        return self._storage[self._key(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._storage[self._key(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._storage[self._key(key)]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        for key in list(self._storage):
            yield key.unwrapped

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._storage!r})"


class ObjectIdentityWeakKeyDictionary(ObjectIdentityDictionary):
    """Such a dict that forgets keys of which nobody else knows."""

    def _key(self, key: Any) -> ObjectReference:
        return WeakObjectReference(key)

    def _alive(self) -> dict[ObjectReference, Any]:
        self._storage = {
            key: one for key, one in self._storage.items() if key.unwrapped is not None
        }
        return self._storage

    def __len__(self) -> int:
        return len(self._alive())

    def __iter__(self) -> Iterator[Any]:
        for key in list(self._alive()):
            if (kept := key.unwrapped) is not None:
                yield kept


class ObjectIdentitySet(MutableSet[Any]):
    """A set whose elements are compared by identity, in the order in which they came."""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._storage: Any = self._empty()
        for item in items:
            self.add(item)

    def _empty(self) -> Any:
        return ObjectIdentityDictionary()

    def __contains__(self, key: object) -> bool:
        return key in self._storage

    def add(self, value: Any) -> None:
        self._storage[value] = None

    def discard(self, value: Any) -> None:
        self._storage.pop(value, None)

    def update(self, items: Iterable[Any]) -> None:
        for item in items:
            self.add(item)

    def intersection(self, items: Iterable[Any]) -> ObjectIdentitySet:
        return type(self)(one for one in items if one in self)

    def difference(self, items: Iterable[Any]) -> ObjectIdentitySet:
        others = ObjectIdentitySet(items)
        return type(self)(one for one in self if one not in others)

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._storage)


class ObjectIdentityWeakSet(ObjectIdentitySet):
    """Such a set that forgets elements of which nobody else knows."""

    def _empty(self) -> Any:
        return ObjectIdentityWeakKeyDictionary()
