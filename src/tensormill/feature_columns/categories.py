"""Columns of categories: by hash, number, vocabulary, or several of them crossed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import as_dtype
from ..core.files import gfile
from ..core.process.named_tuples import NamedTuple
from ..module.lookup_tables import StaticHashTable, StaticVocabularyTable
from ..module.table_initializers import (
    KeyValueTensorInitializer,
    TextFileIndex,
    TextFileInitializer,
)
from ..ops.array.select import where
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from ..ops.math.comparison import logical_or
from ..ops.records.features import VarLenFeature
from ..ops.sparse.crosses import cross_hashed
from ..ops.sparse.sparse_tensor import SparseTensor
from ..ops.strings.byte_strings import as_string
from ..ops.strings.hashing import to_hash_bucket_fast
from .column import CategoricalColumn, IdsAndWeights, as_sparse_ids, require_key


class OfOneFeature(CategoricalColumn):
    """Base of the columns of one feature."""

    __slots__ = ()
    key: Any
    read_dtype: Any  # what the feature is parsed as

    @property
    def name(self) -> str:
        return self.key

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(self.read_dtype)}

    def numbered(self, values: Any) -> Any:
        """The numbers of categories."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it counts categories")

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        found = as_sparse_ids(transformation_cache.get(self.key, state_manager))
        if found.dtype.is_integer != self.read_dtype.is_integer:
            raise ValueError(
                f"Column dtype and SparseTensors dtype must be compatible. key: {self.key}, "
                f"column dtype: {self.read_dtype}, tensor dtype: {found.dtype}"
            )
        return SparseTensor.of_parts(found.indices, self.numbered(found.values), found.dense_shape)


def _text_or_integer(dtype: Any, key: str) -> Any:
    kind = as_dtype(dtype)
    if kind is not dtypes.string and not kind.is_integer:
        raise ValueError(f"column_name: {key} dtype must be string or integer. dtype: {kind}.")
    return kind


class _Hashed(NamedTuple):
    key: Any
    hash_bucket_size: Any
    dtype: Any


class HashedCategoricalColumn(_Hashed, OfOneFeature):
    """Categories by their fingerprints."""

    __slots__ = ()

    @property
    def read_dtype(self) -> Any:
        return self.dtype

    @property
    def num_buckets(self) -> int:
        return self.hash_bucket_size

    def numbered(self, values: Any) -> Any:
        texts = values if values.dtype is dtypes.string else as_string(values)
        return to_hash_bucket_fast(texts, self.hash_bucket_size)


def categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: Any, dtype: Any = dtypes.string
) -> HashedCategoricalColumn:
    """Categories without a vocabulary: strings or integers by their fingerprint, modulo a size.

    "" and -1 in dense features say nothing.

    >>> tf.feature_column.categorical_column_with_hash_bucket("word", 1000).num_buckets
    1000

    Raises:
        ValueError: the key is no string, the size is not positive, or `dtype` is one of floats.
    """
    require_key(key)
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(
            f"hash_bucket_size must be at least 1. hash_bucket_size: {hash_bucket_size}, key: {key}"
        )
    return HashedCategoricalColumn(key, hash_bucket_size, _text_or_integer(dtype, key))


class _Identity(NamedTuple):
    key: Any
    number_buckets: Any
    default_value: Any


class IdentityCategoricalColumn(_Identity, OfOneFeature):
    """Categories that are numbers already."""

    __slots__ = ()

    @property
    def read_dtype(self) -> Any:
        return dtypes.int64

    @property
    def num_buckets(self) -> int:
        return self.number_buckets

    def numbered(self, values: Any) -> Any:
        numbers = cast(values, dtypes.int64)
        if self.default_value is None:
            return numbers
        is_other = logical_or(numbers < 0, numbers >= self.number_buckets)
        return where(is_other, as_tensor(self.default_value, dtypes.int64), numbers)


def categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None
) -> IdentityCategoricalColumn:
    """Categories that are numbers in [0, num_buckets).

    default_value: what other numbers become; without it, they must not occur.

    >>> tf.feature_column.categorical_column_with_identity("day", 7).num_buckets
    7

    Raises:
        ValueError: the key is no string, there are no buckets, or `default_value` is none of them.
    """
    require_key(key)
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(
            f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}"
        )
    return IdentityCategoricalColumn(key, num_buckets, default_value)


class _VocabularyList(NamedTuple):
    key: Any
    vocabulary_list: Any
    dtype: Any
    default_value: Any
    num_oov_buckets: Any


