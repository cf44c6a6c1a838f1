"""`tf.compat.v1.losses`: losses with weights, which the graph collects."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "version_one.losses": (
        "Reduction=LossReduction absolute_difference add_loss compute_weighted_loss "
        "cosine_distance get_losses "
        "get_regularization_loss get_regularization_losses get_total_loss hinge_loss huber_loss "
        "log_loss mean_pairwise_squared_error mean_squared_error sigmoid_cross_entropy "
        "softmax_cross_entropy sparse_softmax_cross_entropy"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.losses")
