"""How good the k predictions of the highest scores are, run by run."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import dtypes
from ...eager.convert import convert_to_tensor
from ...ops.array.fill import ones_like
from ...ops.array.fill import range as range_of
from ...ops.array.shapes import expand_dims, shape_of
from ...ops.array.sorting import top_k
from ...ops.linalg.band_parts import band_part
from ...ops.math.arithmetic import minimum
from ...ops.math.cast import cast
from ...ops.math.comparison import (
    equal,
    greater_equal,
    less,
    logical_and,
    logical_not,
    not_equal,
)
from ...ops.math.division import divide_no_nan
from ...ops.math.reduce import reduce_any, reduce_sum
from ...ops.math.scan import cumsum
from ...ops.sparse.conversion import to_dense
from ...ops.sparse.sparse_tensor import SparseTensor
from .streaming import added, broadcast, collected, metric, of_one_rank, variable

NO_LABEL = int(np.iinfo(np.int64).min)


class _Matches:
    """Which of the predictions of each example are among its labels, and which labels are found.

    labels: int64 [*n, labels] or [*n], or a SparseTensor; predictions: int64 [*n, k]. Of equal
    ones the first counts.
    """

    def __init__(self, labels: Any, predictions: Any, class_id: int | None = None) -> None:
        predictions = cast(convert_to_tensor(predictions), dtypes.int64)
        if isinstance(labels, SparseTensor):
            labels = to_dense(labels, NO_LABEL, validate_indices=False)
        labels = cast(convert_to_tensor(labels), dtypes.int64)
        if labels.shape.rank is not None and labels.shape.rank + 1 == predictions.shape.rank:
            labels = expand_dims(labels, -1)
        alike = equal(expand_dims(predictions, -1), expand_dims(labels, -2))
        counts = logical_and(not_equal(labels, NO_LABEL), _is_first(labels))
        wanted = _is_first(predictions)
        if class_id is not None:
            wanted = equal(predictions, class_id)
            counts = logical_and(counts, equal(labels, class_id))
        found = reduce_any(alike, -1)
        self.labels, self.counts = labels, counts
        self.right = logical_and(found, wanted)
        self.wrong = logical_and(logical_not(found), wanted)
        self.missed = logical_and(counts, logical_not(reduce_any(alike, -2)))


def _is_first(classes: Any) -> Any:
    """Whether a class is not among those before it."""
    same = equal(expand_dims(classes, -1), expand_dims(classes, -2))
    not_after = band_part(ones_like(cast(same, dtypes.int32)), 0, -1)
    return logical_not(reduce_any(logical_and(same, equal(not_after, 0)), -1))


def _summed(what: str, found: Any, weights: Any) -> tuple[Any, Any]:
    """How many there are, so far and with these."""
    each = reduce_sum(cast(found, dtypes.float64), -1)
    total = variable([], what, dtypes.float64)
    return total.value(), added(total, reduce_sum(_weighed(each, weights)))


def _weighed(each: Any, weights: Any) -> Any:
    if weights is None:
        return each
    _, weights = of_one_rank(each, cast(convert_to_tensor(weights), dtypes.float64))
    return each * broadcast(weights, each)


def _best(predictions: Any, k: int) -> Any:
    return top_k(convert_to_tensor(predictions), k)[1]


def _called(what: str, k: int | None, class_id: int | None) -> str:
    own = f"{what}_at_{'k' if k is None else k}"
    return own if class_id is None else f"{own}_class{class_id}"


def precision_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Which part of the predicted classes are among the labels, float64.

    labels: int64 [*n, labels] or [*n], or a SparseTensor. predictions_idx: classes [*n, k].
    class_id: the only class that counts. weights: [*n]. The result is a pair: the value of all that
    was seen, and what sees the operands; both are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.precision_at_top_k([[1, 2]], [[2, 3]], 2)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(float(session.run(update)))
    0.5

    Raises:
        RuntimeError: operations run at once here.
    """
    with metric(name, _called("precision", k, class_id)):
        found = _Matches(labels, predictions_idx, class_id)
        right, now_right = _summed(_called("true_positive", k, class_id), found.right, weights)
        wrong, now_wrong = _summed(_called("false_positive", k, class_id), found.wrong, weights)
        value, update = right / (right + wrong), now_right / (now_right + now_wrong)
    return collected(value, update, metrics_collections, updates_collections)


def precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Which part of the k classes of the highest scores are among the labels, float64.

    predictions: scores [*n, classes]; the rest as of `precision_at_top_k`.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.precision_at_k([[0]], [[0.1, 0.7, 0.2]], 2)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(float(session.run(update)))
    0.0

    Raises:
        RuntimeError: operations run at once here.
    """
    return precision_at_top_k(
        labels, _best(predictions, k), k, class_id, weights, metrics_collections,
        updates_collections, name,
    )  # fmt: skip


def recall_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Which part of the labels are among the predicted classes, float64.

    The arguments and results are those of `precision_at_top_k`.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.recall_at_top_k([[1, 2, 4, 5]], [[2, 3]], 2)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(float(session.run(update)))
    0.25

    Raises:
        RuntimeError: operations run at once here.
    """
    with metric(name, _called("recall", k, class_id)):
        found = _Matches(labels, predictions_idx, class_id)
        right, now_right = _summed(_called("true_positive", k, class_id), found.right, weights)
        missed, now_missed = _summed(_called("false_negative", k, class_id), found.missed, weights)
        value, update = right / (right + missed), now_right / (now_right + now_missed)
    return collected(value, update, metrics_collections, updates_collections)


def recall_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Which part of the labels are among the k classes of the highest scores, float64.

    predictions: scores [*n, classes]; the rest as of `precision_at_top_k`.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.recall_at_k([[1]], [[0.1, 0.7, 0.2]], 2)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(float(session.run(update)))
    1.0

    Raises:
        RuntimeError: operations run at once here.
    """
    return recall_at_top_k(
        labels, _best(predictions, k), k, class_id, weights, metrics_collections,
        updates_collections, name,
    )  # fmt: skip


def average_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The mean, over examples, of the average precision of the k classes of the highest scores.

    Of an example it is the sum, over its right classes, of the precision of those down to it, by
    the number of labels that are classes, k at most; float64. The arguments are those of
    `precision_at_k`.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.average_precision_at_k([[2]], [[0.1, 0.7, 0.2]], 2)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(float(session.run(update)))
    0.5

    Raises:
        RuntimeError: operations run at once here.
    """
    with metric(name, _called("average_precision", k, None)):
        found = _Matches(labels, _best(predictions, k))
        right = cast(found.right, dtypes.float64)
        precisions = cumsum(right, -1) / cast(range_of(1, k + 1), dtypes.float64)
        counts = found.counts
        if not isinstance(labels, SparseTensor):  # of these TensorFlow counts those in bounds
            classes = cast(shape_of(convert_to_tensor(predictions))[-1], dtypes.int64)
            counts = logical_and(greater_equal(found.labels, 0), less(found.labels, classes))
        relevant = reduce_sum(cast(counts, dtypes.float64), -1)
        each = reduce_sum(precisions * right, -1) / minimum(relevant, float(k))
        total, weight = variable([], "total", dtypes.float64), variable([], "max", dtypes.float64)
        now = added(total, reduce_sum(_weighed(each, weights)))
        now_weight = added(weight, reduce_sum(_weighed(ones_like(each), weights)))
        value = divide_no_nan(total.value(), weight.value())
        update = divide_no_nan(now, now_weight)
    return collected(value, update, metrics_collections, updates_collections)
