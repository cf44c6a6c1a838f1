"""Means of what graphs see, run by run: `tf.compat.v1.metrics.mean` and what is made of it."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...eager.convert import convert_to_tensor
from ...ops.array.fill import ones_like, zeros_like
from ...ops.array.select import where
from ...ops.array.shapes import size
from ...ops.math.arithmetic import squared_difference
from ...ops.math.cast import cast
from ...ops.math.comparison import equal, less
from ...ops.math.division import divide_no_nan
from ...ops.math.elementwise import sqrt
from ...ops.math.reduce import reduce_sum
from ...ops.math.signs import abs
from .streaming import added, broadcast, collected, metric, of_one_rank, squeezed, variable


def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The mean of numbers of any shape.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. `weights` weigh elements; both results are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.mean(tf.constant([1.0, 2.0, 6.0]))
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    3.0

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "mean"):
        values = cast(convert_to_tensor(values), dtypes.float32)
        total, count = variable([], "total"), variable([], "count")
        if weights is None:
            seen: Any = cast(size(values), dtypes.float32)
        else:
            values, weights = of_one_rank(values, weights)
            weights = broadcast(cast(weights, dtypes.float32), values)
            values, seen = values * weights, reduce_sum(weights)
        value = divide_no_nan(total, count, name="value")
        update = divide_no_nan(
            added(total, reduce_sum(values)), added(count, seen, [values]), name="update_op"
        )
    return collected(value, update, metrics_collections, updates_collections)


def mean_tensor(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The mean of each element of tensors of one shape.

    The result is a pair of float32 tensors of the shape of the values: the value of all that was
    seen, and what sees the operands. `weights` weigh elements; both results are added to the
    collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.mean_tensor(tf.constant([1.0, 2.0]))
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update))
    [1. 2.]

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    with metric(name, "mean"):
        values = cast(convert_to_tensor(values), dtypes.float32)
        total = variable(values.shape, "total_tensor")
        count = variable(values.shape, "count_tensor")
        seen: Any = ones_like(values)
        if weights is not None:
            values, weights = of_one_rank(values, weights)
            weights = broadcast(cast(weights, dtypes.float32), values)
            values, seen = values * weights, seen * weights
        value = divide_no_nan(total, count, name="value")
        update = divide_no_nan(added(total, values), added(count, seen, [values]), name="update_op")
    return collected(value, update, metrics_collections, updates_collections)


def accuracy(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """How often predictions are the labels, of any dtype and of one shape.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.accuracy([1, 0, 1, 1], [1, 1, 1, 1])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    0.75

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    predictions, labels, weights = squeezed(predictions, labels, weights)
    if labels.dtype is not predictions.dtype:
        predictions = cast(predictions, labels.dtype)
    right = cast(equal(predictions, labels), dtypes.float32)
    return mean(right, weights, metrics_collections, updates_collections, name or "accuracy")


def mean_absolute_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The mean of how far predictions are from labels.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.mean_absolute_error([1.0, 2.0], [2.0, 5.0])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    2.0

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    predictions, labels, weights = squeezed(predictions, labels, weights)
    return mean(
        abs(predictions - labels),
        weights,
        metrics_collections,
        updates_collections,
        name or "mean_absolute_error",
    )


def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The mean of the squares of how far predictions are from labels.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.mean_squared_error([1.0, 2.0], [2.0, 5.0])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    5.0

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    predictions, labels, weights = squeezed(predictions, labels, weights)
    return mean(
        squared_difference(predictions, labels),
        weights,
        metrics_collections,
        updates_collections,
        name or "mean_squared_error",
    )


def root_mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The root of `mean_squared_error`.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.root_mean_squared_error([1.0, 2.0], [2.0, 5.0])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    2.2361

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    value, update = mean_squared_error(
        labels, predictions, weights, None, None, name or "root_mean_squared_error"
    )
    return collected(sqrt(value), sqrt(update), metrics_collections, updates_collections)


def mean_relative_error(
    labels: Any,
    predictions: Any,
    normalizer: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The mean of how far predictions are from labels, divided by `normalizer` (0 where that is).

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.mean_relative_error(
    ...         [1.0, 2.0], [2.0, 5.0], [1.0, 2.0])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    1.25

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    predictions, labels, weights = squeezed(predictions, labels, weights)
    predictions, divisor = of_one_rank(predictions, convert_to_tensor(normalizer))
    away = abs(labels - predictions)
    relative = where(equal(divisor, 0.0), zeros_like(labels), away / divisor)
    return mean(
        relative, weights, metrics_collections, updates_collections, name or "mean_relative_error"
    )


def mean_cosine_distance(
    labels: Any,
    predictions: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """1 less the mean product of unit vectors along `dim`.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.mean_cosine_distance([[1.0, 0.0]], [[0.6, 0.8]], 1)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    0.4

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    predictions, labels, weights = squeezed(predictions, labels, weights)
    products = reduce_sum(predictions * labels, [dim], keepdims=True)
    value, update = mean(products, weights, None, None, name or "mean_cosine_distance")
    return collected(1.0 - value, 1.0 - update, metrics_collections, updates_collections)


def percentage_below(
    values: Any,
    threshold: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """How many of the numbers are below a threshold, in parts of 1.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. `weights` weigh elements; both results are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.percentage_below([1.0, 2.0, 6.0, 8.0], 3.0)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    0.5

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
    """
    below = cast(less(convert_to_tensor(values), threshold), dtypes.float32)
    return mean(
        below, weights, metrics_collections, updates_collections,
        name or "percentage_below_threshold",
    )  # fmt: skip
