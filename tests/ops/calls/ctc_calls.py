"""Calls of connectionist temporal classification, written for TensorFlow and for us alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from .call import Call, gradient

LOGITS = (np.cos(np.arange(40.0) * 1.7) * 2).reshape(5, 2, 4).astype(np.float32)
# Nearly sure of 0, blank, 0, 1, 1 and of 1, blank, 1, blank, 2.
SURE = (np.eye(4)[[[0, 1], [3, 3], [0, 1], [1, 3], [1, 2]]] * 6 + LOGITS / 4).astype(np.float32)
LABELS = np.array([[1, 2, 0], [1, 1, 3]], np.int32)


def loss(tf: Any, logits: Any, lengths: Any = (5, 4), **options: Any) -> Any:
    return tf.nn.ctc_loss(tf.constant(LABELS), logits, [2, 3], list(lengths), **options)


def older_loss(tf: Any, logits: Any, steps: int, **options: Any) -> Any:
    """Of 1, 1, 2 in some steps, four of which they need, and of 0, 0 in four."""
    places = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]]
    labels = tf.SparseTensor(places, tf.constant([1, 1, 2, 0, 0], tf.int32), [2, 3])
    return tf.compat.v1.nn.ctc_loss(labels, logits, [steps, 4], **options)


def loss_of_rows(tf: Any, logits: Any, rows: Any, steps: Any, **options: Any) -> Any:
    places = [[b, place] for b, row in enumerate(rows) for place, _ in enumerate(row)]
    values = tf.constant([label for row in rows for label in row], tf.int32)
    labels = tf.SparseTensor(places, values, [len(rows), 4])
    return tf.compat.v1.nn.ctc_loss(labels, logits, steps, **options)


def raw_loss(tf: Any, logits: Any, **flags: Any) -> Any:
    """Of 1, 1, 2 in three steps, and of 0, 0 in four."""
    places = tf.constant([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]], tf.int64)
    return tf.raw_ops.CTCLoss(
        inputs=logits, labels_indices=places, labels_values=[1, 1, 2, 0, 0],
        sequence_length=[3, 4], **flags,
    )  # fmt: skip


def of_sparse(tf: Any, logits: Any) -> Any:
    labels = tf.sparse.from_dense(tf.constant(LABELS))
    return tf.nn.ctc_loss(labels, logits, None, [5, 5], blank_index=0)


def decoded(result: Any) -> Any:
    paths, score = result
    return [part for one in paths for part in (one.indices, one.values, one.dense_shape)] + [score]


def wave(*shape: int) -> np.ndarray[Any, Any]:
    numbers = np.arange(float(np.prod(shape))) * 2.3
    return (np.sin(numbers + numbers**1.3) * 1.5).reshape(shape).astype(np.float32)


def beams(tf: Any, logits: Any) -> Any:
    """Beams of many widths, over batches of different lengths."""
    found: list[Any] = []
    for width, paths in ((1, 1), (2, 2), (3, 3), (4, 2), (5, 5), (8, 4), (10, 5), (25, 1), (50, 3)):
        found += decoded(tf.nn.ctc_beam_search_decoder(logits, [9, 12, 7, 12], width, paths))
    return found


def losses(tf: Any, logits: Any, labels: Any, lengths: Any, blanks: Any) -> Any:
    """Losses of dense labels, with each of some blanks."""
    steps = [4, 5, 5, 2]
    return [
        tf.nn.ctc_loss(labels, logits, lengths, steps, blank_index=blank) for blank in blanks
    ]  # fmt: skip


def losses_of_sparse(tf: Any, logits: Any) -> Any:
    places = [[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2], [3, 0]]
    found: list[Any] = []
    for blank in (0, 1, 2, 3, -1, -4):
        values = [(blank + step) % 4 for step in (1, 2, 3, 3, 1, 1, 2)]
        labels = tf.SparseTensor(places, values, [4, 3])
        found.append(tf.nn.ctc_loss(labels, logits, None, [4, 5, 5, 2], blank_index=blank))
    return found


CALLS: dict[str, Call] = {
    "ctc_loss": (lambda tf, x: loss(tf, x), [LOGITS]),
    "ctc_loss of another blank": (
        lambda tf, x: tf.nn.ctc_loss([[1, 2], [0, 0]], x, [2, 1], [5, 4], blank_index=-1),
        [LOGITS],
    ),
    "ctc_loss of batches first": (
        lambda tf, x: loss(tf, tf.transpose(x, [1, 0, 2]), logits_time_major=False), [LOGITS],
    ),
    "ctc_loss of sparse labels": (of_sparse, [LOGITS]),
    "ctc_loss of labels that are the blank": (
        lambda tf, x: losses(
            tf, x, [[0, 0, 9], [0, 3, 0], [1, 0, 2], [0, 9, 9]], [2, 3, 3, 1], [None, 0, -4]
        ),
        [wave(5, 4, 4)],
    ),
    "ctc_loss of nothing, and of too many labels": (
        lambda tf, x: losses(
            tf, x, [[1, 2, 3], [1, 1, 1], [2, 2, 2], [1, 1, 3]], [0, 3, 3, 2], [0, -4]
        ),
        [wave(5, 4, 4)],
    ),
    "ctc_loss of sparse labels, with every blank": (losses_of_sparse, [wave(5, 4, 4)]),
    "ctc_greedy_decoder of nothing": (
        lambda tf, x: decoded(tf.nn.ctc_greedy_decoder(x, [0, 4])), [LOGITS],
    ),
    "ctc_beam_search_decoder, of many widths": (beams, [wave(12, 4, 5)]),
    "ctc_beam_search_decoder, of less sure steps": (beams, [wave(12, 4, 3) / 4]),
    "ctc_greedy_decoder": (
        lambda tf, x: decoded(tf.nn.ctc_greedy_decoder(x, [5, 4])), [LOGITS],
    ),
    "ctc_greedy_decoder, not merged": (
        lambda tf, x: decoded(tf.nn.ctc_greedy_decoder(x, [5, 4], False, 0)), [LOGITS],
    ),
    "ctc_loss, collapsing labels": (
        lambda tf, x: older_loss(tf, x, 3, preprocess_collapse_repeated=True), [LOGITS],
    ),
    "ctc_loss, ignoring labels that are too many": (
        gradient(lambda tf, x: [
            older_loss(tf, x, steps, ignore_longer_outputs_than_inputs=True) for steps in (2, 3)
        ]), [LOGITS],
    ),
    "ctc_loss, collapsing labels that are too many before": (
        lambda tf, x: loss_of_rows(
            tf, x, [[0, 0, 1], [1]], [2, 5], preprocess_collapse_repeated=True
        ), [LOGITS],
    ),
    "ctc_loss, collapsing, and ignoring what is too many before": (
        gradient(lambda tf, x: [
            loss_of_rows(
                tf, x, [[0, 0, 1], [1]], [steps, 5 - steps], preprocess_collapse_repeated=True,
                ignore_longer_outputs_than_inputs=True,
            ) for steps in (0, 2, 3, 5)
        ]), [LOGITS],
    ),
    "ctc_loss, without merging what is repeated": (
        gradient(lambda tf, x: [
            older_loss(tf, x, 5, ctc_merge_repeated=False, preprocess_collapse_repeated=collapses)
            for collapses in (False, True)
        ]), [LOGITS],
    ),
    "CTCLoss, with flags": (
        lambda tf, x: [
            raw_loss(tf, x, ctc_merge_repeated=False),
            raw_loss(tf, x, preprocess_collapse_repeated=True),
            raw_loss(tf, x, ignore_longer_outputs_than_inputs=True, ctc_merge_repeated=False),
        ], [LOGITS],
    ),
    "CTCLoss, with its gradient": (
        gradient(lambda tf, x: raw_loss(tf, x, ctc_merge_repeated=False)[0]), [LOGITS],
    ),
    "ctc_loss of no labels": (
        lambda tf, x: loss_of_rows(
            tf, x, [[], [1]], [5, 5], ignore_longer_outputs_than_inputs=True
        ), [LOGITS],
    ),
    "ctc_beam_search_decoder, merging what is repeated": (
        lambda tf, x: decoded(tf.compat.v1.nn.ctc_beam_search_decoder(x, [5, 4], 8, 3)), [SURE],
    ),
    "ctc_beam_search_decoder": (
        lambda tf, x: decoded(tf.nn.ctc_beam_search_decoder(x, [5, 4], 100, 3)), [LOGITS],
    ),
}  # fmt: skip
CALLS |= {
    "gradient of ctc_loss": (gradient(lambda tf, x: loss(tf, x) * [1.0, 2.0]), [LOGITS]),
}  # fmt: skip
