"""`tf.compat.v1.math`: functions of numbers."""

from __future__ import annotations

from . import math
from .lazy import joined, namespace

TABLE = joined(
    math,
    {
        "version_one.functions.arrays": "confusion_matrix",
        "version_one.functions.batches": "bincount",
        "version_one.functions.networks": "in_top_k log_softmax softmax",
        "version_one.functions.reductions": (
            "argmax argmin count_nonzero reduce_all reduce_any reduce_logsumexp reduce_max "
            "reduce_mean reduce_min reduce_prod reduce_sum"
        ),
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.math")
