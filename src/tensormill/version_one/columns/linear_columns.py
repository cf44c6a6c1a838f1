"""`tf.compat.v1.feature_column.linear_model`: a sum of what each column's weights give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import context, dtypes
from ...eager.scopes import name_scope
from ...eager.variable import Variable
from ...feature_columns.column import CategoricalColumn, DenseColumn, FeatureColumn, Features
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import root_graph
from ...ops.linalg.matmul import matmul
from ...ops.math.sums import add_n
from ...ops.nn.bias_and_dropout import bias_add
from ...ops.sparse.layout import reshape as sparse_reshape
from ..functions.embeddings import safe_embedding_lookup_sparse
from ..initializers import ZerosV1
from ..variable_scopes import get_variable, variable_scope
from .shared_tables import owner, shared


class _Weights:
    """Makes the variables of a model; columns that keep tables of their own ask it, too."""

    def __init__(self, collections: Any, trainable: bool) -> None:
        known = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
        self._collections = list(dict.fromkeys([*(collections or ()), *known]))
        self._trainable = trainable
        self._made: dict[tuple[Any, str], Any] = {}

    def new(self, name: str, shape: Any, initializer: Any = None, trainable: bool = True) -> Any:
        wanted, first = trainable and self._trainable, initializer or ZerosV1()
        if root_graph() is None:
            with context.init_scope():
                return Variable(first(shape, dtypes.float32), trainable=wanted, name=name)
        return get_variable(
            name, shape, dtypes.float32, first, trainable=wanted, collections=self._collections
        )

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Any:  # fmt: skip
        """A variable of a column."""
        key = owner(feature_column), name
        if key not in self._made:
            self._made[key] = shared(
                feature_column, lambda: self.new(name, shape, initializer, trainable)
            )
        return self._made[key]

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """The variable of that name."""
        return self._made[owner(feature_column), name]


def linear_model(
    features: Mapping[str, Any], feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
    weight_collections: Any = None, trainable: bool = True,
    cols_to_vars: dict[Any, Any] | None = None,
) -> Any:  # fmt: skip
    """A linear function of columns, float32 [batch, units]: each has weights, all share a bias.

    A category has `units` weights; those of an example are combined by `sparse_combiner`: "sum",
    "mean" or "sqrtn". cols_to_vars: a dict that is told the variables of each column, and those
    of "bias".

    >>> x = tf.feature_column.numeric_column("x")
    >>> tf.compat.v1.feature_column.linear_model({"x": [-1.0, 2.0]}, [x]).numpy()
    array([[0.],
           [0.]], dtype=float32)

    Raises:
        ValueError: no columns, one of another kind, two of one name, or a feature that is absent.
    """
    columns = _checked(feature_columns)
    found, weights = Features(features), _Weights(weight_collections, trainable)
    with variable_scope(None, default_name="linear_model") as scope:
        pass
    with variable_scope(scope), name_scope(scope.name.rpartition("/")[2]):
        sums: list[Any] = []
        for column in columns:
            with variable_scope(None, default_name=owner(column)):
                sums.append(_weighed(column, found, weights, units, sparse_combiner, cols_to_vars))
        bias = weights.new("bias_weights", [units])
        if cols_to_vars is not None:
            cols_to_vars["bias"] = [bias]
        return bias_add(add_n(sums, name="weighted_sum_no_bias"), bias, name="weighted_sum")


def _checked(feature_columns: Any) -> list[Any]:
    is_one = isinstance(feature_columns, FeatureColumn)
    columns: list[Any] = [feature_columns] if is_one else [*feature_columns]
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    for column in columns:
        if not isinstance(column, (DenseColumn, CategoricalColumn)):
            raise ValueError(
                "Items of feature_columns must be either a DenseColumn or CategoricalColumn. "
                f"Given: {column}"
            )
    if len({column.name for column in columns}) != len(columns):
        raise ValueError(f"Duplicate feature column name found for columns: {columns}")
    return sorted(columns, key=lambda one: one.name)


def _weighed(
    column: Any, found: Features, weights: _Weights, units: int, combiner: str, told: Any
) -> Any:
    """What the weights of one column give, [batch, units]."""
    column.create_state(weights)
    if isinstance(column, CategoricalColumn):
        table = weights.new("weights", (column.num_buckets, units))
        ids, heavy = column.get_sparse_tensors(found, weights)
        result = safe_embedding_lookup_sparse(
            table, _as_matrix(ids), None if heavy is None else _as_matrix(heavy), combiner,
            name="weighted_sum",
        )  # fmt: skip
    else:
        width = column.variable_shape.num_elements()
        table = weights.new("weights", (width, units))
        result = matmul(column.get_rows(found, weights), table, name="weighted_sum")
    if told is not None:
        told[column] = [table]
    return result


def _as_matrix(ids: Any) -> Any:
    """The same with all axes but the first as one."""
    return sparse_reshape(ids, [ids.dense_shape[0], -1])
