"""Making tables: operations that give handles, and one that fills a table from a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...core.dtypes import as_dtype
from ...core.files import gfile
from ...core.process.locks import ForkedLock
from ...core.shapes import SCALAR, as_shape
from ...core.specs import FIXED_TABLE, ObjectSpec
from ...errors import InvalidArgumentError
from ..effects import World, Writes
from ..op import ANY, Attr, In, Op, Out
from .dense_tables import DenseTable
from .handles import OfSession
from .lookup import DENSE, HashTable, OnTable, table_spec
from .text_tables import entries_of

_SHARED: Final[dict[tuple[str, str], HashTable]] = {}
_SHARING: Final = ForkedLock()


class NewTable(Op, abstract=True):
    """Gives the handle of a table without entries."""

    key_dtype: Any
    value_dtype: Any
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> ObjectSpec:
        return table_spec(self.key_dtype, self.value_dtype, self.shape())

    def shape(self) -> tuple[int, ...]:
        """The shape of each value."""
        return ()

    def eager(self, np: Any) -> HashTable:
        return self.made()

    def made(self, value_of: Callable[[str], Any] | None = None) -> HashTable:
        return HashTable(self.key_dtype, self.value_dtype, self.shape())


class NamedTable(NewTable, OfSession, abstract=True):
    """The table of a name, which all share that say it; without a name, a new one each time.

    In graphs that are built by hand each session has its own.
    """

    container: Any
    shared_name: Any

    def eager(self, np: Any) -> HashTable:
        if not self.shared_name:
            return self.made()
        with _SHARING():
            key = self.container, self.shared_name
            if key not in _SHARED:
                _SHARED[key] = self.made()
        found = _SHARED[key]
        if found.spec != self.infer():
            raise InvalidArgumentError(
                f"{self.name}: there is a table '{self.shared_name}' of another kind: "
                f"{found.spec.short}"
            )
        return found


def _shape_of(stated: Any) -> tuple[int, ...]:
    return tuple([size or 0 for size in as_shape(stated).as_list()])


class HashTableV2(NamedTable):
    """A table that is filled once."""

    table_handle = Out("resource")
    container = Attr("")
    shared_name = Attr("")
    use_node_name_sharing = Attr(False)
    key_dtype = Attr()
    value_dtype = Attr()

    def infer(self) -> ObjectSpec:
        return table_spec(self.key_dtype, self.value_dtype, kind=FIXED_TABLE)

    def made(self, value_of: Callable[[str], Any] | None = None) -> HashTable:
        return HashTable(self.key_dtype, self.value_dtype, is_fixed=True)


class AnonymousHashTable(NewTable):
    """A table that is filled once, and that nobody else finds."""

    table_handle = Out("resource")
    key_dtype = Attr()
    value_dtype = Attr()

    def infer(self) -> ObjectSpec:
        return table_spec(self.key_dtype, self.value_dtype, kind=FIXED_TABLE)

    def made(self, value_of: Callable[[str], Any] | None = None) -> HashTable:
        return HashTable(self.key_dtype, self.value_dtype, is_fixed=True)


class MutableHashTableV2(NamedTable):
    """A table whose entries change."""

    table_handle = Out("resource")
    container = Attr("")
    shared_name = Attr("")
    use_node_name_sharing = Attr(False)
    key_dtype = Attr()
    value_dtype = Attr()


class AnonymousMutableHashTable(NewTable):
    """A table whose entries change, and that nobody else finds."""

    table_handle = Out("resource")
    key_dtype = Attr()
    value_dtype = Attr()


class MutableHashTableOfTensorsV2(NamedTable):
    """A table of vectors, whose entries change."""

    table_handle = Out("resource")
    container = Attr("")
    shared_name = Attr("")
    use_node_name_sharing = Attr(False)
    key_dtype = Attr()
    value_dtype = Attr()
    value_shape = Attr(SCALAR)

    def shape(self) -> tuple[int, ...]:
        return _shape_of(self.value_shape)


class AnonymousMutableHashTableOfTensors(NewTable):
    """A table of vectors, whose entries change, and that nobody else finds."""

    table_handle = Out("resource")
    key_dtype = Attr()
    value_dtype = Attr()
    value_shape = Attr(SCALAR)

    def shape(self) -> tuple[int, ...]:
        return _shape_of(self.value_shape)


def dense_spec(application: Any) -> ObjectSpec:
    """What graphs know of the table that either of the following makes."""
    key, dtype = application.empty_key, application.value_dtype
    return table_spec(key.dtype, dtype, application.shape(), DENSE, key.shape)


def dense_table(application: Any) -> DenseTable:
    """The table that either of the following makes."""
    return DenseTable(
        application.empty_key, application.deleted_key, application.value_dtype,
        application.shape(), application.initial_num_buckets, application.max_load_factor,
        as_dtype(application.empty_key.dtype),
    )  # fmt: skip


class MutableDenseHashTableV2(NamedTable):
    """A table whose entries change, and which refuses two keys: those that fill its places."""

    empty_key = In("key_dtype ...")
    deleted_key = In("key_dtype ...")
    table_handle = Out("resource")
    container = Attr("")
    shared_name = Attr("")
    use_node_name_sharing = Attr(False)
    value_dtype = Attr()
    value_shape = Attr(SCALAR)
    initial_num_buckets = Attr(131072)
    max_load_factor = Attr(0.800000011920929)
    key_dtype = ANY

    def infer(self) -> ObjectSpec:
        return dense_spec(self)

    def shape(self) -> tuple[int, ...]:
        return _shape_of(self.value_shape)

    def made(self, value_of: Callable[[str], Any] | None = None) -> HashTable:
        return dense_table(self)


class AnonymousMutableDenseHashTable(NewTable):
    """The same, that nobody else finds."""

    empty_key = In("key_dtype ...")
    deleted_key = In("key_dtype ...")
    table_handle = Out("resource")
    value_dtype = Attr()
    value_shape = Attr(SCALAR)
    initial_num_buckets = Attr(131072)
    max_load_factor = Attr(0.800000011920929)
    key_dtype = ANY

    def infer(self) -> ObjectSpec:
        return dense_spec(self)

    def shape(self) -> tuple[int, ...]:
        return _shape_of(self.value_shape)

    def made(self, value_of: Callable[[str], Any] | None = None) -> HashTable:
        return dense_table(self)


class InitializeTableFromTextFileV2(OnTable):
    """Fills a table with the lines of a file, or parts of them."""

    filename = In("str")
    key_index = Attr(int)
    value_index = Attr(int)
    vocab_size = Attr(-1)
    delimiter = Attr("\t")
    offset = Attr(0)
    _within = Attr(())
    effects = (Writes("table_handle"), World.PYTHON)

    def demands(self, sizes: Any) -> None:
        self.demand_table()

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        table = self.table
        path = gfile.confined(self.filename[()], self._within, writes=False)
        columns = (self.key_index, table.key_dtype), (self.value_index, table.value_dtype)
        keys, values = entries_of(path, columns, self.vocab_size, self.delimiter, self.offset)
        table.replace(keys, values)
        return ()
