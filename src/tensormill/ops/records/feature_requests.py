"""What operations are asked for where a program wants features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.shapes import TensorShape, as_shape
from ..array.shapes import reshape
from ..conversion import as_tensor
from ..ragged.ragged_tensor import RaggedTensor
from ..sparse.sparse_tensor import SparseTensor
from .features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
    SparseFeature,
    UniformRowLength,
    VarLenFeature,
)


class FeatureRequest:
    """The keys that an operation is asked for, sparse, dense and ragged ones.

    Raises:
        ValueError: a feature lacks something, or two of them want different things of one key.
    """

    def __init__(self, features: Mapping[Any, Any], kinds: tuple[type, ...]) -> None:
        self.sparse: dict[Any, DType] = {}
        self.dense: dict[Any, DType] = {}
        self.shapes: dict[Any, TensorShape] = {}
        self.given: dict[Any, Any] = {}  # default values
        self.ragged: dict[Any, tuple[DType, DType]] = {}
        for key in sorted(features):
            feature = features[key]
            if not isinstance(feature, kinds):
                raise ValueError(f"Unsupported {type(feature).__name__} {feature} for key {key!r}")
            _require(key, feature, "dtype", "type")
            _ADD[type(feature)](self, key, feature)
        self._require_apart()

    def names(self) -> list[Any]:
        """The keys, in the order in which results come."""
        return [*self.sparse, *self.dense, *self.ragged]

    def defaults(self) -> list[Any]:
        """The default values of dense features, as tensors; an empty one: there is none."""
        return [self._default(key, shape) for key, shape in self.shapes.items()]

    def add_sparse(self, key: Any, dtype: Any) -> None:
        _agree(key, self.sparse.setdefault(key, as_dtype(dtype)), as_dtype(dtype))

    def add_dense(self, key: Any, feature: Any) -> None:
        _require(key, feature, "shape", "shape")
        self.dense[key], self.shapes[key] = as_dtype(feature.dtype), as_shape(feature.shape)
        self.given[key] = feature.default_value

    def add_ragged(self, key: Any, dtype: Any, splits: DType) -> None:
        known, known_splits = self.ragged.setdefault(key, (as_dtype(dtype), splits))
        _agree(key, known, as_dtype(dtype))
        _agree(key, known_splits, splits, "partition ")

    def _default(self, key: Any, shape: TensorShape) -> Any:
        dtype, given = self.dense[key], self.given[key]
        is_variable = shape.rank is not None and shape.rank > 0 and shape[0] is None
        if given is None:
            nothing = "" if dtype is dtypes.string else 0
            return as_tensor(nothing if is_variable else [], dtype)
        return reshape(as_tensor(given, dtype), [] if is_variable else shape)

    def _require_apart(self) -> None:
        for one, other in (("sparse", "dense"), ("sparse", "ragged"), ("dense", "ragged")):
            if common := set(getattr(self, one)) & set(getattr(self, other)):
                raise ValueError(
                    f"{one.capitalize()} and {other} keys must not intersect; both have: "
                    f"{sorted(common)}"
                )
        for key, shape in self.shapes.items():
            if None in (shape.entries or ())[1:]:
                raise ValueError(
                    f"All dimensions of shape for feature {key} need to be known but received "
                    f"{shape.as_list()}."
                )


def _add_var_len(request: FeatureRequest, key: Any, feature: VarLenFeature) -> None:
    request.add_sparse(key, feature.dtype)


def _add_sparse(request: FeatureRequest, key: Any, feature: SparseFeature) -> None:
    _require(key, feature, "index_key", "index_key")
    _require(key, feature, "value_key", "value_key")
    for index_key in index_keys(feature):
        request.add_sparse(index_key, dtypes.int64)
    request.add_sparse(feature.value_key, feature.dtype)


def _add_fixed(request: FeatureRequest, key: Any, feature: FixedLenFeature) -> None:
    _require(key, feature, "shape", "shape")
    if as_shape(feature.shape).entries not in (None, ()) and as_shape(feature.shape)[0] is None:
        raise ValueError(
            f"First dimension of shape for feature {key} unknown. Consider using "
            f"FixedLenSequenceFeature. Received feature={feature}."
        )
    request.add_dense(key, feature)


def _add_ragged(request: FeatureRequest, key: Any, feature: RaggedFeature) -> None:
    value_key = key if feature.value_key is None else feature.value_key
    request.add_ragged(value_key, feature.dtype, feature.row_splits_dtype)
    for partition in feature.partitions:
        if not isinstance(partition, UniformRowLength):
            request.add_ragged(partition.key, dtypes.int64, feature.row_splits_dtype)


_ADD: Final[dict[type, Callable[[FeatureRequest, Any, Any], None]]] = {
    VarLenFeature: _add_var_len,
    SparseFeature: _add_sparse,
    FixedLenFeature: _add_fixed,
    FixedLenSequenceFeature: FeatureRequest.add_dense,
    RaggedFeature: _add_ragged,
}


def _require(key: Any, feature: Any, field: str, what: str) -> None:
    if getattr(feature, field, None) is None:
        raise ValueError(f"Missing {what} for feature {key}. Received feature={feature}.")


def _agree(key: Any, known: DType, said: DType, what: str = "") -> None:
    if known is not said:
        raise ValueError(f"Conflicting {what}type {known} vs {said} for feature {key}.")


def index_keys(feature: SparseFeature) -> list[Any]:
    said = feature.index_key
    return list(said) if isinstance(said, (list, tuple)) else [said]


def with_rows(features: Mapping[Any, Any]) -> dict[Any, Any]:
    """The features, where those with any number of rows have them in their shapes.

    Raises:
        ValueError: one may not be missing, which is said of sequences only.
    """
    return {key: _with_rows(feature) for key, feature in features.items()}


def _with_rows(feature: Any) -> Any:
    if not isinstance(feature, FixedLenSequenceFeature):
        return feature
    if not feature.allow_missing:
        raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
    return feature._replace(shape=None if feature.shape is None else [None, *feature.shape])


def sparse_of(
    indices: Iterable[Any], values: Iterable[Any], shapes: Iterable[Any], outer: TensorShape
) -> list[Any]:
    """Sparse tensors, whose shapes begin with `outer`."""
    made = [SparseTensor.of_parts(*one) for one in zip(indices, values, shapes, strict=True)]
    for one in made:
        if one.shape.rank is not None and outer.rank is not None and outer.rank < one.shape.rank:
            one.set_shape(outer.concatenate([None] * (one.shape.rank - outer.rank)))
    return made


def ragged_of(values: Sequence[Any], *splits: Sequence[Any]) -> list[RaggedTensor]:
    """Ragged tensors; the splits of outer axes come first."""
    made = list(values)
    for axis in reversed(splits):
        made = [
            RaggedTensor.from_row_splits(inner, one, validate=False)
            for inner, one in zip(made, axis, strict=True)
        ]
    return made
