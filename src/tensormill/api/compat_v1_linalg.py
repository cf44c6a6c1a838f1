"""`tf.compat.v1.linalg`: as in TensorFlow 2 but for norms."""

from __future__ import annotations

from . import linalg
from .lazy import joined, namespace

TABLE = joined(
    linalg,
    {
        "version_one.functions.reductions": "norm",
        "ops.array.rearrangement": "transpose=matrix_transpose",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.linalg")
