"""Hash tables in graphs: operations on handles, which run in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.process.locks import AwaitedLock
from ...core.specs import FIXED_TABLE, ObjectSpec, TensorSpec
from ...errors import (
    AbortedError,
    FailedPreconditionError,
    InvalidArgumentError,
    UnimplementedError,
)
from ..bind import bind
from ..demands import refuse
from ..effects import Reads, Writes
from ..op import ANY, Attr, In, Op, Out
from ..origins import Origin

if TYPE_CHECKING:
    from .table_arrays import IntegerEntries

# The kind of a table that tells its places where it is exported (dense_tables.py).
DENSE: Final = "dense table"


class HashTable:
    """Values by key: what a handle of a table leads to. A fixed one is filled once, as a whole."""

    kind: ClassVar[str] = "table"
    has_blanks: ClassVar[bool] = False  # keys that no entry may have

    def __init__(
        self,
        key_dtype: DType,
        value_dtype: DType,
        value_shape: Any = (),
        is_fixed: bool = False,
        key_shape: Any = (),
    ) -> None:
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self.value_shape, self.key_shape = tuple(value_shape), tuple(key_shape)
        self.is_fixed = is_fixed
        self.is_filled = not is_fixed
        self._lock = AwaitedLock(is_short=False)
        self._entries: dict[Any, Any] = {}
        # The same as arrays, of which the dict is made when somebody asks for it; after how many
        # changes that was, and how many keys were inserted in the dict since.
        self._arrays: IntegerEntries | None = None
        self._made_at = 0
        self._inserted = 0
        # The entries as arrays, and after how many changes they were made (table_index.py).
        self.index: tuple[int, list[Any]] | None = None
        self.changes = 0
        self.asked = 0  # how many keys were looked for since the last change
        kind = FIXED_TABLE if is_fixed else self.kind
        self.spec = table_spec(key_dtype, value_dtype, self.value_shape, kind, self.key_shape)

    @property
    def entries(self) -> dict[Any, Any]:
        """The entries, for who changes nothing."""
        with self._lock():
            return self._as_dict()

    def _as_dict(self) -> dict[Any, Any]:
        if self._arrays is not None and self._made_at != self.changes:
            values = self._arrays.values
            rows = values.copy() if self.value_shape else elements(values)
            self._entries = dict(zip(self._arrays.keys.tolist(), rows, strict=True))
            self._made_at = self.changes
        return self._entries

    @entries.setter
    def entries(self, entries: dict[Any, Any]) -> None:
        with self._lock():
            self._entries, self._arrays, self._inserted = entries, None, 0

    @property
    def size(self) -> int:
        """How many entries there are."""
        with self._lock():
            return len(self._entries) if self._arrays is None else self._arrays.count

    def insert(self, keys: Any, values: Any) -> None:
        """Add entries, or change them.

        Raises:
            InvalidArgumentError: keys and values do not fit.
            UnimplementedError: the table is fixed.
        """
        if self.is_fixed:
            raise UnimplementedError("Insert: this table is filled once, by its initializer")
        if not self._insert_in_arrays(keys, values):
            pairs = self.pairs(keys, values)
            with self._lock():
                self._as_dict().update(pairs)
                self._arrays = None
                self._inserted += keys.size
        self.has_changed()

    def _insert_in_arrays(self, keys: Any, values: Any) -> bool:
        """Whether this was done by native code: for integers, from many of them on."""
        if keys.size < MANY_KEYS and self._arrays is None:
            return False
        from .table_arrays import KEYS, IntegerEntries  # which many keys need

        has_arrays = self.value_dtype.storage.kind != "O" and not self.key_shape
        if self.key_dtype not in KEYS or not has_arrays:
            return False
        self.demand_values(keys, values)
        self.demand_keys(keys)
        with self._lock():
            arrays = self._arrays
            if arrays is None:
                # Arrays are made of the entries when as many were inserted, so that who changes
                # the dict again and again does not wait for it each time.
                if self._inserted + keys.size < len(self._entries):
                    return False
                arrays = IntegerEntries(self.key_dtype, self.value_dtype, self.value_shape)
                if not arrays.insert(*self._listed_entries()):
                    return False
            rows = values.reshape(-1, *self.value_shape)
            if not arrays.insert(keys.reshape(-1), rows):
                return False
            self._arrays, self._made_at = arrays, -1
            return True

    def has_changed(self) -> None:
        """Note that the entries are others than before."""
        self.changes, self.asked = self.changes + 1, 0

    def replace(self, keys: Any, values: Any) -> None:
        """Let these be all entries; a fixed table has them already, or never changes again.

        Raises:
            InvalidArgumentError: keys and values do not fit.
            FailedPreconditionError: a key of a fixed table has two values.
        """
        if self.is_fixed and self.is_filled:
            return
        found: dict[Any, Any] = {}
        for key, value in self.pairs(keys, values):
            if self.is_fixed and key in found and not np.array_equal(found[key], value):
                raise FailedPreconditionError(
                    f"HashTable has different value for same key. Key {_shown(key)} has "
                    f"{found[key]} and trying to add value {value}"
                )
            found[key] = value
        self.entries, self.is_filled = found, True
        self.has_changed()

    def remove(self, keys: Any) -> None:
        """Let keys that are there be there no more.

        Raises:
            UnimplementedError: the table is fixed.
        """
        if self.is_fixed:
            raise UnimplementedError("Remove: this table is filled once, by its initializer")
        listed = self.listed(keys)
        with self._lock():
            entries = self._as_dict()
            self._arrays, self._inserted = None, 0
            for key in listed:
                entries.pop(key, None)
        self.has_changed()

    def pairs(self, keys: Any, values: Any) -> Iterator[tuple[Any, Any]]:
        """Keys with their values.

        Raises:
            InvalidArgumentError: they do not fit.
        """
        self.demand_values(keys, values)
        rows = values.reshape(-1, *self.value_shape)
        return zip(self.listed(keys), rows if self.value_shape else elements(rows), strict=True)

    def demand_values(self, keys: Any, values: Any) -> None:
        """There is one for each key."""
        expected = self.places(keys) + self.value_shape
        if values.shape != expected:
            raise InvalidArgumentError(
                f"Expected shape {list(expected)} for value, got {list(values.shape)}"
            )

    def places(self, keys: Any) -> tuple[int, ...]:
        """The shape of a tensor with an element for each key.

        Raises:
            InvalidArgumentError: the table has no such keys.
        """
        return keys.shape

    def listed(self, keys: Any) -> list[Any]:
        """Keys as Python values."""
        return keys.reshape(-1).tolist()

    def find(self, keys: Any, default: Any) -> Any:
        """The values of keys, or a default: one, or one for each key.

        Raises:
            FailedPreconditionError: a fixed table was not filled yet.
        """
        if not self.is_filled:
            raise FailedPreconditionError("Table not initialized.")
        if (found := self.found(keys, (keys,), default)) is not None:
            return found
        shape = self.places(keys) + self.value_shape
        flat = self.listed(keys)
        found = np.empty((len(flat), *self.value_shape), self.value_dtype.storage)
        defaults = np.broadcast_to(default, shape)
        if not self.value_shape:
            found[:] = [*map(self.entries.get, flat, elements(defaults.reshape(-1)))]
            return found.reshape(shape)
        found[...] = defaults.reshape(found.shape)
        for place, value in enumerate(map(self.entries.get, flat)):
            if value is not None:
                found[place] = value
        return found.reshape(shape)

    def find_spans(self, spans: tuple[Any, Any, Any], default: Any) -> Any:
        """The same for strings where they lie, of a compiled function."""
        if not self.is_filled:
            raise FailedPreconditionError("Table not initialized.")
        if (found := self.found(spans[0], spans, default)) is not None:
            return found
        return self.find(texts_of(spans), default)

    def found(self, keys: Any, parts: tuple[Any, ...], default: Any) -> Any:
        """The values of keys, a tensor or spans, or a default, by native code; None where making
        arrays of the entries takes longer than this saves.
        """
        with self._lock():
            if self._arrays is not None:
                numbers, values = self._arrays.numbers(keys), self._arrays.values
                if numbers is not None and self._arrays.count:
                    return self._of_numbers(numbers, values, parts, default)
        from .table_index import native_numbers  # which many keys need

        is_few = keys.size < MANY_KEYS
        if is_few or self.key_shape or "O" in (keys.dtype.kind, self.value_dtype.storage.kind):
            return None
        self.asked += keys.size
        is_fresh = self.index is not None and self.index[0] == self.changes
        if not is_fresh and self.asked < TURNS * self.size:
            return None
        numbers = native_numbers(self, parts)
        if numbers is None or self.index is None:
            return None
        return self._of_numbers(numbers, self.index[1][-1], parts, default)

    def _of_numbers(self, numbers: Any, values: Any, parts: tuple[Any, ...], default: Any) -> Any:
        """The values of the entries with these numbers, and a default where they are -1."""
        found, is_new = values[numbers], numbers < 0
        if not is_new.any():
            return found
        if self.has_blanks:
            is_text = len(parts) > 1
            others = (parts[0][is_new], parts[1][is_new], parts[2]) if is_text else None
            self.demand_keys(texts_of(others) if others else parts[0][is_new])
        found[is_new] = np.broadcast_to(default, found.shape)[is_new]
        return found

    def demand_keys(self, keys: Any) -> None:
        """Refuse keys that no entry may have."""

    def exported(self) -> tuple[Any, Any]:
        """All keys and all values.

        Raises:
            AbortedError: a fixed table was not filled yet.
        """
        if not self.is_filled:
            raise AbortedError("HashTable is not initialized.")
        with self._lock():
            if self._arrays is not None:
                return self._arrays.keys.copy(), self._arrays.values.copy()
            return self._listed_entries()

    def _listed_entries(self) -> tuple[Any, Any]:
        keys = np.empty(len(self._entries), self.key_dtype.storage)
        keys[:] = list(self._entries)
        values = np.empty((len(self._entries), *self.value_shape), self.value_dtype.storage)
        for place, value in enumerate(self._entries.values()):
            values[place] = value
        return keys, values


# Keys from which it pays to look for them in native code; and how many for each entry have been
# looked for in Python when that has taken as long as to make arrays of the entries.
MANY_KEYS: Final = 256
TURNS: Final = 3


def texts_of(spans: tuple[Any, Any, Any]) -> Any:
    """Strings of spans."""
    from ..strings.spans.spans import strings_of  # which only compiled functions need

    return strings_of(*spans)


def elements(array: Any) -> list[Any]:
    """Numbers and strings as Python has them; those that it has not as they are."""
    return array.tolist() if array.dtype.kind in "biufcO" else [*array]


def table_spec(
    key_dtype: DType, value_dtype: DType, value_shape: Any = (), kind: str = HashTable.kind,
    key_shape: Any = (),
) -> ObjectSpec:  # fmt: skip
    """What graphs know of a table: what a key is, and a value."""
    key, value = TensorSpec(key_shape, key_dtype), TensorSpec(value_shape, value_dtype)
    return ObjectSpec(kind, (key, value))


def _shown(key: Any) -> Any:
    return key.decode() if isinstance(key, bytes) else key


class OnTable(Op, abstract=True):
    """Reads or changes a table."""

    table_handle = In("resource")
    differentiable = False

    @property
    def table(self) -> HashTable:
        return self.table_handle

    def demand_table(self, key: DType | None = None, value: DType | None = None) -> None:
        """The handle is one of a table with such keys and values."""
        spec = getattr(self.table_handle, "spec", None)
        if not (isinstance(spec, ObjectSpec) and spec.kind in (HashTable.kind, FIXED_TABLE, DENSE)):
            refuse(InvalidArgumentError, NO_TABLE, self.name, getattr(spec, "short", "a variable"))
        own = [one.dtype for one in spec.elements]
        given = [one or mine for one, mine in zip((key, value), own, strict=True)]
        if given != own:
            refuse(InvalidArgumentError, OTHER_TYPES, self.name, *(d.name for d in (*own, *given)))


NO_TABLE = "{}: Trying to access a handle's resource using the wrong type: {} is no table"
OTHER_TYPES = "{}: Signature mismatch: the table has {}->{}, not {}->{}"


class LookupTableFindV2(OnTable):
    """The values of keys; `default_value` for those that are not there."""

    keys = In("Tin ...")
    default_value = In("Tout ...")
    values = Out("Tout ...")
    Tin = ANY
    Tout = ANY
    effects = (Reads("table_handle"),)

    def demands(self, sizes: Any) -> None:
        self.demand_table(sizes.dtype(self.keys), sizes.dtype(self.default_value))

    def infer(self) -> TensorSpec:
        key, value = self.table_handle.spec.elements
        places = self.keys.shape[:-1] if key.shape.rank else self.keys.shape
        return TensorSpec(places.concatenate(value.shape), self.default_value.dtype)

    def eager(self, np: Any) -> Any:
        return self.table.find(self.keys, self.default_value)

    def on_spans(self) -> Any:
        from .table_index import TableIndex  # which only compiled functions need

        if isinstance(self.table_handle, TableIndex):
            return self.table_handle.found(self.keys, self.default_value)
        keys = getattr(self.keys, "parts", None)  # of spans
        key, value = self.table_handle._known.spec.elements
        if keys is None or value.dtype is dtypes.string or key.shape.rank:
            return NotImplemented
        return bind(FindSpansInTable, self.table_handle, *keys, self.default_value)


class FindSpansInTable(OnTable):
    """The same for strings where they lie, in a table that may change."""

    starts = In("i64 ...")
    stops = In("i64 ...")
    bytes = In("u8 n")
    default_value = In("Tout ...")
    values = Out("Tout ...")
    Tout = ANY
    origin = Origin.COMPILER
    effects = (Reads("table_handle"),)

    def infer(self) -> TensorSpec:
        value = self.table_handle.spec.elements[1]
        return TensorSpec(self.starts.shape.concatenate(value.shape), self.default_value.dtype)

    def eager(self, np: Any) -> Any:
        return self.table.find_spans((self.starts, self.stops, self.bytes), self.default_value)


class LookupTableInsertV2(OnTable):
    """Adds entries, or changes them."""

    keys = In("Tin ...")
    values = In("Tout ...")
    Tin = ANY
    Tout = ANY
    effects = (Writes("table_handle"),)

    def demands(self, sizes: Any) -> None:
        self.demand_table(sizes.dtype(self.keys), sizes.dtype(self.values))

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.table.insert(self.keys, self.values)
        return ()


class LookupTableImportV2(OnTable):
    """Lets these be all entries; a table that is filled once keeps those that it has."""

    keys = In("Tin ...")
    values = In("Tout ...")
    Tin = ANY
    Tout = ANY
    effects = (Writes("table_handle"),)

    def demands(self, sizes: Any) -> None:
        self.demand_table(sizes.dtype(self.keys), sizes.dtype(self.values))

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.table.replace(self.keys, self.values)
        return ()


class InitializeTableV2(OnTable):
    """The same."""

    keys = In("Tkey ...")
    values = In("Tval ...")
    Tkey = ANY
    Tval = ANY
    effects = (Writes("table_handle"),)

    def demands(self, sizes: Any) -> None:
        self.demand_table(sizes.dtype(self.keys), sizes.dtype(self.values))

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.table.replace(self.keys, self.values)
        return ()


class LookupTableRemoveV2(OnTable):
    """Removes entries; keys that are not there are passed over."""

    keys = In("Tin ...")
    Tin = ANY
    effects = (Writes("table_handle"),)

    def demands(self, sizes: Any) -> None:
        self.demand_table(sizes.dtype(self.keys))

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.table.remove(self.keys)
        return ()


class LookupTableSizeV2(OnTable):
    """How many entries there are."""

    size = Out("i64")
    effects = (Reads("table_handle"),)

    def demands(self, sizes: Any) -> None:
        self.demand_table()

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int64)

    def eager(self, np: Any) -> Any:
        return np.int64(self.table.size)

    def on_spans(self) -> Any:
        from .table_index import TableIndex  # which only compiled functions need

        if not isinstance(self.table_handle, TableIndex):
            return NotImplemented
        return self.table_handle.counts[1]


class LookupTableExportV2(OnTable):
    """All keys and all values."""

    keys = Out("Tkeys ...")
    values = Out("Tvalues ...")
    Tkeys = Attr()
    Tvalues = Attr()
    effects = (Reads("table_handle"),)

    def demands(self, sizes: Any) -> None:
        self.demand_table(self.Tkeys, self.Tvalues)

    def infer(self) -> Any:
        key, value = self.table_handle.spec.elements
        shapes = [(None,), (None, *value.shape.as_list())]
        if self.table_handle.spec.kind == DENSE:  # its places, each a row
            shapes = [
                (None, *(key.shape.as_list() or [1])),
                (None, *(value.shape.as_list() or [1])),
            ]
        return tuple(map(TensorSpec, shapes, (self.Tkeys, self.Tvalues)))

    def eager(self, np: Any) -> Any:
        return self.table.exported()
