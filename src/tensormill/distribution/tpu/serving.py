"""Rows of embedding tables for features, looked up by the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.tree import Path, assert_same_structure, flatten, flatten_with_path, pack_sequence_as
from ...eager.tensor import Tensor
from ...eager.variable import Variable
from ...ops.array.concatenation import stack
from ...ops.array.scatter import scatter_nd
from ...ops.array.select import boolean_mask
from ...ops.array.shapes import reshape
from ...ops.ragged.ragged_tensor import RaggedTensor
from ...ops.sparse.embedding_lookup import combined, safe_embedding_lookup_sparse
from ...ops.sparse.embeddings import embedding_lookup
from ...ops.sparse.sparse_tensor import SparseTensor
from .tables import FeatureConfig, TableConfig


def serving_embedding_lookup(
    inputs: Any, weights: Any, tables: Mapping[TableConfig, Variable], feature_config: Any
) -> Any:
    """The rows of tables that features ask for, in a structure like `inputs`.

    inputs: a structure of ids, int32 or int64, built like `feature_config` or a part of it. Of
    tensors [...] come rows [..., dim]. Ids of sparse and ragged tensors [batch, n] are combined by
    the table's combiner to [batch, dim], unless the feature is a sequence: then there are
    [batch, max_sequence_length, dim]. Sparse ids below 0 count for nothing. weights: None, or a
    structure like `inputs` of what rows are multiplied by, or None where nothing is.

    >>> table = tf.tpu.experimental.embedding.TableConfig(vocabulary_size=3, dim=2, combiner="sum")
    >>> feature = tf.tpu.experimental.embedding.FeatureConfig(table)
    >>> rows = tf.Variable([[0., 1.], [2., 3.], [4., 5.]])
    >>> tf.tpu.experimental.embedding.serving_embedding_lookup(
    ...     tf.ragged.constant([[1, 2], []], dtype=tf.int32), None, {table: rows}, feature
    ... ).numpy()
    array([[6., 8.],
           [0., 0.]], dtype=float32)

    Raises:
        ValueError: `inputs` has what `feature_config` has not, or `weights` what `inputs` has not;
            ids are no tensors; a sequence has weights or dense ids; a ragged tensor has other than
            two axes.
        InvalidArgumentError: a table has no such row.
    """
    features = dict(flatten_with_path(feature_config))
    wanted = flatten_with_path(inputs)
    unknown = [path for path, _ in wanted if path not in features]
    if unknown:
        raise ValueError(
            f"`inputs` has {[_text(path) for path in unknown]}, which `feature_config` has not: it "
            f"has {[_text(path) for path in features]}"
        )
    if weights is None:
        factors: list[Any] = [None] * len(wanted)
    else:
        assert_same_structure(inputs, weights)
        factors = flatten(weights)
    found = [
        _rows(_text(path), ids, factor, tables, features[path])
        for (path, ids), factor in zip(wanted, factors, strict=True)
    ]
    return pack_sequence_as(inputs, found)


def _rows(name: str, ids: Any, weights: Any, tables: Mapping[Any, Any], feature: Any) -> Any:
    table = tables[feature.table]
    _check(name, ids, weights, feature)
    if isinstance(ids, SparseTensor):
        return _of_sparse(ids, weights, table, feature)
    if isinstance(ids, RaggedTensor):
        return _of_ragged(name, ids, weights, table, feature)
    return embedding_lookup(table, ids)


def _check(name: str, ids: Any, weights: Any, feature: FeatureConfig) -> None:
    if not isinstance(ids, Tensor | SparseTensor | RaggedTensor):
        raise ValueError(
            f"the ids of feature '{name}' must be a Tensor, SparseTensor or RaggedTensor, not "
            f"{type(ids)}"
        )
    if isinstance(ids, Tensor) and feature.max_sequence_length:
        raise ValueError(
            f"feature '{name}' is a sequence: its ids must be a SparseTensor or RaggedTensor"
        )
    if weights is None:
        return
    if isinstance(ids, Tensor):
        raise ValueError(f"feature '{name}' has dense ids, which take no weights")
    if type(weights) is not type(ids):
        raise ValueError(
            f"the weights of feature '{name}' must be a {type(ids)} like its ids, not "
            f"{type(weights)}"
        )
    if feature.max_sequence_length:
        raise ValueError(f"feature '{name}' is a sequence, which takes no weights")


def _of_sparse(ids: Any, weights: Any, table: Any, feature: FeatureConfig) -> Any:
    length = feature.max_sequence_length
    if not length or ids.shape.rank != 2:
        return safe_embedding_lookup_sparse(
            table, ids, weights, combiner=_combiner(feature), default_id=None
        )
    keep = ids.indices[:, 1] < length
    rows = embedding_lookup(table, boolean_mask(ids.values, keep))
    sizes = stack([ids.dense_shape[0], length, feature.table.dim])
    found = scatter_nd(boolean_mask(ids.indices, keep), rows, sizes)
    found.set_shape([ids.shape[0], length, feature.table.dim])
    return found


def _of_ragged(name: str, ids: Any, weights: Any, table: Any, feature: FeatureConfig) -> Any:
    if ids.shape.rank != 2:
        raise ValueError(
            f"the ids of feature '{name}' must be ragged with two axes, got {ids.shape.rank}"
        )
    length, sizes = feature.max_sequence_length, feature.output_shape
    if sizes.rank is not None:
        slots = _slots(name, ids, sizes)
        length = slots if slots > 1 else 0
    found = (
        _sequences(ids, table, length) if length else _combined_rows(ids, weights, table, feature)
    )
    return found if sizes.rank is None else reshape(found, [*sizes, feature.table.dim])


def _slots(name: str, ids: Any, sizes: Any) -> int:
    """How many rows of the output an example has, where the program said the output's sizes.

    Raises:
        ValueError: a size or the number of examples is unknown, or does not divide the output.
    """
    examples, places = ids.shape[0], sizes.num_elements()
    if places is None or examples is None or not examples or places % examples:
        raise ValueError(
            f"the output_shape of feature '{name}' must have a known number of places for each "
            f"example: it is {sizes}, for {examples} examples"
        )
    return places // examples


def _sequences(ids: Any, table: Any, length: int) -> Any:
    rows = ids.with_flat_values(embedding_lookup(table, ids.flat_values))
    return rows.to_tensor(shape=[None, length, None])


def _combined_rows(ids: Any, weights: Any, table: Any, feature: FeatureConfig) -> Any:
    factors = None if weights is None else weights.flat_values
    place = ids.value_rowids()
    found = combined(table, ids.flat_values, factors, place, ids.nrows(), _combiner(feature), None)
    found.set_shape([ids.shape[0], feature.table.dim])
    return found


def _combiner(feature: FeatureConfig) -> str:
    """How rows are combined here.

    Raises:
        ValueError: a function of the program's says, which TPUs alone run.
    """
    combiner = feature.table.combiner
    if not isinstance(combiner, str):
        raise ValueError(
            f"the table '{feature.table.name}' is combined by {combiner!r}, which is for TPUs; "
            "give it 'mean', 'sum' or 'sqrtn' to look it up on a CPU"
        )
    return combiner


def _text(path: Path) -> str:
    return "/".join(str(key) for key in path)
