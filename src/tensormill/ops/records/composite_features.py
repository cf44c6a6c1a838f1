"""Sparse and ragged tensors made of several features of examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import dtypes
from ..array.concatenation import concat, stack
from ..array.rearrangement import repeat
from ..array.shapes import expand_dims, reshape, shape_of
from ..checks.assertions import assert_equal, require_equal
from ..conversion import as_tensor
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.division import floordiv
from ..math.scan import cumsum
from ..ragged.ragged_tensor import RaggedTensor
from ..ragged.reduce import reduce_max
from ..sparse.layout import reorder
from ..sparse.sparse_tensor import SparseTensor
from .feature_requests import index_keys
from .features import (
    RaggedFeature,
    RowLengths,
    RowLimits,
    RowSplits,
    RowStarts,
    SparseFeature,
    UniformRowLength,
    ValueRowIds,
)


def with_composites(features: Mapping[Any, Any], found: Mapping[Any, Any]) -> dict[Any, Any]:
    """What is asked for, made of what was found by keys: those of features, and of their parts."""
    made: dict[Any, Any] = {}
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            made[key] = _sparse(feature, found)
        elif isinstance(feature, RaggedFeature):
            made[key] = _partitioned(key, feature, found)
    known = {key: value for key, value in found.items() if key in features}
    return {**known, **made}


# ---------------------------------------------------------------- sparse tensors


def _sparse(feature: SparseFeature, found: Mapping[Any, Any]) -> SparseTensor:
    """The values at their indices; the axes that values of all examples have come first."""
    columns, sizes = [found[key] for key in index_keys(feature)], _sizes(feature)
    values = found[feature.value_key]
    outer = columns[0].indices[:, :-1]
    indices = concat([outer, *(expand_dims(one.values, 1) for one in columns)], 1)
    inner = stack([cast(as_tensor(size), dtypes.int64) for size in sizes])
    made = SparseTensor.of_parts(
        indices, values.values, concat([values.dense_shape[:-1], inner], 0)
    )
    counts = shape_of(made.indices)[0], shape_of(made.values)[0]
    require_equal(*counts, "A SparseFeature has as many indices as values: ")
    return made if feature.already_sorted else reorder(made)


def _sizes(feature: SparseFeature) -> list[Any]:
    """How long the axes of the indices are.

    Raises:
        TypeError: there is a list of keys and one size, or the other way round.
        ValueError: there are more or fewer sizes than keys.
    """
    is_several = isinstance(feature.index_key, (list, tuple))
    if is_several != isinstance(feature.size, (list, tuple)):
        raise TypeError(
            f"a SparseFeature has a size for its index_key, or a list of each: {feature}"
        )
    sizes = list(feature.size) if is_several else [feature.size]
    if len(sizes) != len(index_keys(feature)):
        raise ValueError(f"a SparseFeature has as many sizes as keys of indices: {feature}")
    return sizes


# ---------------------------------------------------------------- ragged tensors


def _partitioned(key: Any, feature: RaggedFeature, found: Mapping[Any, Any]) -> Any:
    """The values of a feature, divided as it says, the innermost division first."""
    values = found[key if feature.value_key is None else feature.value_key]
    partitions = reversed(feature.partitions)
    if not isinstance(values, RaggedTensor):  # of a single example
        for partition in partitions:
            values = _of_one(values, partition, found, feature)
        return values
    outer = None
    if values.ragged_rank > 1:  # examples and their steps are one axis meanwhile
        outer, values = values.row_splits, values.values
    for partition in partitions:
        values = _of_batch(key, values, partition, found, feature, outer)
    if outer is None:
        return values
    return RaggedTensor.from_row_splits(values, outer, validate=feature.validate)


def _of_one(values: Any, partition: Any, found: Mapping[Any, Any], feature: RaggedFeature) -> Any:
    validate, splits = feature.validate, feature.row_splits_dtype
    if isinstance(partition, UniformRowLength):
        if not isinstance(values, RaggedTensor):
            return _in_rows(values, partition.length)
        length = as_tensor(partition.length, splits)
        return RaggedTensor.from_uniform_row_length(values, length, validate=validate)
    numbers = cast(found[partition.key], splits)
    match partition:
        case RowSplits():
            return RaggedTensor.from_row_splits(values, numbers, validate=validate)
        case RowLengths():
            return RaggedTensor.from_row_lengths(values, numbers, validate=validate)
        case RowStarts():
            return RaggedTensor.from_row_starts(values, numbers, validate=validate)
        case RowLimits():
            return RaggedTensor.from_row_limits(values, numbers, validate=validate)
        case _:
            return RaggedTensor.from_value_rowids(values, numbers, validate=validate)


def _of_batch(
    key: Any, values: Any, partition: Any, found: Mapping[Any, Any], feature: RaggedFeature,
    outer: Any,
) -> Any:  # fmt: skip
    """Rows of rows: the values of each example, divided as its own partition says."""
    validate = feature.validate
    if isinstance(partition, UniformRowLength):
        return _in_batches_of_rows(values, partition.length, validate)
    numbers = found[partition.key]
    if outer is not None:
        if validate:
            message = f"Feature {key}: values and partitions are not aligned"
            assert_equal(outer, numbers.row_splits, message=message)
        numbers = numbers.values
    if isinstance(partition, RowSplits):
        numbers = numbers[:, 1:]
    splits = values.row_splits.dtype
    flat, lengths = cast(numbers.values, splits), numbers.row_lengths()
    match partition:
        case RowLengths():
            rows = RaggedTensor.from_row_lengths(values.values, flat, validate=validate)
        case RowStarts():
            starts = flat + repeat(values.row_starts(), lengths)
            rows = RaggedTensor.from_row_starts(values.values, starts, validate=validate)
        case RowSplits() | RowLimits():
            limits = flat + repeat(values.row_starts(), lengths)
            rows = RaggedTensor.from_row_limits(values.values, limits, validate=validate)
        case ValueRowIds():
            return _by_rowids(values, numbers, flat, validate)
        case _:
            raise TypeError(f"{partition} is no partition")
    return numbers.with_values(rows)


def _by_rowids(values: Any, numbers: Any, flat: Any, validate: bool) -> RaggedTensor:
    """An example has as many rows as its highest number says."""
    highest = reduce_max(numbers.with_values(flat) + 1, axis=1)
    counts = maximum(highest, as_tensor(0, flat.dtype))
    firsts = repeat(cumsum(counts, exclusive=True), numbers.row_lengths())
    rows = RaggedTensor.from_value_rowids(values.values, flat + firsts, validate=validate)
    return RaggedTensor.from_row_lengths(rows, counts, validate=validate)


def _in_batches_of_rows(values: Any, length: int, validate: bool) -> RaggedTensor:
    size = as_tensor(length, values.row_splits.dtype)
    inner, splits = values.values, floordiv(values.row_splits, size)
    if isinstance(inner, RaggedTensor):
        rows: Any = RaggedTensor.from_uniform_row_length(
            inner, size, nrows=splits[-1], validate=validate
        )
    else:
        rows = _in_rows(inner, length)
    return RaggedTensor.from_row_splits(rows, splits, validate=validate)


def _in_rows(values: Any, length: int) -> Any:
    return reshape(values, concat([[-1, length], shape_of(values)[1:]], 0))
