"""Public functions return what TensorFlow does: eagerly, and compiled for unknown sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

from . import rules
from .calls.call_tables import ALL_CALLS as CALLS
from .calls.calls import leaves

each_call = pytest.mark.parametrize("name", CALLS)


def assert_as_recorded(name: str, results: Any) -> None:
    rules.assert_as_recorded("recorded_calls.json", name, leaves(results))


@each_call
def test_eager_calls_return_what_tensorflow_does(name: str) -> None:
    call, arrays = CALLS[name]

    assert_as_recorded(name, call(tf, *map(tf.constant, arrays)))


@each_call
def test_compiled_calls_return_what_tensorflow_does(name: str) -> None:
    call, arrays = CALLS[name]
    specs = [tf.TensorSpec([None] * np.ndim(array), array.dtype) for array in arrays]

    @tf.function(input_signature=specs, autograph=False)
    def compiled(*operands: Any) -> Any:
        return call(tf, *operands)

    assert_as_recorded(name, compiled(*map(tf.constant, arrays)))
