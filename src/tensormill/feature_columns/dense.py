"""Dense columns of categories: as ones and zeros, and as vectors that are learned."""

from __future__ import annotations

import math
from typing import Any

from ..core import context, dtypes
from ..core.process.named_tuples import NamedTuple
from ..core.shapes import TensorShape
from ..ops.array.concatenation import concat, stack
from ..ops.array.fill import one_hot
from ..ops.array.scatter import scatter_nd
from ..ops.array.select import boolean_mask
from ..ops.math.cast import cast
from ..ops.math.reduce import reduce_sum
from ..ops.sparse.conversion import to_dense
from ..ops.sparse.embedding_lookup import embedding_lookup_sparse, safe_embedding_lookup_sparse
from ..ops.sparse.layout import reshape as sparse_reshape
from .categories import (
    WeightedCategoricalColumn,
    categorical_column_with_hash_bucket,
    categorical_column_with_identity,
    categorical_column_with_vocabulary_file,
    categorical_column_with_vocabulary_list,
)
from .column import CategoricalColumn, DenseColumn, IdsAndWeights, TensorAndLength
from .sequences import lengths_of
from .starts import StartOfVectors


class _Indicator(NamedTuple):
    categorical_column: Any


class IndicatorColumn(_Indicator, DenseColumn):
    """How often each category occurs in an example, or what it weighs there."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_indicator"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return self.categorical_column.parse_example_spec

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape((1, self.categorical_column.num_buckets))

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        column = self.categorical_column
        ids, weights = column.get_sparse_tensors(transformation_cache, state_manager)
        if weights is not None:
            return _weighed(ids, weights, column.num_buckets)
        dense = to_dense(ids, default_value=-1)
        return reduce_sum(one_hot(dense, column.num_buckets, 1.0, 0.0), -2)

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise ValueError(
                f"In indicator_column: {self.name}. categorical_column must not be of type "
                "SequenceCategoricalColumn: it gives get_sequence_dense_tensor"
            )
        return transformation_cache.get(self, state_manager)

    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any
    ) -> TensorAndLength:
        """For each step of a sequence which category it is, [batch, steps, categories]."""
        ids = _of_sequence(self).get_sparse_tensors(transformation_cache, state_manager).id_tensor
        return TensorAndLength(transformation_cache.get(self, state_manager), lengths_of(ids))


def _weighed(ids: Any, weights: Any, count: int) -> Any:
    """Weights at [example, category]; categories below 0 are none."""
    is_one = ids.values >= 0
    rows, places = boolean_mask(ids.indices[:, 0], is_one), boolean_mask(ids.values, is_one)
    sizes = stack([ids.dense_shape[0], cast(count, dtypes.int64)])
    return scatter_nd(stack([rows, places], 1), boolean_mask(weights.values, is_one), sizes)


def _of_sequence(column: Any) -> Any:
    if not isinstance(column.categorical_column, SequenceCategoricalColumn):
        raise ValueError(
            f"In {column.name}: categorical_column must be of type SequenceCategoricalColumn to "
            f"use it for sequences. Given: {column.categorical_column}"
        )
    return column.categorical_column


def indicator_column(categorical_column: Any) -> IndicatorColumn:
    """Categories as numbers: how often each occurs, float32 [batch, num_buckets].

    >>> day = tf.feature_column.categorical_column_with_identity("day", 7)
    >>> tf.feature_column.indicator_column(day).variable_shape
    TensorShape([1, 7])

    Raises:
        ValueError: it is no categorical column.
    """
    if not isinstance(categorical_column, CategoricalColumn):
        raise ValueError(
            "Unsupported input type. Input must be a CategoricalColumn. Given: "
            f"{categorical_column}"
        )
    return IndicatorColumn(categorical_column)


class _Embedding(NamedTuple):
    categorical_column: Any
    dimension: Any
    combiner: Any
    initializer: Any
    ckpt_to_load_from: Any
    tensor_name_in_ckpt: Any
    max_norm: Any
    trainable: Any
    use_safe_embedding_lookup: Any


class EmbeddingColumn(_Embedding, DenseColumn):
    """A vector for each category, of which those of an example are combined."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_embedding"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return self.categorical_column.parse_example_spec

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        return transformation_cache.get(self.categorical_column, state_manager)

    def create_state(self, state_manager: Any) -> None:
        """Make the table of vectors, `embedding_weights`, by the state manager."""
        shape = (self.categorical_column.num_buckets, self.dimension)
        state_manager.create_variable(
            self, name="embedding_weights", shape=shape, dtype=dtypes.float32,
            trainable=self.trainable, use_resource=True, initializer=self.initializer,
        )  # fmt: skip

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise ValueError(
                f"In embedding_column: {self.name}. categorical_column must not be of type "
                "SequenceCategoricalColumn: it gives get_sequence_dense_tensor"
            )
        return self._combined(transformation_cache, state_manager, self.categorical_column)

    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any
    ) -> TensorAndLength:
        """The vector of each step of a sequence, [batch, steps, dimension]."""
        column = _of_sequence(self)
        vectors = self._combined(transformation_cache, state_manager, column)
        ids = column.get_sparse_tensors(transformation_cache, state_manager).id_tensor
        return TensorAndLength(vectors, lengths_of(ids))

    def _combined(self, transformation_cache: Any, state_manager: Any, column: Any) -> Any:
        ids, weights = column.get_sparse_tensors(transformation_cache, state_manager)
        table = state_manager.get_variable(self, "embedding_weights")
        look_up = embedding_lookup_sparse
        if self.use_safe_embedding_lookup:
            look_up = safe_embedding_lookup_sparse
        return look_up(table, ids, weights, combiner=self.combiner, max_norm=self.max_norm)


