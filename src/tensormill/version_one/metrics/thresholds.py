"""What would be right if predictions above a threshold were true, run by run."""

from __future__ import annotations

from typing import Any, Final

from ...core import dtypes
from ...eager.convert import convert_to_tensor
from ...eager.scopes import control_dependencies
from ...ops.array.gather import gather
from ...ops.array.select import where
from ...ops.array.shapes import reshape
from ...ops.checks import assertions
from ...ops.math.arithmetic import maximum, minimum
from ...ops.math.cast import cast
from ...ops.math.comparison import equal, greater, logical_and, logical_not
from ...ops.math.division import divide_no_nan
from ...ops.math.elementwise import log
from ...ops.math.reduce import reduce_min, reduce_sum
from ...ops.math.scan import argmax, argmin, cumsum
from ...ops.math.signs import abs
from .streaming import added, broadcast, collected, metric, squeezed, variable

KINDS = ("true_positives", "false_negatives", "true_negatives", "false_positives")
LETTERS: Final[dict[str, str]] = dict(zip(("tp", "fn", "tn", "fp"), KINDS, strict=True))
LITTLE = 1e-7


def _at_thresholds(
    labels: Any, predictions: Any, thresholds: list[float], weights: Any, kinds: tuple[str, ...]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """How much there is of each of `kinds`, for each threshold: so far, and with these operands."""
    with control_dependencies(_in_unit_interval(predictions)):
        predictions, labels, weights = squeezed(
            cast(predictions, dtypes.float32), cast(labels, dtypes.bool_), weights
        )
        rows = reshape(predictions, [1, -1])
    above = greater(rows, convert_to_tensor(thresholds, dtypes.float32)[:, None])
    truth = reshape(labels, [1, -1])
    weighing = None
    if weights is not None:
        weighing = reshape(broadcast(cast(weights, dtypes.float32), predictions), [1, -1])
    found = {
        "true_positives": lambda: logical_and(truth, above),
        "false_negatives": lambda: logical_and(truth, logical_not(above)),
        "true_negatives": lambda: logical_and(logical_not(truth), logical_not(above)),
        "false_positives": lambda: logical_and(logical_not(truth), above),
    }
    values: dict[str, Any] = {}
    updates: dict[str, Any] = {}
    for kind in kinds:
        count = variable([len(thresholds)], kind)
        seen = cast(found[kind](), dtypes.float32)
        seen = seen if weighing is None else seen * weighing
        values[kind], updates[kind] = count.value(), added(count, reduce_sum(seen, 1))
    return values, updates


def confusion_matrix_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: list[float],
    weights: Any = None,
    includes: tuple[str, ...] | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same with the letters of the kinds, as libraries ask for them.

    Raises:
        ValueError: there is no such kind.
    """
    wanted = tuple(LETTERS) if includes is None else includes
    for one in wanted:
        if one not in LETTERS:
            raise ValueError(f"Invalid key: {one}.")
    kinds = tuple(LETTERS[one] for one in wanted)
    found = _at_thresholds(labels, predictions, thresholds, weights, kinds)
    values, updates = ({one: part[LETTERS[one]] for one in wanted} for part in found)
    return values, updates


def _in_unit_interval(predictions: Any) -> list[Any]:
    text = "predictions must be in [0, 1]"
    checks = (
        assertions.assert_greater_equal(predictions, cast(0.0, predictions.dtype), message=text),
        assertions.assert_less_equal(predictions, cast(1.0, predictions.dtype), message=text),
    )
    return [one for one in checks if one is not None]


def _spread(count: int) -> list[float]:
    """Thresholds from a little below 0 to a little above 1."""
    inner = [(number + 1) / (count - 1) for number in range(count - 2)]
    return [-LITTLE, *inner, 1.0 + LITTLE]


def true_positives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """`true_positives` of predictions in [0, 1], for each of a list of thresholds.

    The result is a pair of float32 vectors, an element for each threshold: the value of all that
    was seen, and what sees the operands. Labels and predictions have one shape, whose elements
    `weights` weigh; both results are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.true_positives_at_thresholds(
    ...         tf.constant([1, 0, 1]), tf.constant([0.9, 0.6, 0.3]), [0.5, 0.95])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update))
    [1. 0.]

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    with metric(name, "true_positives"):
        given = convert_to_tensor(predictions)
        values, updates = _at_thresholds(labels, given, thresholds, weights, ("true_positives",))
    found = values["true_positives"], updates["true_positives"]
    return collected(*found, metrics_collections, updates_collections)


