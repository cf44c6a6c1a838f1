"""Hash tables in graphs: operations on handles, which run in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.shapes import TensorShape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import FailedPreconditionError, InvalidArgumentError
from ..effects import Reads, Writes
from ..op import ANY, Attr, In, Op, Out


class HashTable:
    """Values by key: what a handle of a table leads to."""

    def __init__(self, key_dtype: DType, value_dtype: DType, value_shape: Any = ()) -> None:
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self.value_shape = tuple(value_shape)
        self.entries: dict[Any, Any] = {}
        self.spec = ObjectSpec(
            "table", (TensorSpec((), key_dtype), TensorSpec(self.value_shape, value_dtype))
        )

    def insert(self, keys: Any, values: Any, is_fixed: bool = False) -> None:
        """Add entries; `is_fixed`: none may get another value.

        Raises:
            InvalidArgumentError: keys and values do not fit.
            FailedPreconditionError: a key of a fixed table has two values.
        """
        if values.shape != keys.shape + self.value_shape:
            raise InvalidArgumentError(
                f"Expected shape {list(keys.shape + self.value_shape)} for value, got "
                f"{list(values.shape)}"
            )
        rows = values.reshape(-1, *self.value_shape)
        for key, value in zip(keys.reshape(-1).tolist(), rows, strict=True):
            known = self.entries.get(key)
            if is_fixed and known is not None and not np.array_equal(known, value):
                shown = key.decode() if isinstance(key, bytes) else key
                raise FailedPreconditionError(
                    f"HashTable has different value for same key. Key {shown} has {known} and "
                    f"trying to add value {value}"
                )
            self.entries[key] = value

    def find(self, keys: Any, default: Any) -> Any:
        """The values of keys, or a default: one, or one for each key."""
        flat = keys.reshape(-1).tolist()
        found = np.empty((len(flat), *self.value_shape), self.value_dtype.numpy)
        defaults = np.broadcast_to(default, keys.shape + self.value_shape)
        found[...] = defaults.reshape(found.shape)
        for place, key in enumerate(flat):
            value = self.entries.get(key)
            if value is not None:
                found[place] = value
        return found.reshape(keys.shape + self.value_shape)

    def exported(self) -> tuple[Any, Any]:
        """All keys and all values."""
        keys = np.empty(len(self.entries), self.key_dtype.numpy)
        keys[:] = list(self.entries)
        values = np.empty((len(self.entries), *self.value_shape), self.value_dtype.numpy)
        for place, value in enumerate(self.entries.values()):
            values[place] = value
        return keys, values


class OnTable(Op, abstract=True):
    """Reads or changes a table."""

    table_handle = In("resource")
    differentiable = False

    @property
    def table(self) -> HashTable:
        return self.table_handle


class LookupTableFindV2(OnTable):
    """The values of keys; `default_value` for those that are not there."""

    keys = In("Tin ...")
    default_value = In("Tout ...")
    values = Out("Tout ...")
    Tin = ANY
    Tout = ANY
    effects = (Reads("table_handle"),)

    def infer(self) -> TensorSpec:
        value = self.table_handle.spec.elements[1]
        shape = self.keys.shape.concatenate(value.shape)
        return TensorSpec(shape, self.default_value.dtype)

    def eager(self, np: Any) -> Any:
        return self.table.find(self.keys, self.default_value)


class LookupTableInsertV2(OnTable):
    """Adds entries, or changes them."""

    keys = In("Tin ...")
    values = In("Tout ...")
    _is_fixed = Attr(False)
    Tin = ANY
    Tout = ANY
    effects = (Writes("table_handle"),)

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.table.insert(self.keys, self.values, self._is_fixed)
        return ()


class LookupTableRemoveV2(OnTable):
    """Removes entries; keys that are not there are passed over."""

    keys = In("Tin ...")
    Tin = ANY
    effects = (Writes("table_handle"),)

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        for key in self.keys.reshape(-1).tolist():
            self.table.entries.pop(key, None)
        return ()


class LookupTableSizeV2(OnTable):
    """How many entries there are."""

    size = Out("i64")
    effects = (Reads("table_handle"),)

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int64)

    def eager(self, np: Any) -> Any:
        return np.int64(len(self.table.entries))


class LookupTableExportV2(OnTable):
    """All keys and all values."""

    keys = Out("Tkeys n")
    values = Out("Tvalues ...")
    Tkeys = Attr()
    Tvalues = Attr()
    effects = (Reads("table_handle"),)

    def infer(self) -> Any:
        shape = TensorShape((None,)).concatenate(self.table_handle.spec.elements[1].shape)
        return TensorSpec((None,), self.Tkeys), TensorSpec(shape, self.Tvalues)

    def eager(self, np: Any) -> Any:
        return self.table.exported()
