"""What all feature columns share, and the features that they are made of.

A column says by name what it reads of the features of a batch. `Features` works each out once:
what a column's `transform_feature` gives is kept for the others that read it. Dense columns give
tensors, `get_dense_tensor`; categorical ones sparse numbers of categories, `get_sparse_tensors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..core import dtypes
from ..core.process.named_tuples import NamedTuple
from ..ops.array.gather import gather_nd
from ..ops.array.select import where
from ..ops.array.shapes import expand_dims, reshape, shape_of
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from ..ops.math.comparison import not_equal
from ..ops.sparse.sparse_tensor import SparseTensor
from .configurations import KINDS, column_of, configured


class IdsAndWeights(NamedTuple):
    """The categories of each example, sparse numbers, and what each weighs, if anything."""

    id_tensor: Any
    weight_tensor: Any


class TensorAndLength(NamedTuple):
    """Steps of sequences, [batch, steps, ...], and how many of them each example has."""

    dense_tensor: Any
    sequence_length: Any


# The fields of columns that say what they read.
READ_FIELDS: Final = frozenset(
    ("key", "keys", "source_column", "categorical_column", "weight_feature_key")
)


class FeatureColumn:
    """Base of all columns."""

    __slots__ = ()
    # What the columns of this kind are called in `get_config`.
    name: Any
    parse_example_spec: Any

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        KINDS[cls.__name__] = cls

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """What is kept of this column for the others that read it."""
        raise NotImplementedError(f"{type(self).__name__} is not read by others")

    def create_state(self, state_manager: Any) -> None:
        """Make the variables that it needs: none."""

    @property
    def parents(self) -> list[Any]:
        """The columns, and the names of features, that it reads."""
        found: list[Any] = []
        for field in self._fields:  # type: ignore[attr-defined]
            if field in READ_FIELDS:
                value = getattr(self, field)
                found += value if isinstance(value, tuple) and field == "keys" else [value]
        return found

    def get_config(self) -> dict[str, Any]:
        """What it was made of, by name."""
        return {key: configured(value) for key, value in self._asdict().items()}  # type: ignore[attr-defined]

    @classmethod
    def from_config(
        cls, config: Mapping[str, Any], custom_objects: Any = None, columns_by_name: Any = None
    ) -> Any:
        """A column of what `get_config` says; functions of the user's by name.

        Raises:
            ValueError: these are no such facts, or they name what is unknown.
        """
        return column_of(cls, config, custom_objects, columns_by_name)


class DenseColumn(FeatureColumn):
    """Base of columns that give tensors [batch, *variable_shape]."""

    __slots__ = ()
    variable_shape: Any

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The tensor of a batch."""
        raise NotImplementedError(f"{type(self).__name__} gives no dense tensor")

    def get_rows(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The tensor of a batch as a matrix, a row for each example."""
        dense = self.get_dense_tensor(transformation_cache, state_manager)
        width = self.variable_shape.num_elements()
        return reshape(dense, [shape_of(dense)[0], width])


class CategoricalColumn(FeatureColumn):
    """Base of columns that give numbers of categories, below `num_buckets`."""

    __slots__ = ()
    num_buckets: Any

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> IdsAndWeights:
        """The categories of a batch."""
        return IdsAndWeights(transformation_cache.get(self, state_manager), None)


class Features:
    """The features of a batch by name, and what columns make of them, each worked out once."""

    def __init__(self, features: Mapping[str, Any]) -> None:
        self._features = dict(features)
        self._known: dict[Any, Any] = {}

    def get(self, key: Any, state_manager: Any = None) -> Any:
        """The feature of a name, at least a matrix; or what a column makes of its features.

        Raises:
            ValueError: there is no such feature, or it is a scalar.
        """
        if key not in self._known:
            if isinstance(key, str):
                self._known[key] = self._raw(key)
            else:
                self._known[key] = key.transform_feature(self, state_manager)
        return self._known[key]

    def _raw(self, key: str) -> Any:
        if key not in self._features:
            raise ValueError(
                f"Feature {key} is not in features dictionary; there are {sorted(self._features)}"
            )
        value = self._features[key]
        if isinstance(value, SparseTensor):
            return value
        if hasattr(value, "to_sparse"):  # ragged
            return value.to_sparse()
        tensor = as_tensor(value)
        if tensor.shape.rank == 0:
            raise ValueError(f"Feature (key: {key}) cannot have rank 0. Given: {tensor}")
        return expand_dims(tensor, -1) if tensor.shape.rank == 1 else tensor


def as_sparse_ids(values: Any, ignored: Any = None) -> SparseTensor:
    """Dense values as sparse ones, without those that say nothing: "" and -1."""
    if isinstance(values, SparseTensor):
        return values
    if ignored is None:
        ignored = b"" if values.dtype is dtypes.string else -1
    places = where(not_equal(values, as_tensor(ignored, values.dtype)))
    sizes = cast(shape_of(values), dtypes.int64)
    return SparseTensor.of_parts(places, gather_nd(values, places), sizes)


def require_key(key: Any) -> None:
    """Refuse what names no feature."""
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def make_parse_example_spec(feature_columns: Any) -> dict[str, Any]:
    """What `tf.io.parse_example` has to be told to find the features of these columns.

    >>> x = tf.feature_column.numeric_column("x")
    >>> tf.feature_column.make_parse_example_spec([x])
    {'x': FixedLenFeature(shape=(1,), dtype=tf.float32, default_value=None)}

    Raises:
        ValueError: one is no column, or two want a feature in different ways.
    """
    found: dict[str, Any] = {}
    for column in feature_columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError(
                f"All feature_columns must be FeatureColumn instances. Given: {column}"
            )
        for key, spec in column.parse_example_spec.items():
            if found.setdefault(key, spec) != spec:
                raise ValueError(
                    f"feature_columns contain different parse_spec for key {key}. Given {spec} "
                    f"and {found[key]}"
                )
    return found
