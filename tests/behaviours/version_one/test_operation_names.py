"""What operations of functions are called, by which programs fetch them: statement I10."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


def floats(*shape: int) -> Any:
    return v1.placeholder(tf.float32, shape)


def integers(*shape: int) -> Any:
    return v1.placeholder(tf.int32, shape)


# For each call what its result is called when the call is named `n`, and when it is not.
CALLS: dict[str, tuple[Callable[..., Any], str, str | None]] = {
    "cross entropy of classes": (
        lambda **n: tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=integers(2), logits=floats(2, 3), **n
        ),
        "n/n",
        "SparseSoftmaxCrossEntropyWithLogits/SparseSoftmaxCrossEntropyWithLogits",
    ),
    "in_top_k": (
        lambda **n: v1.nn.in_top_k(floats(2, 3), integers(2), 1, **n), "n/n", "in_top_k/InTopKV2",
    ),
    "weighted cross entropy": (
        lambda **n: tf.nn.weighted_cross_entropy_with_logits(floats(2), floats(2), 2.0, **n),
        "n", "logistic_loss",
    ),
    "resize": (
        lambda **n: tf.image.resize(floats(1, 4, 4, 3), [2, 2], **n),
        "n/ResizeBilinear", "resize/ResizeBilinear",
    ),
    "resize_images": (
        lambda **n: v1.image.resize_images(floats(1, 4, 4, 3), [2, 2], **n),
        "n/ResizeBilinear", "resize/ResizeBilinear",
    ),
    "boolean_mask": (
        lambda **n: tf.boolean_mask(floats(2), v1.placeholder(tf.bool, [2]), **n),
        "n/GatherV2", "boolean_mask/GatherV2",
    ),
    "sequence_mask": (
        lambda **n: tf.sequence_mask(integers(2), 3, **n), "n/Less", "SequenceMask/Less",
    ),
    "confusion_matrix": (
        lambda **n: tf.math.confusion_matrix(integers(2), integers(2), **n),
        "n/ScatterNd", "confusion_matrix/ScatterNd",
    ),
    "count_nonzero": (
        lambda **n: tf.math.count_nonzero(floats(2), **n), "n/Sum", "count_nonzero/Sum",
    ),
    "zero_fraction": (
        lambda **n: tf.nn.zero_fraction(floats(2), **n), "n/fraction", "zero_fraction/fraction",
    ),
    "conv1d": (
        lambda **n: tf.nn.conv1d(floats(1, 4, 1), floats(2, 1, 1), 1, "SAME", **n),
        "n/Squeeze", "conv1d/Squeeze",
    ),
    "a sparse tensor made dense": (
        lambda **n: tf.sparse.to_dense(v1.sparse_placeholder(tf.float32, [2, 3]), **n), "n", None,
    ),
    "categorical": (
        lambda **n: tf.random.categorical(floats(2, 3), 1, **n),
        "n/Multinomial", "categorical/Multinomial",
    ),
    "multinomial": (
        lambda **n: v1.multinomial(floats(2, 3), 1, **n),
        "n/Multinomial", "multinomial/Multinomial",
    ),
    "non_max_suppression": (
        lambda **n: tf.image.non_max_suppression(floats(3, 4), floats(3), 2, **n),
        "n/NonMaxSuppressionV3", "non_max_suppression/NonMaxSuppressionV3",
    ),
    "decode_image": (
        lambda **n: tf.image.decode_image(v1.placeholder(tf.string, []), **n),
        "n/DecodeImage", "decode_image/DecodeImage",
    ),
}  # fmt: skip


@behaviour("I10")
@pytest.mark.parametrize("call", CALLS)
def test_results_are_called_as_programs_fetch_them(call: str) -> None:
    function, named, unnamed = CALLS[call]
    with tf.Graph().as_default():
        found = function(name="n").name
    with tf.Graph().as_default():
        plain = function().name

    assert f"{named}:0" == found
    assert unnamed is None or f"{unnamed}:0" == plain
