"""Quick keys are those of the definition."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.function.traces.trace_type import Encoder

ONE = tf.constant(1.0)


@pytest.mark.parametrize(
    "value", [[], (), {}, [1, ONE], (ONE, (2,)), {"b": ONE, "a": [1]}, {2: 1, 1: {"x": ONE}}]
)
def test_the_quick_keys_of_plain_containers_are_those_of_all_containers(value: Any) -> None:
    quick, slow = Encoder(), Encoder()

    assert quick.encode(value) == slow.container(value)
    assert [id(leaf) for leaf in quick.leaves] == [id(leaf) for leaf in slow.leaves]
