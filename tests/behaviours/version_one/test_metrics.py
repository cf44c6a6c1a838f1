"""`tf.compat.v1.metrics` in sessions, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1

LABELS = np.array([[1, 0, 1, 1, 0, 1], [0, 0, 1, 0, 1, 1]], np.int32)
SCORES = np.array([[0.9, 0.4, 0.3, 0.8, 0.7, 0.6], [0.2, 0.1, 0.9, 0.5, 0.4, 0.95]], np.float32)
WEIGHTS = np.array([[1.0, 0.5, 2.0, 0.0, 1.0, 1.0], [1.0, 1.0, 3.0, 1.0, 0.5, 1.0]], np.float32)
GUESSES = (SCORES > 0.45).astype(np.int32)

# What TensorFlow 2.21 gives after both rows.


def weighed(function: str, guesses: Any, **options: Any) -> Any:
    return function, guesses, options


CALLS = {
    "accuracy": (weighed("accuracy", GUESSES), 0.65385),
    "precision": (weighed("precision", GUESSES), 0.75),
    "recall": (weighed("recall", GUESSES), 0.70588),
    "false negatives": (weighed("false_negatives", GUESSES), 2.5),
    "mean overlap": (weighed("mean_iou", GUESSES, num_classes=2), 0.464286),
    "area": (weighed("auc", SCORES, num_thresholds=20), 0.813725),
    "careful area": (
        weighed("auc", SCORES, num_thresholds=20, curve="PR",
                summation_method="careful_interpolation"),
        0.907289,
    ),
    "precisions": (
        weighed("precision_at_thresholds", SCORES, thresholds=[0.2, 0.8]), [0.772727, 1]
    ),
    "sensitivity": (
        weighed("sensitivity_at_specificity", SCORES, specificity=0.7, num_thresholds=20), 0.70588
    ),
}  # fmt: skip


@pytest.mark.sampled
@behaviour("I10")
@pytest.mark.parametrize("name", CALLS)
def test_metrics_are_values_of_all_that_was_seen(name: str):
    (function, guesses, options), expected = CALLS[name]
    with tf.Graph().as_default(), v1.Session() as session:
        labels, weights = v1.placeholder(tf.int32, [6]), v1.placeholder(tf.float32, [6])
        given = v1.placeholder(guesses.dtype, [6])
        value, update = getattr(v1.metrics, function)(labels, given, weights=weights, **options)
        session.run(v1.local_variables_initializer())
        for row in range(2):
            fed = {labels: LABELS[row], weights: WEIGHTS[row], given: guesses[row]}
            session.run(update, fed)
        found = session.run(value)

    np.testing.assert_allclose(found, expected, atol=1e-5)


@behaviour("I10")
def test_variables_of_metrics_are_local():
    with tf.Graph().as_default():
        value, update = v1.metrics.mean([1.0], metrics_collections=["m"], updates_collections="u")

        assert [v.name for v in v1.local_variables()] == ["mean/total:0", "mean/count:0"]
        assert v1.get_collection("metric_variables") == v1.local_variables()
        assert (v1.trainable_variables(), v1.global_variables()) == ([], [])
        assert (v1.get_collection("m"), v1.get_collection("u")) == ([value], [update])
        assert (value.name, update.name) == ("mean/value:0", "mean/update_op:0")


@behaviour("I10")
def test_metrics_need_a_graph():
    with pytest.raises(RuntimeError, match="not supported when eager execution is enabled"):
        v1.metrics.accuracy([1], [1])


SCORES = np.sin(np.arange(24) * 1.3).reshape(4, 6).astype(np.float32)
CLASSES = np.array([[1, 2], [3, 5], [0, 5], [4, 1]])


@pytest.mark.sampled
@behaviour("I10")
@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("precision_at_k", {"k": 1}, 0.25),
        ("precision_at_k", {"k": 3}, 5 / 12),
        ("precision_at_k", {"k": 3, "class_id": 3}, 0.0),
        ("recall_at_k", {"k": 3, "weights": [1.0, 0.0, 2.0, 0.5]}, 9 / 14),
        ("recall_at_k", {"k": 3, "class_id": 1}, 0.5),
        ("average_precision_at_k", {"k": 3}, 19 / 48),
        ("average_precision_at_k", {"k": 3, "weights": [1.0, 2.0, 0.0, 1.0]}, 5 / 12),
    ],
)
def test_the_best_classes_are_among_the_labels(name: str, arguments: Any, expected: float):
    sparse = tf.sparse.SparseTensor
    for is_sparse in (False, True):
        with tf.Graph().as_default(), v1.Session() as session:
            places = [[row, column] for row in range(4) for column in range(2)]
            labels = sparse(places, CLASSES.ravel(), [4, 2]) if is_sparse else CLASSES
            value, update = getattr(v1.metrics, name)(labels, SCORES, **arguments)
            session.run(v1.local_variables_initializer())
            assert expected == pytest.approx(float(session.run(update)), abs=1e-4)
            assert expected == pytest.approx(float(session.run(value)), abs=1e-4)
            assert value.dtype == tf.float64
