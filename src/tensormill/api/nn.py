"""`tf.nn`: activations, losses, layers without state."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=nn_experimental",
    "ops.array.approximate_top": "approx_max_k approx_min_k",
    "ops.nn.activations": "elu gelu leaky_relu relu relu6 selu silu softplus softsign swish",
    "ops.nn.convolution_functions": (
        "atrous_conv2d atrous_conv2d_transpose conv1d conv1d_transpose conv2d conv2d_transpose "
        "conv3d conv3d_transpose conv_transpose convolution depthwise_conv2d separable_conv2d"
    ),
    "ops.nn.convolution_variants": (
        "depthwise_conv2d_backprop_filter depthwise_conv2d_backprop_input"
    ),
    "ops.nn.ctc": "ctc_loss",
    "ops.nn.ctc_decoding": "ctc_beam_search_decoder ctc_greedy_decoder",
    "ops.math.circular": "tanh",
    "ops.math.elementwise": "sigmoid",
    "ops.nn.fractional_pooling": "fractional_avg_pool fractional_max_pool",
    "ops.nn.isotonic": "isotonic_regression",
    "ops.nn.label_rows": "collapse_repeated ctc_unique_labels",
    "ops.nn.sampled_losses": "compute_accidental_hits nce_loss sampled_softmax_loss",
    "ops.random.candidates": (
        "all_candidate_sampler fixed_unigram_candidate_sampler learned_unigram_candidate_sampler"
    ),
    "ops.nn.losses": (
        "compute_average_loss crelu log_poisson_loss scale_regularization_loss "
        "weighted_cross_entropy_with_logits"
    ),
    "ops.math.moments": (
        "batch_norm_with_global_normalization batch_normalization moments zero_fraction"
    ),
    "ops.nn.bias_and_dropout": "bias_add dropout in_top_k",
    "ops.math.norms": "l2_loss l2_normalize",
    "ops.nn.pooling_functions": (
        "avg_pool avg_pool1d avg_pool2d avg_pool3d max_pool max_pool1d max_pool2d max_pool3d "
        "max_pool_with_argmax pool"
    ),
    "ops.sparse.embeddings": "embedding_lookup",
    "ops.sparse.embedding_lookup": "embedding_lookup_sparse safe_embedding_lookup_sparse",
    "ops.nn.softmax": (
        "log_softmax sigmoid_cross_entropy_with_logits softmax softmax_cross_entropy_with_logits "
        "sparse_softmax_cross_entropy_with_logits"
    ),
    "ops.array.sorting": "top_k",
    "ops.nn.morphology": "dilation2d erosion2d",
    "ops.nn.normalisation": (
        "local_response_normalization lrn=local_response_normalization normalize_moments "
        "sufficient_statistics weighted_moments"
    ),
    "version_one.recurrent_wrappers": (
        "RNNCellDeviceWrapper RNNCellDropoutWrapper RNNCellResidualWrapper"
    ),
    "ops.nn.space_to_depth": ("depth_to_space space_to_batch space_to_depth with_space_to_batch"),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
