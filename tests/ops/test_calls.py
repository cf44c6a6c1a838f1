"""Public functions return what TensorFlow does: eagerly, and compiled for unknown sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

from . import rules
from .calls.tables import ALL_CALLS, TOPIC_WITH, TOPICS


@pytest.mark.parametrize("name", ALL_CALLS)
def test_eager_calls_return_what_tensorflow_does(name: str) -> None:
    call, arrays = ALL_CALLS[name]

    rules.assert_call_as_recorded(name, lambda *tensors: call(tf, *tensors), arrays)


@pytest.mark.parametrize("name", [one for one in ALL_CALLS if one in TOPIC_WITH[one].compiled])
def test_compiled_calls_return_what_tensorflow_does(name: str) -> None:
    call, arrays = ALL_CALLS[name]
    specs = [tf.TensorSpec([None] * np.ndim(array), np.asarray(array).dtype) for array in arrays]

    @tf.function(input_signature=specs, autograph=False)
    def compiled(*operands: Any) -> Any:
        return call(tf, *operands)

    rules.assert_call_as_recorded(name, compiled, arrays)


@pytest.mark.parametrize("topic", TOPICS)
def test_each_call_has_its_answer(topic: str) -> None:
    assert list(TOPICS[topic].calls) == list(rules.recorded(TOPICS[topic].answers))
