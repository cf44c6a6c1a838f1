"""Lookup tables whose entries are elements of datasets."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType, as_dtype
from ..core.process.named_tuples import NamedTuple
from ..core.specs import TensorSpec
from ..eager.tensor import wrap
from ..errors import UnimplementedError
from ..module.lookup_tables import StaticHashTable, StaticVocabularyTable
from ..module.trackable import AutoTrackable
from ..ops.bind import bind
from ..ops.state.lookup import LookupTableImportV2
from .dataset import DatasetV2
from .nodes.batching import stack_arrays
from .structure import blank_array


class HasherSpec(NamedTuple):
    """How keys that a table does not have are spread over buckets."""

    hasher: str
    key: Any


FAST_HASH: Final = HasherSpec("fasthash", None)


class DatasetInitializer(AutoTrackable):
    """A table's entries: the elements of a dataset, pairs of scalars.

    >>> numbers, letters = tf.data.Dataset.range(2), tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> entries = tf.data.experimental.DatasetInitializer(tf.data.Dataset.zip(letters, numbers))
    >>> tf.lookup.StaticHashTable(entries, default_value=-1).lookup(tf.constant(["b"])).numpy()
    array([1])

    Raises:
        TypeError: the elements are no pairs of scalars.
        FailedPreconditionError (where a table is made): a key has two values.
    """

    def __init__(self, dataset: DatasetV2) -> None:
        spec = dataset.element_spec
        pair = isinstance(spec, tuple) and len(spec) == 2
        if not (pair and all(isinstance(one, TensorSpec) and one.shape.rank == 0 for one in spec)):
            raise TypeError(
                f"a table is made of pairs of a key and a value, not of elements {spec}"
            )
        self._dataset = dataset

    @property
    def dataset(self) -> DatasetV2:
        """Where the entries come from."""
        return self._dataset

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys."""
        return self._dataset.element_spec[0].dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values."""
        return self._dataset.element_spec[1].dtype

    def initialize(self, table: Any) -> Any:
        """Fill the table; in a graph, an operation that does."""
        columns = list(zip(*self._dataset.node.iterate(), strict=True))
        if columns:
            entries = [stack_arrays([one._array for one in column]) for column in columns]
        else:
            specs = self._dataset.element_spec
            entries = [np.stack([blank_array(one)])[:0] for one in specs]
        return bind(LookupTableImportV2, table.resource_handle, *map(wrap, entries))


def table_from_dataset(
    dataset: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: Any = None,
    hasher_spec: Any = FAST_HASH,
    key_dtype: Any = dtypes.string,
    name: str | None = None,
) -> Any:
    """A table of the elements of a dataset, pairs of a key and a value.

    num_oov_buckets: other keys get so many further numbers, by their fingerprint; or, if none,
    `default_value`. vocab_size: so many elements are taken. hasher_spec: the default only.

    >>> letters = tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> squares = tf.data.Dataset.zip(letters, tf.data.Dataset.range(2).map(lambda n: n * n + 5))
    >>> table = tf.data.experimental.table_from_dataset(squares, default_value=-1)
    >>> table.lookup(tf.constant(["b", "z"])).numpy()
    array([ 6, -1])

    Raises:
        ValueError: a negative number of buckets, or a `vocab_size` that is not positive.
        TypeError: keys are neither strings nor integers; values are no int64s, with buckets;
            elements are no pairs of scalars.
        UnimplementedError: another `hasher_spec`.
    """
    if num_oov_buckets < 0:
        raise ValueError(f"`num_oov_buckets` must be at least 0, got {num_oov_buckets}")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"`vocab_size` must be greater than 0, got {vocab_size}")
    keys = as_dtype(key_dtype)
    if not (keys.is_integer or keys is dtypes.string):
        raise TypeError(f"`key_dtype` must be a string or an integer dtype, got {keys}")
    if tuple(hasher_spec) != FAST_HASH:
        raise UnimplementedError(f"hasher_spec={hasher_spec}: tables have `fasthash` only")
    entries = DatasetInitializer(dataset if vocab_size is None else dataset.take(vocab_size))
    if not num_oov_buckets:
        return StaticHashTable(entries, -1 if default_value is None else default_value, name)
    if entries.value_dtype is not dtypes.int64:
        raise TypeError(f"with `num_oov_buckets` values are int64, not {entries.value_dtype}")
    return StaticVocabularyTable(entries, num_oov_buckets, keys, name)


def index_table_from_dataset(
    dataset: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: Any = -1,
    hasher_spec: Any = FAST_HASH,
    key_dtype: Any = dtypes.string,
    name: str | None = None,
) -> Any:
    """A table that gives each element of a dataset of scalars its number.

    The other arguments are those of `table_from_dataset`.

    >>> letters = tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> table = tf.data.experimental.index_table_from_dataset(letters)
    >>> table.lookup(tf.constant(["b", "z"])).numpy()
    array([ 1, -1])

    Raises:
        FailedPreconditionError: an element is there twice.
        ValueError, TypeError, UnimplementedError: as for `table_from_dataset`.
    """
    numbered = dataset.enumerate().map(lambda number, key: (key, number))
    return table_from_dataset(
        numbered, num_oov_buckets, vocab_size, default_value, hasher_spec, key_dtype, name
    )
