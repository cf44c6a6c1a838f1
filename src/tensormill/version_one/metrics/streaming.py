"""What metrics are made of: local variables to which graphs add, run by run."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from ...core import context, dtypes
from ...core.process.with_blocks import block
from ...eager.convert import convert_to_tensor
from ...eager.scopes import control_dependencies
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from ...ops.array.broadcasting import broadcast_to
from ...ops.array.fill import zeros
from ...ops.array.indexed_slices import IndexedSlices
from ...ops.array.shapes import expand_dims, shape_of, squeeze
from ..variable import VariableV1
from ..variable_scopes import variable_scope

WHERE = [GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES]


@block
def metric(name: str | None, default_name: str) -> Generator[None]:
    """The scope of a metric's variables and operations.

    Raises:
        RuntimeError: operations run at once here.
    """
    if not context.building_graph():
        raise RuntimeError(
            f"tf.compat.v1.metrics.{default_name} is not supported when eager execution is enabled:"
            " use tf.keras.metrics"
        )
    with variable_scope(name, default_name):
        yield


def variable(shape: Any, name: str, dtype: Any = dtypes.float32) -> Any:
    """A local variable that begins with zeros."""
    return VariableV1(lambda: zeros(shape, dtype), trainable=False, collections=WHERE, name=name)


def added(variable: Any, amount: Any, after: Sequence[Any] = ()) -> Any:
    """The value of a variable once `amount` has been added, after some tensors are known."""
    with control_dependencies(list(after)):
        return convert_to_tensor(variable.assign_add(amount))


def scattered(variable: Any, indices: Any, amounts: Any) -> Any:
    """The value of a variable once amounts have been added at indices."""
    return convert_to_tensor(variable.scatter_add(IndexedSlices(amounts, indices)))


def collected(value: Any, update: Any, values: Any, updates: Any) -> tuple[Any, Any]:
    """Both, after they were added to the collections that are named."""
    graph = get_default_graph()
    if values:
        graph.add_to_collections(values, value)
    if updates:
        graph.add_to_collections(updates, update)
    return value, update


def aggregate_variable(v: Any, collections: Any) -> Any:
    """The value of a variable, which is added to the collections that are named."""
    return collected(v.value(), None, collections, None)[0]


def squeezed(predictions: Any, labels: Any, weights: Any) -> tuple[Any, Any, Any]:
    """All of one rank: an axis more of size 1, the last one, is dropped.

    Raises:
        ValueError: the shapes do not go together.
    """
    predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
    more = _ranks_more(predictions, labels)
    if more == 1 and predictions.shape[-1] == 1:
        predictions = squeeze(predictions, [-1])
    elif more == -1 and labels.shape[-1] == 1:
        labels = squeeze(labels, [-1])
    predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    _, weights = of_one_rank(predictions, convert_to_tensor(weights))
    return predictions, labels, weights


def _ranks_more(one: Any, other: Any) -> int:
    """How many axes one tensor has more; 0 where nobody knows."""
    if one.shape.rank is None or other.shape.rank is None:
        return 0
    return one.shape.rank - other.shape.rank


def of_one_rank(values: Any, weights: Any) -> tuple[Any, Any]:
    """`values`, and weights with as many axes unless they are one number."""
    weights = convert_to_tensor(weights)
    more = _ranks_more(weights, values)
    if weights.shape.rank == 0 or not more:
        return values, weights
    if more == 1 and weights.shape[-1] == 1:
        return values, squeeze(weights, [-1])
    return values, expand_dims(weights, -1) if more == -1 else weights


def broadcast(weights: Any, values: Any) -> Any:
    """Weights in the shape of the values.

    Raises:
        ValueError: an axis of theirs is neither 1 nor that of the values.
    """
    known, wanted = weights.shape, values.shape
    if known.rank not in (None, 0) and wanted.rank is not None:
        pairs = list(zip(known.as_list(), wanted.as_list(), strict=False))
        if known.rank != wanted.rank or any(
            None not in pair and pair[0] not in (1, pair[1]) for pair in pairs
        ):
            raise ValueError(f"weights can not be broadcast to values: {known} and {wanted}")
    return broadcast_to(weights, shape_of(values))
