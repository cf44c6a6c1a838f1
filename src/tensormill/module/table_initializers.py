"""What lookup tables are filled with: tensors, or the lines of a file."""

from __future__ import annotations

from typing import Any, Final

from ..core import context, dtypes
from ..core.dtypes import DType, as_dtype
from ..eager.convert import convert_to_tensor, get_static_value
from ..errors import InvalidArgumentError
from ..graph.by_hand.collections import GraphKeys
from ..graph.symbolic import SymbolicTensor
from ..ops.bind import bind
from ..ops.state.lookup import LookupTableImportV2
from ..ops.state.table_handles import InitializeTableFromTextFileV2
from ..ops.state.text_tables import LINE_NUMBER, WHOLE_LINE
from .assets import Asset, outermost_scope
from .trackable import AutoTrackable


class TextFileIndex:
    """What a line of a file gives: itself, or its number, instead of one of its columns."""

    WHOLE_LINE: Final = WHOLE_LINE
    LINE_NUMBER: Final = LINE_NUMBER


def _outside(entries: Any) -> Any:
    """Constants of a graph that is built by hand, as arrays: tables are made outside of it."""
    known = get_static_value(entries) if isinstance(entries, SymbolicTensor) else None
    return entries if known is None else known


class KeyValueTensorInitializer(AutoTrackable):
    """A table's entries, told as a tensor of keys and one of values.

    >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
    >>> entries.key_dtype, entries.value_dtype
    (tf.string, tf.int32)
    """

    def __init__(
        self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        with context.init_scope():
            self._keys = convert_to_tensor(_outside(keys), key_dtype)
            self._values = convert_to_tensor(_outside(values), value_dtype)

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> entries.key_dtype
        tf.string
        """
        return self._keys.dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> entries.value_dtype
        tf.int32
        """
        return self._values.dtype

    def initialize(self, table: Any) -> Any:
        """Fill the table; in a graph, an operation that does.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> table = tf.lookup.StaticHashTable(entries, -1)  # which calls it
        >>> table.size().numpy()
        np.int64(2)
        """
        return bind(LookupTableImportV2, table.resource_handle, self._keys, self._values)


class TextFileInitializer(AutoTrackable):
    r"""A table's entries, read from the lines of a file.

    key_index, value_index: a column (lines are split at `delimiter`), or a TextFileIndex.

    >>> tf.io.write_file('words.txt', 'red\ngreen')
    >>> lines = tf.lookup.TextFileIndex
    >>> entries = tf.lookup.TextFileInitializer(
    ...     'words.txt', tf.string, lines.WHOLE_LINE, tf.int64, lines.LINE_NUMBER)
    >>> tf.lookup.StaticHashTable(entries, -1).lookup(tf.constant(['green'])).numpy()
    array([1])

    Raises:
        ValueError: the dtype does not fit the index, or `vocab_size` is not positive.
        InvalidArgumentError: a line has no such column, or no number there; a whole line is empty;
            there are fewer lines than `vocab_size`; `delimiter` is not one byte.
    """

    def __init__(
        self, filename: Any, key_dtype: Any, key_index: int, value_dtype: Any, value_index: int,
        vocab_size: int | None = None, delimiter: str = "\t", name: str | None = None,
        value_index_offset: int = 0,
    ) -> None:  # fmt: skip
        self._dtypes = as_dtype(key_dtype), as_dtype(value_dtype)
        for index, dtype in ((key_index, self.key_dtype), (value_index, self.value_dtype)):
            _require_dtype(index, dtype)
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"vocab_size must be > 0, not {vocab_size}")
        if len(delimiter.encode()) != 1:
            raise InvalidArgumentError(f"delimiter must be one byte, not {delimiter!r}")
        self._how = {
            "key_index": key_index, "value_index": value_index, "delimiter": delimiter,
            "vocab_size": -1 if vocab_size is None else vocab_size, "offset": value_index_offset,
        }  # fmt: skip
        with outermost_scope() as graph:
            if graph is None:
                filename = _outside(filename)
            self._filename = filename if isinstance(filename, Asset) else Asset(filename)

    @property
    def key_dtype(self) -> DType:
        r"""The dtype of the keys.

        >>> tf.io.write_file('words.txt', 'red\ngreen')
        >>> row = tf.lookup.TextFileIndex
        >>> entries = tf.lookup.TextFileInitializer(
        ...     'words.txt', tf.string, row.WHOLE_LINE, tf.int64, row.LINE_NUMBER)
        >>> entries.key_dtype
        tf.string
        """
        return self._dtypes[0]

    @property
    def value_dtype(self) -> DType:
        r"""The dtype of the values.

        >>> tf.io.write_file('words.txt', 'red\ngreen')
        >>> row = tf.lookup.TextFileIndex
        >>> entries = tf.lookup.TextFileInitializer(
        ...     'words.txt', tf.string, row.WHOLE_LINE, tf.int64, row.LINE_NUMBER)
        >>> entries.value_dtype
        tf.int64
        """
        return self._dtypes[1]

    def initialize(self, table: Any) -> Any:
        r"""Fill the table with what the file has now; in a graph, an operation that does.

        >>> tf.io.write_file('words.txt', 'red\ngreen')
        >>> row = tf.lookup.TextFileIndex
        >>> entries = tf.lookup.TextFileInitializer(
        ...     'words.txt', tf.string, row.WHOLE_LINE, tf.int64, row.LINE_NUMBER)
        >>> table = tf.lookup.StaticHashTable(entries, -1)  # which calls it
        >>> table.size().numpy()
        np.int64(2)
        """
        path = self._filename.asset_path
        if path.symbolic:
            path.graph.add_to_collection(GraphKeys.ASSET_FILEPATHS, path)
        return bind(InitializeTableFromTextFileV2, table.resource_handle, path, **self._how)


def _require_dtype(index: int, dtype: DType) -> None:
    if index < TextFileIndex.WHOLE_LINE:
        raise ValueError(f"Invalid index {index}: it must be at least -2")
    if index == TextFileIndex.LINE_NUMBER and dtype is not dtypes.int64:
        raise ValueError(f"A line's number is int64, not {dtype.name}")
    if index == TextFileIndex.WHOLE_LINE and not (dtype.is_integer or dtype is dtypes.string):
        raise ValueError(f"A whole line is a string or an integer, not {dtype.name}")
