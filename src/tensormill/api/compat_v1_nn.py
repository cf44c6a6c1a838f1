"""`tf.compat.v1.nn`: networks."""

from __future__ import annotations

from . import nn
from .lazy import joined, namespace

TABLE = joined(
    nn,
    {
        "": "rnn_cell=compat_v1_nn_rnn_cell",
        "ops.nn.batch_normalisation": "fused_batch_norm",
        "version_one.functions.networks": (
            "avg_pool avg_pool2d=avg_pool conv1d conv2d conv2d_transpose conv3d convolution crelu "
            "ctc_beam_search_decoder ctc_loss depth_to_space depthwise_conv2d dropout "
            "embedding_lookup in_top_k log_softmax max_pool moments relu_layer separable_conv2d "
            "softmax softmax_cross_entropy_with_logits softmax_cross_entropy_with_logits_v2 "
            "space_to_depth sparse_softmax_cross_entropy_with_logits "
            "weighted_cross_entropy_with_logits xw_plus_b"
        ),
        "version_one.functions.quantized": (
            "quantized_avg_pool quantized_conv2d quantized_max_pool"
        ),
        "version_one.recurrent": (
            "bidirectional_dynamic_rnn dynamic_rnn raw_rnn static_bidirectional_rnn static_rnn "
            "static_state_saving_rnn"
        ),
        "version_one.functions.batches": (
            "batch_norm_with_global_normalization space_to_batch sufficient_statistics "
            "weighted_moments"
        ),
        "version_one.functions.embeddings": (
            "embedding_lookup_sparse nce_loss safe_embedding_lookup_sparse sampled_softmax_loss"
        ),
        "version_one.functions.windows": (
            "conv2d_backprop_filter conv2d_backprop_input conv3d_backprop_filter "
            "conv3d_backprop_filter_v2=conv3d_backprop_filter conv3d_transpose "
            "depthwise_conv2d_native dilation2d erosion2d fractional_avg_pool fractional_max_pool "
            "max_pool_with_argmax pool"
        ),
        "ops.nn.convolution_variants": (
            "depthwise_conv2d_native_backprop_filter=depthwise_conv2d_backprop_filter "
            "depthwise_conv2d_native_backprop_input=depthwise_conv2d_backprop_input"
        ),
        "ops.nn.ctc": "ctc_loss_v2=ctc_loss",
        "ops.nn.ctc_decoding": "ctc_beam_search_decoder_v2=ctc_beam_search_decoder",
        "ops.nn.pooling_functions": "avg_pool_v2=avg_pool max_pool_v2=max_pool",
        "ops.random.candidates": "log_uniform_candidate_sampler uniform_candidate_sampler",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.nn")
