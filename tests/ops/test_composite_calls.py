"""Functions of sparse and ragged tensors return what TensorFlow's do, eagerly and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

from . import rules
from .calls.composite_calls import CALLS
from .record_composites import parts

each_call = pytest.mark.parametrize("name", CALLS)


def assert_as_recorded(name: str, result: Any) -> None:
    rules.assert_as_recorded("recorded_composites.json", name, parts(tf, result))


@each_call
def test_eager_calls_return_what_tensorflow_does(name: str) -> None:
    call, arrays = CALLS[name]

    assert_as_recorded(name, call(tf, *map(tf.constant, arrays)))


# One of each kind: compiling all of them takes minutes.
COMPILED = ["sparse: to_dense", "sparse: transpose", "sparse: matmul", "sparse: concat 0"]
COMPILED += ["ragged: to_tensor", "ragged: concat 1", "ragged: operators", "ragged: from_tensor"]
COMPILED += ["ragged: cumsum, nested", "ragged: split", "ragged: tile, nested", "ragged: squeeze"]
COMPILED += ["ragged: unsorted segments of rows", "ragged: where, indices, nested"]
COMPILED += ["ragged: operators, a tensor with more axes", "ragged: broadcast_to"]
COMPILED += ["ragged: matmul", "ragged: matmul, nested", "ragged: resize images"]
COMPILED += ["sparse: cross", "sparse: cross_hashed", "ragged: cross"]
COMPILED += ["ragged: operators, rows of one length", "ragged: slices of rows of one length"]


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_calls_return_what_tensorflow_does(name: str) -> None:
    call, arrays = CALLS[name]
    specs = [tf.TensorSpec([None] * np.ndim(array), array.dtype) for array in arrays]

    @tf.function(input_signature=specs, autograph=False)
    def compiled(*operands: Any) -> Any:
        return call(tf, *operands)

    assert_as_recorded(name, compiled(*map(tf.constant, arrays)))
