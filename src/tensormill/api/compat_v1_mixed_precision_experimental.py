"""`tf.compat.v1.mixed_precision.experimental`: the scales alone."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "version_one.training.loss_scales": "DynamicLossScale FixedLossScale LossScale",
}

__getattr__, __dir__, __all__ = namespace(
    __name__, TABLE, "tf.compat.v1.mixed_precision.experimental"
)
