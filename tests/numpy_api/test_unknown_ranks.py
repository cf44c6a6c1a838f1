"""Arrays whose rank only a run knows: functions give for them what they give eagerly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

tnp = tf.experimental.numpy
ARRAYS = (
    np.float32(1.0),
    np.array([1.0, 2.0], np.float32),
    np.array([[1.0, 2.0], [3.0, 4.0]], np.float32),
    np.arange(8, dtype=np.float32).reshape(2, 2, 2),
)
MATRIX = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
# With the least and the largest rank that there may be.
CALLS: dict[str, tuple[Callable[[Any], Any], int, int]] = {
    "hstack": (lambda x: tnp.hstack([x, x * 2.0]), 0, 3),
    "tile nothing": (lambda x: tnp.tile(x, []), 0, 3),
    "tile the last axis": (lambda x: tnp.tile(x, 2), 0, 3),
    "tile more axes": (lambda x: tnp.tile(x, [2, 1, 3]), 0, 3),
    "hsplit": (lambda x: tnp.hsplit(x, 2), 1, 3),
    "vsplit": (lambda x: tnp.vsplit(x, 2), 2, 3),
    "dsplit": (lambda x: tnp.dsplit(x, 2), 3, 3),
    "inner": (lambda x: tnp.inner(x, x), 0, 3),
    "inner with a scalar": (lambda x: tnp.inner(np.float32(2.0), x), 0, 3),
    "dot": (lambda x: tnp.dot(x, x), 0, 3),
    "dot with a scalar": (lambda x: tnp.dot(np.float32(2.0), x), 0, 3),
    "dot with a matrix": (lambda x: tnp.dot(x, np.array([[1, 2, 3], [4, 5, 6]], np.float32)), 0, 3),
    "diagonal": (tnp.diagonal, 2, 3),
    "trace of others": (lambda x: tnp.trace(x, 0, -1, -2), 2, 3),
    "rot90": (tnp.rot90, 2, 3),
    "diag": (tnp.diag, 1, 2),
    "diag above": (lambda x: tnp.diag(x, 1), 1, 2),
    "diag below": (lambda x: tnp.diag(x, -1), 1, 2),
}


def gradient(call: Callable[[Any], Any], x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.add_n([tf.reduce_sum(one**2) for one in tf.nest.flatten(call(x))])
    return tape.gradient(y, x)


@pytest.mark.parametrize("name", CALLS)
def test_ranks_may_be_known_by_a_run_alone(name: str) -> None:
    call, least, most = CALLS[name]
    spec = [tf.TensorSpec(None, tf.float32)]
    traced = tf.function(lambda x: (call(x), gradient(call, x)), input_signature=spec)

    for x in map(tf.constant, ARRAYS[least : most + 1]):
        expected, found = (call(x), gradient(call, x)), traced(x)
        tf.nest.map_structure(np.testing.assert_array_equal, expected, found)


@pytest.mark.parametrize("name", [one for one in CALLS if CALLS[one][1:] != (0, 3)])
def test_other_ranks_are_refused_when_it_runs(name: str) -> None:
    call, least, most = CALLS[name]
    traced = tf.function(call, input_signature=[tf.TensorSpec(None, tf.float32)])

    for rank in {*range(4)} - {*range(least, most + 1)} - ({1} if name == "vsplit" else set()):
        with pytest.raises(tf.errors.InvalidArgumentError):
            traced(ARRAYS[rank])
