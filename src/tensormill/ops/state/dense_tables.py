"""Tables in places, as TensorFlow's dense ones are: what is exported are all places.

Where a key's place is, its hash says, and the number of those that were tried in vain: whoever
imports places takes them as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, ClassVar, Final

import numpy as np

from ...core.dtypes import DType
from ...errors import InvalidArgumentError
from ..strings.hashes import hash64
from .lookup import DENSE, HashTable


class DenseTable(HashTable):
    """Values by key; two keys mark places that are empty, or were left."""

    kind: ClassVar[str] = DENSE
    has_blanks: ClassVar[bool] = True

    def __init__(
        self, empty: Any, deleted: Any, value_dtype: DType, value_shape: Any, count: int,
        most_full: float, key_dtype: DType,
    ) -> None:  # fmt: skip
        super().__init__(key_dtype, value_dtype, value_shape, key_shape=empty.shape)
        if empty.ndim > 1:
            raise InvalidArgumentError(
                f"Empty key must be a scalar or a vector, got shape {list(empty.shape)}"
            )
        if empty.shape != deleted.shape:
            raise InvalidArgumentError(
                f"Empty and deleted keys must have same shape, got shapes: {list(empty.shape)} and "
                f"{list(deleted.shape)}"
            )
        if not (key_dtype.is_integer or key_dtype.family == "string"):
            raise InvalidArgumentError(f"a dense table has no keys of dtype {key_dtype.name}")
        if np.array_equal(empty, deleted):
            raise InvalidArgumentError("Empty and deleted keys cannot be equal")
        if count < 4 or count & (count - 1):
            raise InvalidArgumentError(
                f"Number of buckets must be at least 4 and a power of 2, got: {count}"
            )
        self._blanks = {"empty_key": empty, "deleted_key": deleted}
        self._count, self._most_full = count, most_full

    def places(self, keys: Any) -> tuple[int, ...]:
        if not self.key_shape:
            return keys.shape
        if keys.shape[1:] != self.key_shape:
            raise InvalidArgumentError(
                f"Input key shape {list(keys.shape)} must end with the table's key shape "
                f"{list(self.key_shape)}, behind one axis for the keys"
            )
        return keys.shape[:1]

    def listed(self, keys: Any) -> list[Any]:
        self.places(keys)
        self.demand_keys(keys)
        return self._entries_of(keys)

    def _entries_of(self, keys: Any) -> list[Any]:
        """Keys as they stand in the dict: vectors are tuples."""
        if not self.key_shape:
            return super().listed(keys)
        return [*map(tuple, keys.reshape(-1, *self.key_shape).tolist())]

    def demand_keys(self, keys: Any) -> None:
        for name, blank in self._blanks.items():
            is_blank = keys == blank
            if (is_blank.all(-1) if self.key_shape else is_blank).any():
                raise InvalidArgumentError(f"Using the {name} as a table key is not allowed")

    def replace(self, keys: Any, values: Any) -> None:
        """Take the entries among places."""
        rows = values.reshape(len(keys), *self.value_shape)
        blanks = [*chain.from_iterable(map(self._entries_of, self._blanks.values()))]
        pairs = zip(self._entries_of(keys), rows, strict=True)
        self.entries = {key: value for key, value in pairs if key not in blanks}
        self.has_changed()

    def exported(self) -> tuple[Any, Any]:
        """All places: keys [n, 1] or vectors, and values, of which a scalar is a row, too."""
        while len(self.entries) > self._count * self._most_full:
            self._count *= 2
        shape = self._count, *(self.key_shape or (1,))
        keys = np.full(shape, self._blanks["empty_key"], self.key_dtype.storage)
        blank: Any = b"" if self.value_dtype.family == "string" else 0
        values = np.full(
            (self._count, *(self.value_shape or (1,))), blank, self.value_dtype.storage
        )
        taken: set[int] = set()
        for key, value in self.entries.items():
            place = next(one for one in self._tried(key) if one not in taken)
            taken.add(place)
            keys[place], values[place] = key, value
        return keys, values

    def _tried(self, key: Any) -> Iterator[int]:
        """The places of a key, in the order in which they are tried."""
        place = _hash(key)
        for step in range(1, self._count + 1):
            yield place & (self._count - 1)
            place += step


_WORD: Final = 2**64 - 1
_ADDED: Final = 0x9E3779B97F4A7800  # 2**64 by the golden ratio, but for its last bits


def _hash(key: Any) -> int:
    """Of a number the number itself, of a text its hash; of a vector the hashes of its elements
    joined, which tables of several processes agree on.
    """
    if not isinstance(key, tuple):
        return hash64(key) if isinstance(key, bytes) else key
    if len(key) == 1:
        return _hash(key[0])
    found = 0
    for element in key:
        more = (_hash(element) & _WORD) + _ADDED + (found << 10) + (found >> 4)
        found = found ^ more & _WORD
    return found