def embedding_column(
    categorical_column: CategoricalColumn, dimension: int, combiner: str = "mean",
    initializer: Any = None, ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
    max_norm: Any = None, trainable: bool = True, use_safe_embedding_lookup: bool = True,
) -> EmbeddingColumn:  # fmt: skip
    """Categories as vectors that are learned: float32 [batch, dimension].

    combiner: "mean", "sqrtn" or "sum" of the vectors of an example's categories. initializer: a
    function of a shape and a dtype; by default truncated normal numbers of the standard deviation
    1 / sqrt(dimension). ckpt_to_load_from, tensor_name_in_ckpt: where the vectors are to come from.
    max_norm: how long vectors may be. use_safe_embedding_lookup: whether examples may have no
    category, or some below 0.

    >>> word = tf.feature_column.categorical_column_with_hash_bucket("word", 1000)
    >>> tf.feature_column.embedding_column(word, 8).variable_shape
    TensorShape([8])

    Raises:
        ValueError: the dimension is not positive, `initializer` cannot be called, or one alone of
            the two arguments about a checkpoint is given.
    """
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )
    if initializer is not None and not callable(initializer):
        raise ValueError(
            "initializer must be callable if specified. Embedding of column_name: "
            f"{categorical_column.name}"
        )
    return EmbeddingColumn(
        categorical_column, dimension, combiner,
        initializer or StartOfVectors(stddev=1 / math.sqrt(dimension)), ckpt_to_load_from,
        tensor_name_in_ckpt, max_norm, trainable, use_safe_embedding_lookup,
    )  # fmt: skip


def shared_embeddings(
    categorical_columns: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
    shared_embedding_collection_name: str | None = None, ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: Any = None, trainable: bool = True,
    use_safe_embedding_lookup: bool = True,
) -> list[SharedEmbeddingColumn]:  # fmt: skip
    """Columns whose categories have the same vectors; in graphs of TensorFlow 1 only.

    The arguments are those of `embedding_column`. shared_embedding_collection_name: the vectors are
    in this collection of the graph: whatever asks for them again gets the same.

    >>> words = [tf.feature_column.categorical_column_with_hash_bucket(w, 9) for w in "ab"]
    >>> tf.feature_column.shared_embeddings(words, 2)
    Traceback (most recent call last):
    RuntimeError: shared_embedding_columns are not supported when eager execution is enabled.

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the columns are of several kinds, or have not equally many categories.
    """
    if not context.building_graph():
        raise RuntimeError(
            "shared_embedding_columns are not supported when eager execution is enabled."
        )
    columns = sorted(categorical_columns, key=lambda one: one.name)
    made = embedding_column(
        columns[0], dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
        max_norm, trainable, use_safe_embedding_lookup,
    )  # fmt: skip
    _require_alike(columns)
    name = "_".join([*[one.name for one in columns], "shared_embedding"])
    facts = made._asdict() | {
        "shared_embedding_collection_name": shared_embedding_collection_name or name
    }
    return [
        SharedEmbeddingColumn(**(facts | {"categorical_column": one}))
        for one in categorical_columns
    ]