def false_negatives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """`false_negatives` of predictions in [0, 1], for each of a list of thresholds.

    The result is a pair of float32 vectors, an element for each threshold: the value of all that
    was seen, and what sees the operands. Labels and predictions have one shape, whose elements
    `weights` weigh; both results are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.false_negatives_at_thresholds(
    ...         tf.constant([1, 0, 1]), tf.constant([0.9, 0.6, 0.3]), [0.5, 0.95])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update))
    [1. 2.]

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    with metric(name, "false_negatives"):
        given = convert_to_tensor(predictions)
        values, updates = _at_thresholds(labels, given, thresholds, weights, ("false_negatives",))
    found = values["false_negatives"], updates["false_negatives"]
    return collected(*found, metrics_collections, updates_collections)


def true_negatives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """`true_negatives` of predictions in [0, 1], for each of a list of thresholds.

    The result is a pair of float32 vectors, an element for each threshold: the value of all that
    was seen, and what sees the operands. Labels and predictions have one shape, whose elements
    `weights` weigh; both results are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.true_negatives_at_thresholds(
    ...         tf.constant([1, 0, 1]), tf.constant([0.9, 0.6, 0.3]), [0.5, 0.95])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update))
    [0. 1.]

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    with metric(name, "true_negatives"):
        given = convert_to_tensor(predictions)
        values, updates = _at_thresholds(labels, given, thresholds, weights, ("true_negatives",))
    found = values["true_negatives"], updates["true_negatives"]
    return collected(*found, metrics_collections, updates_collections)


def false_positives_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """`false_positives` of predictions in [0, 1], for each of a list of thresholds.

    The result is a pair of float32 vectors, an element for each threshold: the value of all that
    was seen, and what sees the operands. Labels and predictions have one shape, whose elements
    `weights` weigh; both results are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.false_positives_at_thresholds(
    ...         tf.constant([1, 0, 1]), tf.constant([0.9, 0.6, 0.3]), [0.5, 0.95])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update))
    [1. 0.]

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    with metric(name, "false_positives"):
        given = convert_to_tensor(predictions)
        values, updates = _at_thresholds(labels, given, thresholds, weights, ("false_positives",))
    found = values["false_positives"], updates["false_positives"]
    return collected(*found, metrics_collections, updates_collections)


def precision_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """`precision` of predictions in [0, 1], for each of a list of thresholds.

    The result is a pair of float32 vectors, an element for each threshold: the value of all that
    was seen, and what sees the operands. Labels and predictions have one shape, whose elements
    `weights` weigh; both results are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.precision_at_thresholds(
    ...         tf.constant([1, 0, 1]), tf.constant([0.9, 0.6, 0.3]), [0.5, 0.7])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update).round(3))
    [0.5 1. ]

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    with metric(name, "precision_at_thresholds"):
        kinds = ("true_positives", "false_positives")
        given = convert_to_tensor(predictions)
        found = _at_thresholds(labels, given, thresholds, weights, kinds)
        value, update = (one[kinds[0]] / (LITTLE + one[kinds[0]] + one[kinds[1]]) for one in found)
    return collected(value, update, metrics_collections, updates_collections)


