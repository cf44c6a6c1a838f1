"""Tensors beside each other: lists of none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
