"""`experimental_attributes` and `experimental_implements` of tf.function."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf


@behaviour("F1")
@pytest.mark.parametrize(
    ("attributes", "error"),
    [
        ({"no_such_attribute": 1}, ValueError),
        ({"implements": "mine"}, ValueError),
        ({"api_implements": object()}, ValueError),
        (3, TypeError),
    ],
)
def test_attributes_are_known_ones(attributes: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        tf.function(tf.identity, experimental_attributes=attributes)(1.0)


@behaviour("F1")
def test_attributes_are_written_into_functions() -> None:
    function = tf.function(
        tf.identity,
        experimental_implements="mine",
        experimental_attributes={"go_backwards": True, "time_major": 3, "api_implements": "all"},
    )
    found = function.get_concrete_function(tf.TensorSpec([], tf.float32)).function_def.attr

    assert (b"mine", b"all") == (found["_implements"].s, found["api_implements"].s)
    assert (True, 3) == (found["go_backwards"].b, found["time_major"].i)
