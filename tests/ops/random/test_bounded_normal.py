"""Normal numbers between bounds: many steps at once draw what one after the other does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.random import bounded_normal

LOW = [-4.0, 0.9, 5.0, -np.inf, -2.0, 0.1]
HIGH = [9.0, 1.2, 9.0, -1.5, np.inf, 0.15]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [0, 1, 3, 40])
def test_the_stream_goes_on_behind_the_last_step_that_was_needed(
    dtype: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw() -> Any:
        low, high = (tf.constant(one, dtype) for one in (LOW, HIGH))
        return tf.random.stateless_parameterized_truncated_normal(
            [count, 6], [3, 4], tf.zeros(6, dtype), 1.5, low, high
        )

    found = draw()
    monkeypatch.setattr(bounded_normal, "FEWEST", 1)
    monkeypatch.setattr(bounded_normal, "MOST", 1)

    assert np.array_equal(draw(), found)
    assert bool(tf.reduce_all((found >= LOW) & (found <= HIGH)))
