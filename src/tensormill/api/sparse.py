"""`tf.sparse`: tensors of which only some elements are there."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.sparse.sparse_tensor": "SparseTensor",
    "ops.sparse.conversion": "eye from_dense to_dense to_indicator",
    "ops.sparse.counts": "bincount",
    "ops.sparse.crosses": "cross cross_hashed",
    "ops.sparse.layout": (
        "concat expand_dims fill_empty_rows mask reorder reset_shape reshape retain slice split "
        "transpose"
    ),
    "ops.sparse.arithmetic": "add map_values maximum minimum sparse_dense_matmul",
    "ops.sparse.reductions": "reduce_max reduce_sum softmax",
    "ops.sparse.sampled_products": "sampled_addmm",
    "ops.sparse.segments": "segment_mean segment_sqrt_n segment_sum",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
