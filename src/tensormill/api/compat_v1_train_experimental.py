"""`tf.compat.v1.train.experimental`: as in TensorFlow 2, and losses that are scaled."""

from __future__ import annotations

from . import train_experimental
from .lazy import joined, namespace

TABLE = joined(
    train_experimental,
    {
        "version_one.training.loss_scales": (
            "DynamicLossScale FixedLossScale LossScale MixedPrecisionLossScaleOptimizer "
            "disable_mixed_precision_graph_rewrite enable_mixed_precision_graph_rewrite"
        ),
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.train.experimental")
