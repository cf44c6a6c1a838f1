"""Calls of connectionist temporal classification, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

if __package__:
    from .gradient_calls import gradient
else:
    from gradient_calls import gradient

LOGITS = (np.cos(np.arange(40.0) * 1.7) * 2).reshape(5, 2, 4).astype(np.float32)
LABELS = np.array([[1, 2, 0], [1, 1, 3]], np.int32)


def loss(tf: Any, logits: Any, lengths: Any = (5, 4), **options: Any) -> Any:
    return tf.nn.ctc_loss(tf.constant(LABELS), logits, [2, 3], list(lengths), **options)


def of_sparse(tf: Any, logits: Any) -> Any:
    labels = tf.sparse.from_dense(tf.constant(LABELS))
    return tf.nn.ctc_loss(labels, logits, None, [5, 5], blank_index=0)


def decoded(result: Any) -> Any:
    paths, score = result
    return [part for one in paths for part in (one.indices, one.values, one.dense_shape)] + [score]


CALLS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "ctc_loss": (lambda tf, x: loss(tf, x), [LOGITS]),
    "ctc_loss of another blank": (
        lambda tf, x: tf.nn.ctc_loss([[1, 2], [0, 0]], x, [2, 1], [5, 4], blank_index=-1),
        [LOGITS],
    ),
    "ctc_loss of batches first": (
        lambda tf, x: loss(tf, tf.transpose(x, [1, 0, 2]), logits_time_major=False), [LOGITS],
    ),
    "ctc_loss of sparse labels": (of_sparse, [LOGITS]),
    "ctc_greedy_decoder": (
        lambda tf, x: decoded(tf.nn.ctc_greedy_decoder(x, [5, 4])), [LOGITS],
    ),
    "ctc_greedy_decoder, not merged": (
        lambda tf, x: decoded(tf.nn.ctc_greedy_decoder(x, [5, 4], False, 0)), [LOGITS],
    ),
    "ctc_beam_search_decoder": (
        lambda tf, x: decoded(tf.nn.ctc_beam_search_decoder(x, [5, 4], 100, 3)), [LOGITS],
    ),
}  # fmt: skip
GRADIENTS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "gradient of ctc_loss": (gradient(lambda tf, x: loss(tf, x) * [1.0, 2.0]), [LOGITS]),
}  # fmt: skip
