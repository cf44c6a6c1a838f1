"""How often labels and predictions are true and false together, run by run."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...eager.convert import convert_to_tensor
from ...ops.array.fill import ones, ones_like, zeros_like
from ...ops.array.grids import confusion_matrix
from ...ops.array.select import where
from ...ops.array.shapes import reshape, size
from ...ops.linalg.diagonals import diag_part
from ...ops.math.cast import cast
from ...ops.math.comparison import equal, greater, logical_and, logical_not, not_equal
from ...ops.math.division import divide_no_nan
from ...ops.math.reduce import reduce_mean, reduce_sum
from .streaming import (
    added,
    broadcast,
    collected,
    metric,
    of_one_rank,
    scattered,
    squeezed,
    variable,
)


def _counted(right: Any, weights: Any) -> tuple[Any, Any]:
    """How many elements are true, so far and with these."""
    count = variable([], "count")
    seen = cast(right, dtypes.float32)
    if weights is not None:
        seen, weights = of_one_rank(seen, cast(weights, dtypes.float32))
        seen = seen * broadcast(weights, seen)
    return count.value(), added(count, reduce_sum(seen))


def _truths(labels: Any, predictions: Any, weights: Any) -> tuple[Any, Any, Any]:
    predictions, labels, weights = squeezed(
        cast(predictions, dtypes.bool_), cast(labels, dtypes.bool_), weights
    )
    return labels, predictions, weights


def true_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """How often both are true; numbers are true unless they are 0.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.true_positives([1, 0, 1, 1], [1, 1, 0, 1])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    2.0

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "true_positives"):
        labels, predictions, weights = _truths(labels, predictions, weights)
        value, update = _counted(logical_and(labels, predictions), weights)
    return collected(value, update, metrics_collections, updates_collections)


def false_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """How often a prediction is true and its label is not; numbers are true unless they are 0.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.false_positives([1, 0, 1, 1], [1, 1, 0, 1])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    1.0

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "false_positives"):
        labels, predictions, weights = _truths(labels, predictions, weights)
        value, update = _counted(logical_and(logical_not(labels), predictions), weights)
    return collected(value, update, metrics_collections, updates_collections)


def false_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """How often a label is true and its prediction is not; numbers are true unless they are 0.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.false_negatives([1, 0, 1, 1], [1, 1, 0, 1])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    1.0

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "false_negatives"):
        labels, predictions, weights = _truths(labels, predictions, weights)
        value, update = _counted(logical_and(labels, logical_not(predictions)), weights)
    return collected(value, update, metrics_collections, updates_collections)


def true_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """How often both are false; numbers are true unless they are 0.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.true_negatives([1, 0, 1, 1], [1, 1, 0, 1])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    0.0

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "true_negatives"):
        labels, predictions, weights = _truths(labels, predictions, weights)
        value, update = _counted(
            logical_and(logical_not(labels), logical_not(predictions)), weights
        )
    return collected(value, update, metrics_collections, updates_collections)


def precision(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """How many of the true predictions have true labels, in parts of 1.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.precision([1, 0, 1, 1], [1, 1, 0, 1])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    0.6667

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "precision"):
        labels, predictions, weights = _truths(labels, predictions, weights)
        right, rights = true_positives(labels, predictions, weights)
        wrong, wrongs = false_positives(labels, predictions, weights)
        value = _part(right, wrong, "value")
        update = _part(rights, wrongs, "update_op")
    return collected(value, update, metrics_collections, updates_collections)


def recall(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """How many of the true labels have true predictions, in parts of 1.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.recall([1, 0, 1, 1], [1, 1, 0, 1])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    0.6667

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "recall"):
        labels, predictions, weights = _truths(labels, predictions, weights)
        right, rights = true_positives(labels, predictions, weights)
        wrong, wrongs = false_negatives(labels, predictions, weights)
        value = _part(right, wrong, "value")
        update = _part(rights, wrongs, "update_op")
    return collected(value, update, metrics_collections, updates_collections)


def _part(right: Any, wrong: Any, name: str) -> Any:
    return divide_no_nan(right, right + wrong, name=name)


def mean_iou(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The mean, over classes, of how many elements are of a class by label and prediction both, in
    parts of those that are by either.

    The result is a pair: the value of all that was seen, a float32 scalar, and what sees the
    operands (it gives the confusion matrix, float64 [num_classes, num_classes]). Labels and
    predictions have one shape, whose elements `weights` weigh; both are added to the collections
    that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.mean_iou([1, 0, 1, 1], [1, 1, 0, 1], 2)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    0.25

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "mean_iou"):
        total, update = confusions(labels, predictions, num_classes, weights)
        value = _mean_overlap(total)
    return collected(value, update, metrics_collections, updates_collections)


def confusions(labels: Any, predictions: Any, num_classes: int, weights: Any) -> tuple[Any, Any]:
    """The confusion matrix of all that was seen, and what adds to it."""
    total = variable([num_classes, num_classes], "total_confusion_matrix", dtypes.float64)
    predictions, labels, weights = squeezed(predictions, labels, weights)
    weighing = None if weights is None else reshape(broadcast(weights, predictions), [-1])
    seen = confusion_matrix(
        reshape(cast(labels, dtypes.int64), [-1]), reshape(cast(predictions, dtypes.int64), [-1]),
        num_classes, weighing, dtypes.float64,
    )  # fmt: skip
    before = total.value()
    return before, added(total, seen)


def _mean_overlap(matrix: Any) -> Any:
    rows, columns = (cast(reduce_sum(matrix, axis), dtypes.float32) for axis in (0, 1))
    both = cast(diag_part(matrix), dtypes.float32)
    either = rows + columns - both
    present = reduce_sum(cast(not_equal(either, 0.0), dtypes.float32))
    overlaps = both / where(greater(either, 0.0), either, ones_like(either))
    return where(greater(present, 0.0), reduce_sum(overlaps) / present, zeros_like(present))


def mean_per_class_accuracy(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The mean, over classes, of how often elements of a class are predicted to be of it.

    The result is a pair: the value of all that was seen, a float32 scalar, and what sees the
    operands (it gives that of each class). Labels and predictions have one shape, whose elements
    `weights` weigh; both results are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.mean_per_class_accuracy([1, 0, 1], [1, 1, 1], 2)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update), session.run(value))
    [0. 1.] 0.5

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "mean_accuracy"):
        labels = reshape(cast(labels, dtypes.int64), [-1])
        predictions = reshape(convert_to_tensor(predictions), [-1])
        total, count = variable([num_classes], "total"), variable([num_classes], "count")
        seen: Any = ones([size(labels)], dtypes.float32)
        if labels.dtype is not predictions.dtype:
            predictions = cast(predictions, labels.dtype)
        right: Any = cast(equal(predictions, labels), dtypes.float32)
        if weights is not None:
            weighing = reshape(cast(weights, dtypes.float32), [-1])
            seen, right = seen * weighing, right * weighing
        value = reduce_mean(divide_no_nan(count, total), name="mean_accuracy")
        update = divide_no_nan(
            scattered(count, labels, right), scattered(total, labels, seen), name="update_op"
        )
    return collected(value, update, metrics_collections, updates_collections)