class VocabularyListCategoricalColumn(_VocabularyList, OfOneFeature):
    """Categories by their place in a list."""

    __slots__ = ()

    @property
    def read_dtype(self) -> Any:
        return self.dtype

    @property
    def num_buckets(self) -> int:
        return len(self.vocabulary_list) + self.num_oov_buckets

    def numbered(self, values: Any) -> Any:
        kind = dtypes.int64 if self.dtype.is_integer else dtypes.string
        keys = np.array(self.vocabulary_list, np.int64 if self.dtype.is_integer else None)
        places = np.arange(len(self.vocabulary_list))
        entries = KeyValueTensorInitializer(keys, places, kind, dtypes.int64)
        return _looked_up(self, entries, values if kind is dtypes.string else cast(values, kind))


def _looked_up(column: Any, entries: Any, values: Any) -> Any:
    if column.num_oov_buckets:
        return StaticVocabularyTable(entries, column.num_oov_buckets).lookup(values)
    return StaticHashTable(entries, column.default_value).lookup(values)


def categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: Any = None, default_value: int = -1,
    num_oov_buckets: int = 0,
) -> VocabularyListCategoricalColumn:  # fmt: skip
    """Categories by their place in a list of strings or integers.

    Others become `default_value` (-1: none at all), or one of `num_oov_buckets` further categories
    by their fingerprint.

    >>> colour = tf.feature_column.categorical_column_with_vocabulary_list("c", ["red", "blue"])
    >>> tf.feature_column.indicator_column(colour).variable_shape
    TensorShape([1, 2])

    Raises:
        ValueError: the list is empty or has something twice, dtypes do not fit, or both of
            `default_value` and `num_oov_buckets` are given.
    """
    require_key(key)
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}")
    _require_one(num_oov_buckets, default_value, key)
    own = as_dtype(np.array(vocabulary_list).dtype)
    kind = own if dtype is None else as_dtype(dtype)
    _text_or_integer(own, key)
    if _text_or_integer(kind, key).is_integer != own.is_integer:
        raise ValueError(
            f"dtype {kind} and vocabulary dtype {own} do not match, column_name: {key}"
        )
    return VocabularyListCategoricalColumn(
        key, tuple(vocabulary_list), kind, default_value, num_oov_buckets
    )


def _require_one(num_oov_buckets: int, default_value: Any, key: str) -> None:
    if num_oov_buckets and default_value not in (None, -1):
        raise ValueError(f"Can't specify both num_oov_buckets and default_value in {key}.")
    if num_oov_buckets < 0:
        raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")


class _VocabularyFile(NamedTuple):
    key: Any
    vocabulary_file: Any
    vocabulary_size: Any
    num_oov_buckets: Any
    dtype: Any
    default_value: Any
    file_format: Any


class VocabularyFileCategoricalColumn(_VocabularyFile, OfOneFeature):
    """Categories by the line of a file that they stand in."""

    __slots__ = ()

    @property
    def read_dtype(self) -> Any:
        return self.dtype

    @property
    def num_buckets(self) -> int:
        return self.vocabulary_size + self.num_oov_buckets

    def numbered(self, values: Any) -> Any:
        kind = dtypes.int64 if self.dtype.is_integer else dtypes.string
        entries = TextFileInitializer(
            self.vocabulary_file, kind, TextFileIndex.WHOLE_LINE, dtypes.int64,
            TextFileIndex.LINE_NUMBER, vocab_size=self.vocabulary_size,
        )  # fmt: skip
        return _looked_up(self, entries, values if kind is dtypes.string else cast(values, kind))


def categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None,
    dtype: Any = dtypes.string, default_value: int | None = None, num_oov_buckets: int = 0,
    file_format: str | None = None,
) -> VocabularyFileCategoricalColumn:  # fmt: skip
    r"""Categories by the line of a file that they stand in; of the file the first lines count.

    Others become `default_value` (-1: none at all), or one of `num_oov_buckets` further categories
    by their fingerprint.

    >>> tf.io.write_file("words.txt", "red\nblue")
    >>> words = tf.feature_column.categorical_column_with_vocabulary_file("c", "words.txt")
    >>> words.num_buckets
    2

    Raises:
        ValueError: there is no such file, the size is not positive, or both of `default_value` and
            `num_oov_buckets` are given.
        UnimplementedError: a file of records (`file_format`).
    """
    require_key(key)
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if file_format not in (None, "text"):
        from ..errors import UnimplementedError

        raise UnimplementedError(f"a vocabulary is read from lines of text, not {file_format}")
    if vocabulary_size is None:
        if not gfile.exists(vocabulary_file):
            raise ValueError(f"vocabulary_file in {key} does not exist.")
        with gfile.GFile(vocabulary_file, "rb") as file:
            vocabulary_size = sum(1 for _ in file)
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    _require_one(num_oov_buckets, default_value, key)
    return VocabularyFileCategoricalColumn(
        key, vocabulary_file, vocabulary_size, num_oov_buckets, _text_or_integer(dtype, key),
        -1 if default_value is None else default_value, file_format,
    )  # fmt: skip


