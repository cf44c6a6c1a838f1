"""`tensorflow.python.ops.lookup_ops`: tables between words and numbers, from lists and files."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import dtypes
from ....core.dtypes import as_dtype
from ....eager.convert import convert_to_tensor
from ....module.lookup_tables import StaticHashTable, StaticVocabularyTable
from ....module.table_initializers import (
    KeyValueTensorInitializer,
    TextFileIndex,
    TextFileInitializer,
)
from ....ops.array.fill import range as numbers_from
from ....ops.array.shapes import size as size_of

WHOLE_LINE, LINE_NUMBER = TextFileIndex.WHOLE_LINE, TextFileIndex.LINE_NUMBER


def index_table_from_tensor(
    vocabulary_list: Any, num_oov_buckets: int = 0, default_value: int = -1,
    hasher_spec: Any = None, dtype: Any = dtypes.string, name: str | None = None,
) -> Any:  # fmt: skip
    """A table of the places of words in a list.

    Other words have `default_value`, or one of `num_oov_buckets` further numbers.

    Raises:
        ValueError: there is no list.
        TypeError: its dtype is another one.
    """
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified")
    keys = convert_to_tensor(vocabulary_list, dtype=as_dtype(dtype))
    entries = KeyValueTensorInitializer(keys, _places(keys))
    return _indexed(entries, num_oov_buckets, default_value, as_dtype(dtype), name)


def index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: int = 0, vocab_size: int | None = None,
    default_value: int = -1, hasher_spec: Any = None, key_dtype: Any = dtypes.string,
    name: str | None = None, key_column_index: int = WHOLE_LINE,
    value_column_index: int = LINE_NUMBER, delimiter: str = "\t",
) -> Any:  # fmt: skip
    """A table of the places of words in a file, a word on each line.

    Other words have `default_value`, or one of `num_oov_buckets` further numbers.

    Raises:
        ValueError: there is no file, or `vocab_size` is not positive.
    """
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty")
    entries = TextFileInitializer(
        vocabulary_file, dtypes.string if as_dtype(key_dtype) is dtypes.string else dtypes.int64,
        key_column_index, dtypes.int64, value_column_index, vocab_size, delimiter,
    )  # fmt: skip
    return _indexed(entries, num_oov_buckets, default_value, as_dtype(key_dtype), name)


def _places(words: Any) -> Any:
    """0, 1, 2, …: a table of a graph that is built by hand wants to know them now."""
    count = words.shape.num_elements()
    if count is None:
        return numbers_from(size_of(words, out_type=dtypes.int64), dtype=dtypes.int64)
    return np.arange(count)


def _indexed(entries: Any, buckets: int, default: int, dtype: Any, name: str | None) -> Any:
    if buckets:
        return StaticVocabularyTable(entries, buckets, lookup_key_dtype=dtype, name=name)
    return StaticHashTable(entries, default, name=name)


def index_to_string_table_from_tensor(
    vocabulary_list: Any, default_value: str = "UNK", name: str | None = None
) -> Any:
    """A table of the words of a list by their places; other numbers have `default_value`.

    Raises:
        ValueError: there is no list.
    """
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified")
    words = convert_to_tensor(vocabulary_list, dtype=dtypes.string)
    return StaticHashTable(
        KeyValueTensorInitializer(_places(words), words), default_value, name=name
    )


def index_to_string_table_from_file(
    vocabulary_file: Any, vocab_size: int | None = None, default_value: str = "UNK",
    name: str | None = None, key_column_index: int = LINE_NUMBER,
    value_column_index: int = WHOLE_LINE, delimiter: str = "\t",
) -> Any:  # fmt: skip
    """A table of the lines of a file by their numbers; other numbers have `default_value`.

    Raises:
        ValueError: there is no file, or `vocab_size` is not positive.
    """
    if not vocabulary_file:
        raise ValueError("vocabulary_file must be specified and must not be empty")
    entries = TextFileInitializer(
        vocabulary_file, dtypes.int64, key_column_index, dtypes.string, value_column_index,
        vocab_size, delimiter,
    )  # fmt: skip
    return StaticHashTable(entries, default_value, name=name)
