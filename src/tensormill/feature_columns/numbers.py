"""Columns of numbers: as they are, in intervals, and in sequences."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import as_dtype
from ..core.process.named_tuples import NamedTuple
from ..core.shapes import TensorShape
from ..ops.array.concatenation import concat, stack
from ..ops.array.fill import one_hot
from ..ops.array.fill import range as numbers_from
from ..ops.array.rearrangement import tile
from ..ops.array.shapes import expand_dims, reshape, shape_of
from ..ops.array.sorting import searchsorted
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from ..ops.records.features import FixedLenFeature, VarLenFeature
from ..ops.sparse.conversion import to_dense
from ..ops.sparse.sparse_tensor import SparseTensor
from .column import CategoricalColumn, DenseColumn, FeatureColumn, IdsAndWeights, TensorAndLength
from .column import require_key as _require_key
from .sequences import lengths_of


class _Numeric(NamedTuple):
    key: Any
    shape: Any
    default_value: Any
    dtype: Any
    normalizer_fn: Any


class NumericColumn(_Numeric, DenseColumn):
    """Numbers as they are, or as a function makes them."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return self.key

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)}

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape(self.shape)

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        values = transformation_cache.get(self.key, state_manager)
        if isinstance(values, SparseTensor):
            raise ValueError(
                f"The corresponding Tensor of numerical column must be a Tensor. SparseTensor is "
                f"not supported. key: {self.key}"
            )
        if self.normalizer_fn is not None:
            values = self.normalizer_fn(values)
        return cast(values, dtypes.float32)

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        return transformation_cache.get(self, state_manager)


def numeric_column(
    key: Any, shape: Any = (1,), default_value: Any = None, dtype: Any = dtypes.float32,
    normalizer_fn: Callable[[Any], Any] | None = None,
) -> NumericColumn:  # fmt: skip
    """Numbers as they are: float32 [batch, *shape].

    default_value: of examples without the feature: a number, or as many as the shape has.
    normalizer_fn: what is done to the numbers before.

    >>> tf.feature_column.numeric_column("age", shape=2).variable_shape
    TensorShape([2])

    Raises:
        ValueError: the key is no string, a size is not positive, or the dtype is one of strings.
        TypeError: default values that do not fit shape and dtype.
    """
    _require_key(key)
    sizes = _sizes(shape, key)
    kind = _float_or_integer(dtype, key)
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")
    return NumericColumn(
        key, sizes, _defaults(default_value, sizes, kind, key), kind, normalizer_fn
    )


def _sizes(shape: Any, key: str) -> tuple[int, ...]:
    sizes = tuple([shape] if isinstance(shape, int) else shape)
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError(f"shape dimensions must be integer. shape: {sizes}, key: {key}")
        if size < 1:
            raise ValueError(f"shape dimensions must be greater than 0. shape: {sizes}, key: {key}")
    return sizes


