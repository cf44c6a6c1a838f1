"""`tf.compat.v1.mixed_precision`: losses that are scaled before they are differentiated."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=compat_v1_mixed_precision_experimental",
    "version_one.training.loss_scales": (
        "DynamicLossScale FixedLossScale LossScale MixedPrecisionLossScaleOptimizer "
        "disable_mixed_precision_graph_rewrite enable_mixed_precision_graph_rewrite"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.mixed_precision")
