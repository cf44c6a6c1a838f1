"""`tf.compat.v1.feature_column.input_layer`: the features of a batch as one matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core import context
from ...eager.variable import Variable
from ...feature_columns.column import DenseColumn, FeatureColumn, Features
from ...graph.builder import current_graph
from ...graph.by_hand.collections import GraphKeys
from ...ops.array.concatenation import concat
from ..variable_scopes import get_variable, variable_scope
from .shared_tables import owner, shared


class Tables:
    """The variables of columns, made when a column first asks for them."""

    def __init__(self, collections: Any, trainable: bool) -> None:
        known = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
        self._collections = list(dict.fromkeys([*(collections or ()), *known]))
        self._trainable = trainable
        self._made: dict[tuple[str, str], Variable] = {}
        self.new: list[Variable] = []

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Variable:  # fmt: skip
        """A variable of a column, or of those that share it."""
        key = owner(feature_column), name
        if key not in self._made:
            wanted = trainable and self._trainable
            self._made[key] = shared(
                feature_column, lambda: self._new(name, shape, dtype, wanted, initializer)
            )
        return self._made[key]

    def _new(self, name: str, shape: Any, dtype: Any, trainable: bool, initializer: Any) -> Any:
        graph = current_graph()
        if graph is not None and not graph.building_function:
            made = get_variable(
                name, shape, dtype, initializer, trainable=trainable, collections=self._collections
            )
        else:
            with context.init_scope():
                made = Variable(initializer(shape, dtype), trainable=trainable, name=name)
        self.new.append(made)
        return made

    def get_variable(self, feature_column: Any, name: str) -> Variable:
        """The variable of that name."""
        return self._made[owner(feature_column), name]


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
    found, tables = Features(features), Tables(weight_collections, trainable)
    with variable_scope(None, default_name="input_layer"):
        parts: list[Any] = []
        for column in sorted(columns, key=lambda one: one.name):
            with variable_scope(None, default_name=owner(column)):
                variables, part = _part(column, found, tables)
            parts.append(part)
            if cols_to_vars is not None:
                cols_to_vars[column] = variables
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = part
        return concat(parts, 1)


def _part(column: Any, found: Features, tables: Tables) -> tuple[list[Variable], Any]:
    """The variables that a column is the first to ask for, and its tensor, [batch, width]."""
    before = len(tables.new)
    column.create_state(tables)
    part = column.get_rows(found, tables)
    return tables.new[before:], part
