"""Entries of a table that changes, as arrays: many integers are found and changed by native code.

Slots say which entry has a key (table_index.py); there are twice as many as there is room for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core import dtypes, native_operations
from ...core.dtypes import DType
from .table_index import FindIntegers, hashes_of_integers, put_in_slots

Array = np.ndarray[Any, Any]

KEYS: Final = (dtypes.int64, dtypes.int32)
# Room for so many entries at first.
LEAST_ROOM: Final = 512


class IntegerEntries:
    """Values by key, in the order in which the keys came. Whoever uses it holds the table's lock.

    A dict is its slow twin.
    """

    def __init__(self, key_dtype: DType, value_dtype: DType, value_shape: Sequence[int]) -> None:
        self.count = 0
        self._keys = np.zeros(0, key_dtype.storage)
        self._values = np.zeros((0, *value_shape), value_dtype.storage)
        self._slots = np.full(1, -1, np.int64)

    @property
    def keys(self) -> Array:
        """The keys of all entries."""
        return self._keys[: self.count]

    @property
    def values(self) -> Array:
        """Their values."""
        return self._values[: self.count]

    def numbers(self, keys: Array) -> Array | None:
        """The numbers of the entries of keys, or -1; None where there is no native code."""
        if not self.count:
            return np.full(keys.shape, -1)
        counts = np.array([1, self.count])
        found = native_operations.run(FindIntegers, [counts, self._slots, self._keys, keys], {})
        return None if found is None else found[0]

    def insert(self, keys: Array, values: Array) -> bool:
        """Add entries of keys [n], or change them; of several values of a key the last one stays.
        False where there is no native code.
        """
        before = self.count
        try:
            return self._inserted(keys, values)
        except BaseException:  # an interrupt: keys that are new have no values yet
            self.count = before
            self._make_room(len(self._keys))
            raise

    def _inserted(self, keys: Array, values: Array) -> bool:
        numbers = self.numbers(keys)
        if numbers is not None and (is_new := numbers < 0).any():
            numbers = self.numbers(keys) if self._add(keys[is_new]) else None
        if numbers is None:
            return False
        self._values[numbers] = values
        return True

    def _add(self, keys: Array) -> bool:
        """Add keys that are new, as if each were another one; then those that were not are found
        by the numbers of others, and the rest is added alone.
        """
        before, first = (self._keys, self._values, self._slots), self.count
        count = first + len(keys)
        if count > len(self._keys):
            self._make_room(max(2 * len(self._keys), count, LEAST_ROOM))
        self._keys[first:count] = keys
        places = put_in_slots(self._slots, hashes_of_integers(keys), first)
        self.count = count
        numbers = self.numbers(keys)
        if numbers is not None and (numbers == np.arange(first, count)).all():
            return True
        self.count = first
        if self._slots is before[2]:
            self._slots[places] = -1
        else:
            self._keys, self._values, self._slots = before
        return numbers is not None and self._add(keys[numbers == np.arange(first, count)])

    def _make_room(self, count: int) -> None:
        keys, values = self.keys, self.values
        self._keys = np.zeros(count, keys.dtype)
        self._values = np.zeros((count, *values.shape[1:]), values.dtype)
        self._keys[: self.count], self._values[: self.count] = keys, values
        self._slots = np.full(1 << (2 * count - 1).bit_length(), -1, np.int64)
        put_in_slots(self._slots, hashes_of_integers(keys), 0)
