"""`tf.compat.v1.manip`: arrays moved around."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.array.rearrangement": "reverse roll tile",
    "ops.array.scatter": "scatter_nd",
    "ops.array.shapes": "reshape",
    "ops.nn.space_to_depth": "space_to_batch_nd=space_to_batch",
    "version_one.functions.arrays": "gather_nd",
    "version_one.functions.batches": "batch_to_space_nd",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.manip")
