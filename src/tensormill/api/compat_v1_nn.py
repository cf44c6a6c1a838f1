"""`tf.compat.v1.nn`: networks."""

from __future__ import annotations

from . import nn
from .lazy import joined, namespace

TABLE = joined(
    nn,
    {
        "ops.nn.batch_normalisation": "fused_batch_norm",
        "version_one.functions.networks": (
            "avg_pool avg_pool2d=avg_pool conv1d conv2d conv2d_transpose conv3d convolution crelu "
            "ctc_beam_search_decoder ctc_loss depth_to_space depthwise_conv2d dropout "
            "embedding_lookup in_top_k log_softmax max_pool moments relu_layer separable_conv2d "
            "softmax softmax_cross_entropy_with_logits softmax_cross_entropy_with_logits_v2 "
            "space_to_depth sparse_softmax_cross_entropy_with_logits "
            "weighted_cross_entropy_with_logits xw_plus_b"
        ),
        "ops.nn.ctc": "ctc_loss_v2=ctc_loss",
    },
    # What takes its arguments in another order there, and is not there yet.
    without=(
        "batch_norm_with_global_normalization dilation2d embedding_lookup_sparse erosion2d "
        "fractional_avg_pool fractional_max_pool nce_loss safe_embedding_lookup_sparse "
        "sampled_softmax_loss space_to_batch sufficient_statistics weighted_moments"
    ),
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.nn")
