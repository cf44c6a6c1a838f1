"""`tf.ragged`: rows of different lengths."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.ragged.functions": "boolean_mask stack stack_dynamic_partitions",
    "ops.ragged.constant": "constant",
    "ops.ragged.crosses": "cross cross_hashed",
    "ops.ragged.elementwise": "map_flat_values",
    "ops.ragged.row_partition": (
        "range=ragged_range row_splits_to_segment_ids segment_ids_to_row_splits"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
