"""`tf.compat.v1.ragged`: rows of different lengths, and as arrays."""

from __future__ import annotations

from . import ragged
from .lazy import joined, namespace

TABLE = joined(
    ragged,
    {
        "ops.ragged.ragged_value": "RaggedTensorValue",
        "version_one.ragged": "constant_value placeholder",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.ragged")
