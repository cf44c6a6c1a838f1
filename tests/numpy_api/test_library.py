"""The library's own operators and constants mean the same where NumPy's behaviour is enabled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tensormill as tf
from tests.ops import rules
from tests.ops.calls.tables import TOPICS

from .switching import put_back

# Compositions with constants of NumPy's and Python's, and all the gradients.
CHECKED = ("gradient", "matrix", "moment", "signal", "special", "ctc")


@pytest.fixture(autouse=True)
def switch() -> Iterator[None]:
    with put_back():
        yield


@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["legacy", "safe", "all"])
@pytest.mark.parametrize("topic", CHECKED)
def test_functions_return_what_they_return_without_it(topic: str, mode: str) -> None:
    tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)

    for name, (call, arrays) in TOPICS[topic].calls.items():
        rules.assert_call_as_recorded(name, lambda *tensors, call=call: call(tf, *tensors), arrays)
