"""Python's operators of ragged tensors beside what is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

FLOATS = tf.ragged.constant([[1.5], [2.0, 3.0]])
INTEGERS = tf.ragged.constant([[1], [2, 3]])

both = pytest.mark.parametrize("mode", [lambda f: f, tf.function], ids=["eager", "traced"])


@pytest.mark.parametrize(
    "other",
    ["a", [1.5, 2.0], tf.constant(1), 1j, None, np.array(["a"]), [[1.5], [2.0, 3.0]],
     tf.ragged.constant([[1.5, 2.0], [3.0]])],
    ids=str,
)  # fmt: skip
def test_eagerly_what_does_not_fit_is_not_equal(other: Any) -> None:
    assert (FLOATS == other) is False
    assert (FLOATS != other) is True


def test_a_number_that_the_dtype_has_not_is_not_equal() -> None:
    assert (INTEGERS == 1.5) is False
    assert [[True], [False, False]] == (INTEGERS == 1).to_list()


def test_in_functions_what_does_not_fit_is_refused() -> None:
    with pytest.raises(TypeError, match="Equal"):
        tf.function(lambda: FLOATS == "a")()
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(lambda x: x == [1.5, 2.0])(FLOATS)


@both
@pytest.mark.parametrize(
    ("expected", "apply"),
    [
        ([[3.0], [4.0, 5.0]], lambda: FLOATS + np.array([[1.5], [2.0]])),
        ([[3.0], [3.5, 4.5]], lambda: np.float64(1.5) + FLOATS),
        ([[False], [True, True]], lambda: FLOATS > np.float64(1.5)),
        ([[2], [4, 5]], lambda: INTEGERS + np.array([[1], [2]], np.int64)),
    ],
    ids=range(4),
)
def test_arrays_have_the_dtype_of_the_rows_beside_them(
    mode: Any, expected: Any, apply: Callable[[], Any]
) -> None:
    assert expected == mode(apply)().to_list()


@both
def test_arrays_beside_rows_lose_nothing(mode: Any) -> None:
    for call in (
        lambda: np.float64(1.5) + INTEGERS,
        lambda: INTEGERS + np.array([[1.5], [2.5]]),
        lambda: INTEGERS + np.array([[2**40], [1]]),
    ):
        with pytest.raises(TypeError, match=r"use tf\.cast"):
            mode(call)()