class _Crossed(NamedTuple):
    keys: Any
    hash_bucket_size: Any
    hash_key: Any


class CrossedColumn(_Crossed, CategoricalColumn):
    """All combinations of one category of each of several columns, by hash."""

    __slots__ = ()

    @property
    def name(self) -> str:
        names = [one if isinstance(one, str) else one.name for one in self.leaves()]
        return "_X_".join(sorted(names))

    def leaves(self) -> list[Any]:
        """The columns and features that are crossed, those of crossed columns too."""
        found: list[Any] = []
        for one in self.keys:
            found += one.leaves() if isinstance(one, CrossedColumn) else [one]
        return found

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for one in self.keys:
            is_text = isinstance(one, str)
            found |= {one: VarLenFeature(dtypes.string)} if is_text else one.parse_example_spec
        return found

    @property
    def num_buckets(self) -> int:
        return self.hash_bucket_size

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        crossed: list[Any] = []
        for one in self.leaves():
            if isinstance(one, str):
                crossed.append(transformation_cache.get(one, state_manager))
                continue
            ids, weights = one.get_sparse_tensors(transformation_cache, state_manager)
            if weights is not None:
                raise ValueError(
                    f"crossed_column does not support weight_tensor, but {one.name} has one"
                )
            crossed.append(ids)
        return cross_hashed(crossed, self.hash_bucket_size, self.hash_key)


def crossed_column(keys: Any, hash_bucket_size: int, hash_key: int | None = None) -> CrossedColumn:
    """Combinations of categories as categories: by their hash, modulo a size.

    keys: at least two names of features of strings, or categorical columns (no hashed ones).

    >>> age = tf.feature_column.numeric_column("age")
    >>> grown = tf.feature_column.bucketized_column(age, [18])
    >>> tf.feature_column.crossed_column([grown, "town"], 100).name
    'age_bucketized_X_town'

    Raises:
        ValueError: fewer than two keys, other columns, or a size that is not positive.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}")
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for one in keys:
        if not isinstance(one, (str, CategoricalColumn)):
            raise ValueError(
                "Unsupported key type. All keys must be either string, or categorical column "
                f"except HashedCategoricalColumn. Given: {one}"
            )
        if isinstance(one, HashedCategoricalColumn):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. Hashing before "
                "crossing will increase probability of collision. Instead, use the feature name "
                f"as a string. Given: {one}"
            )
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)


class _Weighted(NamedTuple):
    categorical_column: Any
    weight_feature_key: Any
    dtype: Any


class WeightedCategoricalColumn(_Weighted, CategoricalColumn):
    """Categories, and what each weighs."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        own = {self.weight_feature_key: VarLenFeature(self.dtype)}
        return self.categorical_column.parse_example_spec | own

    @property
    def num_buckets(self) -> int:
        return self.categorical_column.num_buckets

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        weights = transformation_cache.get(self.weight_feature_key, state_manager)
        if weights.dtype is not self.dtype:
            raise ValueError(
                f"Bad dtype, expected {self.dtype}, but got {weights.dtype} of the feature "
                f"{self.weight_feature_key}"
            )
        found = as_sparse_ids(weights, 0.0)
        values = cast(found.values, dtypes.float32)
        return SparseTensor.of_parts(found.indices, values, found.dense_shape)

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> IdsAndWeights:
        ids = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
        return IdsAndWeights(ids.id_tensor, transformation_cache.get(self, state_manager))


def weighted_categorical_column(
    categorical_column: CategoricalColumn, weight_feature_key: str, dtype: Any = dtypes.float32
) -> WeightedCategoricalColumn:
    """Categories that weigh what another feature says, value by value.

    >>> words = tf.feature_column.categorical_column_with_hash_bucket("words", 100)
    >>> tf.feature_column.weighted_categorical_column(words, "counts").name
    'words_weighted_by_counts'

    Raises:
        ValueError: `dtype` is one of strings.
    """
    kind = as_dtype(dtype)
    if not (kind.is_integer or kind.is_floating):
        raise ValueError(f"dtype {kind} is not convertible to float.")
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, kind)
