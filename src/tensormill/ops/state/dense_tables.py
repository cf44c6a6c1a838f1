"""Tables in places, as TensorFlow's dense ones are: what is exported are all places.

Where a key's place is, its hash says, and the number of those that were tried in vain: whoever
imports places takes them as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from ...core.dtypes import DType
from ...errors import InvalidArgumentError, UnimplementedError
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
        super().__init__(key_dtype, value_dtype, value_shape)
        if empty.shape or deleted.shape:
            raise UnimplementedError("a dense table whose keys are vectors")
        if not (key_dtype.is_integer or key_dtype.family == "string"):
            raise InvalidArgumentError(f"a dense table has no keys of dtype {key_dtype.name}")
        if empty == deleted:
            raise InvalidArgumentError("Empty and deleted keys cannot be equal")
        if count < 4 or count & (count - 1):
            raise InvalidArgumentError(
                f"Number of buckets must be at least 4 and a power of 2, got: {count}"
            )
        self._blanks = {"empty_key": empty[()], "deleted_key": deleted[()]}
        self._count, self._most_full = count, most_full

    def listed(self, keys: Any) -> list[Any]:
        self.demand_keys(keys)
        return super().listed(keys)

    def demand_keys(self, keys: Any) -> None:
        for name, blank in self._blanks.items():
            if (keys == blank).any():
                raise InvalidArgumentError(f"Using the {name} as a table key is not allowed")

    def replace(self, keys: Any, values: Any) -> None:
        """Take the entries among places."""
        rows = values.reshape(len(keys), *self.value_shape)
        blanks = self._blanks.values()
        pairs = zip(keys.reshape(-1).tolist(), rows, strict=True)
        self.entries = {key: value for key, value in pairs if key not in blanks}
        self.has_changed()

    def exported(self) -> tuple[Any, Any]:
        """All places: keys [n, 1], and values, of which a scalar is a row, too."""
        while len(self.entries) > self._count * self._most_full:
            self._count *= 2
        keys = np.full(self._count, self._blanks["empty_key"], self.key_dtype.storage)
        blank: Any = b"" if self.value_dtype.family == "string" else 0
        values = np.full(
            (self._count, *(self.value_shape or (1,))), blank, self.value_dtype.storage
        )
        taken: set[int] = set()
        for key, value in self.entries.items():
            place = next(one for one in self._tried(key) if one not in taken)
            taken.add(place)
            keys[place], values[place] = key, value
        return keys[:, None], values

    def _tried(self, key: Any) -> Iterator[int]:
        """The places of a key, in the order in which they are tried."""
        place = hash64(key) if isinstance(key, bytes) else key
        for step in range(1, self._count + 1):
            yield place & (self._count - 1)
            place += step