def recall_at_thresholds(
    labels: Any,
    predictions: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """`recall` of predictions in [0, 1], for each of a list of thresholds.

    The result is a pair of float32 vectors, an element for each threshold: the value of all that
    was seen, and what sees the operands. Labels and predictions have one shape, whose elements
    `weights` weigh; both results are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.recall_at_thresholds(
    ...         tf.constant([1, 0, 1]), tf.constant([0.9, 0.6, 0.3]), [0.5, 0.7])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update).round(3))
    [0.5 0.5]

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the shapes do not go together.
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    with metric(name, "recall_at_thresholds"):
        kinds = ("true_positives", "false_negatives")
        given = convert_to_tensor(predictions)
        found = _at_thresholds(labels, given, thresholds, weights, kinds)
        value, update = (one[kinds[0]] / (LITTLE + one[kinds[0]] + one[kinds[1]]) for one in found)
    return collected(value, update, metrics_collections, updates_collections)


def sensitivity_at_specificity(
    labels: Any,
    predictions: Any,
    specificity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The recall at the threshold where the specificity is nearest to `specificity`.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.sensitivity_at_specificity(
    ...         tf.constant([1, 0, 1]), tf.constant([0.9, 0.6, 0.3]), 0.9)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    0.5

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the specificity is not in [0, 1].
    """
    if not 0 <= specificity <= 1:
        raise ValueError(f"`specificity` must be in [0, 1], not {specificity}")
    with metric(name, "sensitivity_at_specificity"):
        given = convert_to_tensor(predictions)
        found = _at_thresholds(labels, given, _spread(num_thresholds), weights, KINDS)
        value, update = (_sensitivity(one, specificity) for one in found)
    return collected(value, update, metrics_collections, updates_collections)


def _sensitivity(found: dict[str, Any], specificity: float) -> Any:
    tp, fn, tn, fp = (found[kind] for kind in KINDS)
    place = argmin(abs(tn / (tn + fp + LITTLE) - specificity), 0)
    return gather(tp, place) / (gather(tp, place) + gather(fn, place) + LITTLE)


def specificity_at_sensitivity(
    labels: Any,
    predictions: Any,
    sensitivity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The specificity at the last threshold where the recall is nearest to `sensitivity`.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.specificity_at_sensitivity(
    ...         tf.constant([1, 0, 1]), tf.constant([0.9, 0.6, 0.3]), 0.5)
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    1.0

    Raises:
        RuntimeError: operations run at once here.
        ValueError: the sensitivity is not in [0, 1].
    """
    if not 0 <= sensitivity <= 1:
        raise ValueError(f"`sensitivity` must be in [0, 1], not {sensitivity}")
    with metric(name, "specificity_at_sensitivity"):
        given = convert_to_tensor(predictions)
        found = _at_thresholds(labels, given, _spread(num_thresholds), weights, KINDS)
        value, update = (_specificity(one, sensitivity) for one in found)
    return collected(value, update, metrics_collections, updates_collections)


def _specificity(found: dict[str, Any], sensitivity: float) -> Any:
    tp, fn, tn, fp = (found[kind] for kind in KINDS)
    away = abs(tp / (tp + fn + LITTLE) - sensitivity)
    nearest = cast(equal(away, reduce_min(away)), dtypes.int64)
    place = argmax(cumsum(nearest), 0)  # the first where all have come: the last of the nearest
    return gather(tn, place) / (gather(tn, place) + gather(fp, place) + LITTLE)


def auc(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Any = None,
) -> tuple[Any, Any]:
    """The area below a curve of predictions in [0, 1]: "ROC" (recall over false alarms), or "PR"
    (precision over recall), through `num_thresholds` points.

    The result is a pair of float32 scalars: the value of all that was seen, and what sees the
    operands. Labels and predictions have one shape, whose elements `weights` weigh; both results
    are added to the collections that are named.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.auc(
    ...         tf.constant([1, 0, 1]), tf.constant([0.9, 0.6, 0.3]))
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     seen = session.run(update)
    ...     print(round(float(session.run(value)), 4))
    0.5

    Raises:
        RuntimeError: operations run at once here.
        ValueError: there is no such curve, or no such sum.
        InvalidArgumentError: a prediction is not in [0, 1].
    """
    if curve not in ("ROC", "PR"):
        raise ValueError(f"`curve` must be 'ROC' or 'PR', not {curve!r}")
    if summation_method not in SUMS and summation_method != "careful_interpolation":
        raise ValueError(f"there is no `summation_method` {summation_method!r}")
    points = _spread(num_thresholds)
    if thresholds is not None:
        points = [-LITTLE, *sorted(thresholds), 1.0 + LITTLE]
    with metric(name, "auc"):
        given = convert_to_tensor(predictions)
        values, updates = _at_thresholds(labels, given, points, weights, KINDS)
        value, update = (
            _area(one, curve, summation_method, name)
            for one, name in ((values, "value"), (updates, "update_op"))
        )
    return collected(value, update, metrics_collections, updates_collections)


# How high the curve is between two points.
SUMS: Any = {
    "trapezoidal": lambda left, right: (left + right) / 2.0,
    "minoring": minimum,
    "majoring": maximum,
}


def _area(found: dict[str, Any], curve: str, method: str, name: str) -> Any:
    tp, fn, tn, fp = (found[kind] for kind in KINDS)
    if method == "careful_interpolation":
        if curve == "PR":
            return _careful_area(tp, fp, fn, name)
        method = "trapezoidal"
    little = 1e-6
    recall = (tp + little) / (tp + fn + little)
    if curve == "ROC":
        x, y = fp / (fp + tn + little), recall
    else:
        x, y = recall, (tp + little) / (tp + fp + little)
    return reduce_sum((x[:-1] - x[1:]) * SUMS[method](y[:-1], y[1:]), name=name)


def _careful_area(tp: Any, fp: Any, fn: Any, name: str) -> Any:
    """Below precision over recall, true positives being linear in positives between two points.

    (Davis and Goadrich 2006.)
    """
    gained = tp[:-1] - tp[1:]
    positives = tp + fp
    slope = divide_no_nan(gained, maximum(positives[:-1] - positives[1:], 0.0))
    intercept = tp[1:] - slope * positives[1:]
    ratio = where(
        logical_and(positives[:-1] > 0.0, positives[1:] > 0.0),
        divide_no_nan(positives[:-1], maximum(positives[1:], 0.0)),
        1.0,
    )
    parts = divide_no_nan(slope * (gained + intercept * log(ratio)), maximum(tp[1:] + fn[1:], 0.0))
    return reduce_sum(parts, name=name)
