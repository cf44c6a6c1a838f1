"""`tf.compat.v1.metrics`: values of all that a graph has seen."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "version_one.metrics.at_k": (
        "average_precision_at_k precision_at_k precision_at_top_k recall_at_k recall_at_top_k "
        "sparse_average_precision_at_k=average_precision_at_k sparse_precision_at_k=precision_at_k"
    ),
    "version_one.metrics.counts": (
        "false_negatives false_positives mean_iou mean_per_class_accuracy precision recall "
        "true_negatives true_positives"
    ),
    "version_one.metrics.means": (
        "accuracy mean mean_absolute_error mean_cosine_distance mean_relative_error "
        "mean_squared_error mean_tensor percentage_below root_mean_squared_error"
    ),
    "version_one.metrics.thresholds": (
        "auc false_negatives_at_thresholds false_positives_at_thresholds precision_at_thresholds "
        "recall_at_thresholds sensitivity_at_specificity specificity_at_sensitivity "
        "true_negatives_at_thresholds true_positives_at_thresholds"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.metrics")
