"""Tensors beside each other: lists of none, and numbers of other dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

BYTE = tf.constant([1], tf.uint8)

both = pytest.mark.parametrize("mode", [lambda f: f, tf.function], ids=["eager", "traced"])


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


@both
def test_integers_wrap_beside_tensors(mode: Any) -> None:
    assert [1, 44] == mode(lambda: tf.concat([BYTE, [300]], 0))().numpy().tolist()
    assert [[1], [44]] == mode(lambda: tf.stack([BYTE, np.array([300])]))().numpy().tolist()
    assert [44] == mode(lambda: tf.clip_by_value(BYTE, 300, 300))().numpy().tolist()


@both
@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.debugging.assert_equal(tf.constant([1]), np.array([1.5])),
        lambda: tf.add_n([BYTE, np.array([300])]),
        lambda: tf.searchsorted(tf.constant([1]), np.array([1.5])),
        lambda: tf.tensordot(tf.constant([1]), np.array([1.5]), 1),
    ],
    ids=["assert_equal", "add_n", "searchsorted", "tensordot"],
)
def test_operands_that_are_converted_together_lose_nothing(
    mode: Any, call: Callable[[], Any]
) -> None:
    with pytest.raises(TypeError, match=r"use tf\.cast"):
        mode(call)()