def _require_alike(columns: Any) -> None:
    """Sequences and weighted categories are of the kind of what they are made of."""
    if len({_kind(one) for one in columns}) != 1:
        raise ValueError(
            "To use shared_embedding_column, all categorical_columns must have the same type, or "
            f"be weighted_categorical_column or sequence column of the same type. Given: {columns}"
        )
    sizes = [one.num_buckets for one in columns]
    if len(set(sizes)) != 1:
        raise ValueError(
            "To use shared_embedding_column, all categorical_columns must have the same number of "
            f"buckets. Given {sizes}: {columns}"
        )


def _kind(column: Any) -> type:
    wraps = isinstance(column, (SequenceCategoricalColumn, WeightedCategoricalColumn))
    return _kind(column.categorical_column) if wraps else type(column)


class _SharedEmbedding(NamedTuple):
    categorical_column: Any
    dimension: Any
    combiner: Any
    initializer: Any
    shared_embedding_collection_name: Any
    ckpt_to_load_from: Any
    tensor_name_in_ckpt: Any
    max_norm: Any
    trainable: Any
    use_safe_embedding_lookup: Any


class SharedEmbeddingColumn(_SharedEmbedding, DenseColumn):
    """An embedding whose vectors other columns have as well."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return f"{self.categorical_column.name}_shared_embedding"

    parse_example_spec = EmbeddingColumn.parse_example_spec
    variable_shape = EmbeddingColumn.variable_shape
    transform_feature = EmbeddingColumn.transform_feature
    create_state = EmbeddingColumn.create_state
    get_dense_tensor = EmbeddingColumn.get_dense_tensor
    get_sequence_dense_tensor = EmbeddingColumn.get_sequence_dense_tensor
    _combined = EmbeddingColumn._combined


class _SequenceCategorical(NamedTuple):
    categorical_column: Any


class SequenceCategoricalColumn(_SequenceCategorical, CategoricalColumn):
    """Categories of the steps of a sequence."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return self.categorical_column.name

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return self.categorical_column.parse_example_spec

    @property
    def num_buckets(self) -> int:
        return self.categorical_column.num_buckets

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        return self.categorical_column.transform_feature(transformation_cache, state_manager)

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> IdsAndWeights:
        """Each category in a row of its own: [batch, steps, 1]."""
        found = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
        ids, weights = found
        sizes = concat([ids.dense_shape, [1]], 0) if ids.shape.rank == 2 else ids.dense_shape
        weighed = None if weights is None else sparse_reshape(weights, sizes)
        return IdsAndWeights(sparse_reshape(ids, sizes), weighed)


def sequence_categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None
) -> SequenceCategoricalColumn:
    """As `categorical_column_with_identity`, of each step of a sequence.

    >>> tf.feature_column.sequence_categorical_column_with_identity("days", 7).num_buckets
    7

    Raises:
        ValueError: as there.
    """
    return SequenceCategoricalColumn(
        categorical_column_with_identity(key, num_buckets, default_value)
    )


def sequence_categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: Any = dtypes.string
) -> SequenceCategoricalColumn:
    """As `categorical_column_with_hash_bucket`, of each step of a sequence.

    >>> tf.feature_column.sequence_categorical_column_with_hash_bucket("words", 100).num_buckets
    100

    Raises:
        ValueError: as there.
    """
    return SequenceCategoricalColumn(
        categorical_column_with_hash_bucket(key, hash_bucket_size, dtype)
    )


def sequence_categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: Any = None, default_value: int = -1,
    num_oov_buckets: int = 0,
) -> SequenceCategoricalColumn:  # fmt: skip
    """As `categorical_column_with_vocabulary_list`, of each step of a sequence.

    >>> steps = tf.feature_column.sequence_categorical_column_with_vocabulary_list("s", ["a", "b"])
    >>> steps.num_buckets
    2

    Raises:
        ValueError: as there.
    """
    return SequenceCategoricalColumn(
        categorical_column_with_vocabulary_list(
            key, vocabulary_list, dtype, default_value, num_oov_buckets
        )
    )


def sequence_categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, num_oov_buckets: int = 0,
    default_value: int | None = None, dtype: Any = dtypes.string,
) -> SequenceCategoricalColumn:  # fmt: skip
    r"""As `categorical_column_with_vocabulary_file`, of each step of a sequence.

    >>> tf.io.write_file("steps.txt", "left\nright")
    >>> column = tf.feature_column.sequence_categorical_column_with_vocabulary_file
    >>> column("s", "steps.txt").num_buckets
    2

    Raises:
        ValueError: as there.
    """
    return SequenceCategoricalColumn(
        categorical_column_with_vocabulary_file(
            key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets
        )
    )
