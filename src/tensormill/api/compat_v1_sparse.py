"""`tf.compat.v1.sparse`: functions of sparse tensors with the arguments that they had."""

from __future__ import annotations

from . import sparse
from .lazy import joined, namespace

TABLE = joined(
    sparse,
    {
        "version_one.functions.sparse": (
            "add concat merge reduce_max reduce_max_sparse reduce_sum reduce_sum_sparse "
            "segment_mean segment_sqrt_n segment_sum split"
        ),
        "version_one.accumulators": "SparseConditionalAccumulator",
        "graph.by_hand.placeholders": "placeholder=sparse_placeholder",
        "ops.sparse.arithmetic": "matmul=sparse_dense_matmul",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.sparse")
