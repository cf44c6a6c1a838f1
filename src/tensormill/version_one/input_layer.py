"""`tf.compat.v1.feature_column.input_layer`: the features of a batch as one matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core import context
from ..eager.variable import Variable
from ..feature_columns.column import DenseColumn, FeatureColumn, Features
from ..graph.builder import current_graph
from ..ops.array.concatenation import concat
from ..ops.array.shapes import reshape
from .variable_scopes import get_variable, variable_scope


class Tables:
    """The variables of columns, made when a column first asks for them."""

    def __init__(self, trainable: bool) -> None:
        self._trainable = trainable
        self._made: dict[tuple[Any, str], Variable] = {}

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Variable:  # fmt: skip
        """A variable of a column, or of those that share it."""
        key = self._key(feature_column, name)
        if key not in self._made:
            wanted = trainable and self._trainable
            self._made[key] = self._new(feature_column, name, shape, dtype, wanted, initializer)
        return self._made[key]

    @staticmethod
    def _new(
        column: Any, name: str, shape: Any, dtype: Any, trainable: bool, initializer: Any
    ) -> Any:
        graph = current_graph()
        scope = f"input_layer/{column.name}"
        if graph is not None and not graph.building_function:
            with variable_scope(scope):
                return get_variable(name, shape, dtype, initializer, trainable=trainable)
        with context.init_scope():
            return Variable(initializer(shape, dtype), trainable=trainable, name=f"{scope}/{name}")

    def get_variable(self, feature_column: Any, name: str) -> Variable:
        """The variable of that name."""
        return self._made[self._key(feature_column, name)]

    def variables_of(self, feature_column: Any) -> list[Variable]:
        whose = self._key(feature_column, "")[0]
        return [one for key, one in self._made.items() if key[0] == whose]

    @staticmethod
    def _key(feature_column: Any, name: str) -> tuple[Any, str]:
        return getattr(feature_column, "shared_name", feature_column.name), name


def input_layer(
    features: Mapping[str, Any], feature_columns: Any, weight_collections: Any = None,
    trainable: bool = True, cols_to_vars: dict[Any, Any] | None = None,
    cols_to_output_tensors: dict[Any, Any] | None = None,
) -> Any:  # fmt: skip
    """What dense columns make of features, side by side in the order of their names.

    features: by name, as `tf.io.parse_example` gives them. The result is float32 [batch, n].
    cols_to_vars, cols_to_output_tensors: dicts that are told the variables and the tensor of each
    column. Variables of embeddings are new with each call; keep the ones of `cols_to_vars`.

    >>> x = tf.feature_column.numeric_column("x")
    >>> low = tf.feature_column.indicator_column(
    ...     tf.feature_column.bucketized_column(x, [0.0]))
    >>> tf.compat.v1.feature_column.input_layer({"x": [-1.0, 2.0]}, [x, low]).numpy()
    array([[-1.,  1.,  0.],
           [ 2.,  0.,  1.]], dtype=float32)

    Raises:
        ValueError: no columns, one that is not dense, two of one name, or a feature that is absent.
    """
    is_one = isinstance(feature_columns, FeatureColumn)
    columns: list[Any] = [feature_columns] if is_one else [*feature_columns]
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    for column in columns:
        if not isinstance(column, DenseColumn):
            raise ValueError(
                "Items of feature_columns must be a DenseColumn; wrap a categorical one into "
                f"embedding_column or indicator_column. Given: {column}"
            )
    if len({column.name for column in columns}) != len(columns):
        raise ValueError(f"Duplicate feature column name found for columns: {columns}")
    found, tables = Features(features), Tables(trainable)
    parts: list[Any] = []
    for column in sorted(columns, key=lambda one: one.name):
        column.create_state(tables)
        width = int(np.prod(column.variable_shape.as_list()))
        parts.append(reshape(column.get_dense_tensor(found, tables), [-1, width]))
        if cols_to_vars is not None:
            cols_to_vars[column] = tables.variables_of(column)
        if cols_to_output_tensors is not None:
            cols_to_output_tensors[column] = parts[-1]
    return concat(parts, 1)
