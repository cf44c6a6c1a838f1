"""`tf.nn`: activations, losses, layers without state."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=nn_experimental",
    "ops.activations": "elu gelu leaky_relu relu relu6 selu silu softplus softsign swish",
    "ops.elementwise": "sigmoid tanh",
    "ops.losses": (
        "compute_average_loss crelu embedding_lookup log_poisson_loss scale_regularization_loss "
        "weighted_cross_entropy_with_logits"
    ),
    "ops.moments": "batch_normalization moments zero_fraction",
    "ops.nn": "bias_add dropout in_top_k",
    "ops.norms": "l2_loss l2_normalize",
    "ops.softmax": (
        "log_softmax sigmoid_cross_entropy_with_logits softmax "
        "softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits"
    ),
    "ops.sorting": "top_k",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
