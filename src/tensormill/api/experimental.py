"""`tf.experimental`: what may still change."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "dlpack=experimental_dlpack numpy=experimental_numpy",
    "data.optional": "Optional",
    "ops.extension_type": "BatchableExtensionType ExtensionType",
    "ops.ragged.ragged_shape": "DynamicRaggedShape",
    "ops.ragged.row_partition": "RowPartition",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
