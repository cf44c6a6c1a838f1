"""`tf.nn`: activations, losses, layers without state."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.activations": "elu gelu leaky_relu relu relu6 selu silu softplus softsign swish",
    "ops.elementwise": "sigmoid tanh",
    "ops.softmax": (
        "log_softmax sigmoid_cross_entropy_with_logits softmax "
        "softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