def _float_or_integer(dtype: Any, key: str) -> Any:
    kind = as_dtype(dtype)
    if not (kind.is_integer or kind.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {kind}, key: {key}")
    return kind


def _defaults(given: Any, sizes: tuple[int, ...], kind: Any, key: str) -> Any:
    if given is None:
        return None
    numbers = np.asarray(given)
    if numbers.shape not in ((), sizes):
        raise ValueError(
            f"The shape of default_value must be equal to given shape. default_value: {given}, "
            f"shape: {sizes}, column_name: {key}"
        )
    if numbers.dtype.kind not in ("iub" if kind.is_integer else "iubf"):
        raise TypeError(
            f"default_value must be compatible with dtype. default_value: {given}, dtype: {kind}, "
            f"column_name: {key}"
        )
    return _nested(np.broadcast_to(numbers, sizes).astype(kind.storage).tolist())


def _nested(value: Any) -> Any:
    return tuple([_nested(one) for one in value]) if isinstance(value, list) else value


class _Bucketized(NamedTuple):
    source_column: Any
    boundaries: Any


class BucketizedColumn(_Bucketized, DenseColumn, CategoricalColumn):
    """Numbers by the interval that they are in."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return f"{self.source_column.name}_bucketized"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return self.source_column.parse_example_spec

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape((*self.source_column.shape, len(self.boundaries) + 1))

    @property
    def num_buckets(self) -> int:
        return (len(self.boundaries) + 1) * self.source_column.shape[0]

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        values = transformation_cache.get(self.source_column, state_manager)
        edges = as_tensor(self.boundaries, values.dtype)
        return reshape(searchsorted(edges, reshape(values, [-1]), side="right"), shape_of(values))

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        places = transformation_cache.get(self, state_manager)
        return one_hot(cast(places, dtypes.int64), len(self.boundaries) + 1, 1.0, 0.0)

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> IdsAndWeights:
        """Of a vector's k-th number the categories come after those of the numbers before."""
        places = transformation_cache.get(self, state_manager)
        batch, width = shape_of(places)[0], self.source_column.shape[0]
        rows = reshape(tile(expand_dims(numbers_from(batch), 1), [1, width]), [-1])
        columns = tile(numbers_from(width), [batch])
        ids = reshape(places, [-1]) + (len(self.boundaries) + 1) * columns
        indices = cast(stack([rows, columns], 1), dtypes.int64)
        sizes = cast(stack([batch, width]), dtypes.int64)
        return IdsAndWeights(SparseTensor.of_parts(indices, cast(ids, dtypes.int64), sizes), None)


def bucketized_column(source_column: Any, boundaries: Any) -> BucketizedColumn:
    """Which interval numbers are in: below the first boundary, from it up to the second, and so on.

    source_column: a numeric column of a scalar or a vector. boundaries: ascending. Dense, it is
    float32 [batch, *shape, len(boundaries) + 1] with a 1 at the interval.

    >>> age = tf.feature_column.numeric_column("age")
    >>> tf.feature_column.bucketized_column(age, [18, 65]).num_buckets
    3

    Raises:
        ValueError: another column, one of a matrix, or boundaries that do not ascend.
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError(
            "source_column must be a column generated with numeric_column(). Given: "
            f"{source_column}"
        )
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column. Given: {source_column}")
    edges = list(boundaries) if isinstance(boundaries, (list, tuple)) else []
    if not edges or any(a >= b for a, b in pairwise(edges)):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))


class _SequenceNumeric(NamedTuple):
    key: Any
    shape: Any
    default_value: Any
    dtype: Any
    normalizer_fn: Any


class SequenceNumericColumn(_SequenceNumeric, FeatureColumn):
    """Numbers of the steps of a sequence."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return self.key

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        return {self.key: VarLenFeature(self.dtype)}

    @property
    def variable_shape(self) -> TensorShape:
        return TensorShape(self.shape)

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        values = transformation_cache.get(self.key, state_manager)
        return values if self.normalizer_fn is None else self.normalizer_fn(values)

    def get_sequence_dense_tensor(
        self, transformation_cache: Any, state_manager: Any
    ) -> TensorAndLength:
        """The steps, [batch, steps, *shape], and their number."""
        values = transformation_cache.get(self, state_manager)
        dense = to_dense(values, default_value=as_tensor(self.default_value, values.dtype))
        steps = reshape(dense, concat([shape_of(dense)[:1], [-1], self.shape], 0))
        count = int(np.prod(self.shape)) if values.shape.rank == 2 else 1
        return TensorAndLength(steps, lengths_of(values, count))


def sequence_numeric_column(
    key: str, shape: Any = (1,), default_value: float = 0.0, dtype: Any = dtypes.float32,
    normalizer_fn: Callable[[Any], Any] | None = None,
) -> SequenceNumericColumn:  # fmt: skip
    """Numbers of the steps of sequences: [batch, steps, *shape].

    default_value: what stands behind the last step of a shorter sequence.

    >>> tf.feature_column.sequence_numeric_column("beat").parse_example_spec
    {'beat': VarLenFeature(dtype=tf.float32)}

    Raises:
        ValueError: the key is no string, a size is not positive, or the dtype is one of strings.
        TypeError: `normalizer_fn` cannot be called.
    """
    _require_key(key)
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")
    kind = _float_or_integer(dtype, key)
    return SequenceNumericColumn(key, _sizes(shape, key), default_value, kind, normalizer_fn)
