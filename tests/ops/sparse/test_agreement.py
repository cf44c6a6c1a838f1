"""Sparse operands of unlike shapes."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

SMALL = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
OTHERS = {"size": tf.sparse.from_dense([[1.0], [2.0]]), "rank": tf.sparse.from_dense([1.0, 2.0])}
CALLS = {"add": tf.sparse.add, "maximum": tf.sparse.maximum, "minimum": tf.sparse.minimum}


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("unlike", OTHERS)
def test_unlike_shapes_that_are_known_are_a_value_error_too(
    unlike: str, name: str, traced: bool
) -> None:
    def call() -> Any:
        return CALLS[name](SMALL, OTHERS[unlike])

    with pytest.raises(ValueError, match="do not match") as raised:
        (tf.function(call) if traced else call)()
    assert isinstance(raised.value, tf.errors.InvalidArgumentError)
