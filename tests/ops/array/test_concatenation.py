"""Tensors beside each other: lists of none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf


@pytest.mark.parametrize(
    ("eager", "call"),
    [
        (IndexError, lambda: tf.concat([], 0)),
        (tf.errors.InvalidArgumentError, lambda: tf.raw_ops.ConcatV2(values=[], axis=0)),
        (tf.errors.InvalidArgumentError, lambda: tf.raw_ops.Pack(values=[])),
    ],
    ids=["concat", "ConcatV2", "Pack"],
)
def test_no_tensors_are_refused(eager: type[Exception], call: Callable[[], Any]) -> None:
    with pytest.raises(eager):
        call()
    with pytest.raises(ValueError, match="with length 0 shorter than minimum length"):
        tf.function(call)()


@pytest.mark.parametrize("axis", [1, 2, -1])
@pytest.mark.parametrize("known", [True, False])
def test_many_pieces_are_joined_along_every_axis(axis: int, known: bool) -> None:
    random = np.random.default_rng(0)
    pieces = []
    for size in (1, 2, 0, 3, 1, 4, 2, 1, 5):
        shape = [3, 4, 2]
        shape[axis] = size
        pieces.append(random.integers(0, 99, shape).astype(np.float32))

    def joined(*pieces: Any) -> Any:
        return tf.concat([one * 2 for one in pieces], axis) + 1.0

    specs = None if known else [tf.TensorSpec([None] * 3)] * len(pieces)
    found = tf.function(joined, input_signature=specs)(*map(tf.constant, pieces))
    np.testing.assert_array_equal(np.concatenate(pieces, axis) * 2 + 1, found)
