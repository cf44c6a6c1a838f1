"""Operations that move many elements do in native code what their kernels do with few."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core.native_operations import MANY
from tests import native_calls

DTYPES = ["int32", "int64", "int8", "float16", "bfloat16", "float32", "float64"]


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("delta", [1, -3, 0.1])
def test_ranges_of_many_numbers_are_those_of_the_kernel(
    dtype: str, delta: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    if dtype == "int8" or (delta == 0.1 and "int" in dtype):
        delta = 1
    limit = 100 if dtype == "int8" else delta * (MANY + MANY // 8)
    start = tf.constant(3, dtype)
    ran = native_calls.noted(monkeypatch)
    found = tf.range(start, tf.constant(limit, dtype), tf.constant(delta, dtype))
    assert ["Range"] * (dtype != "int8") == ran

    native_calls.end(monkeypatch)
    expected = tf.range(start, tf.constant(limit, dtype), tf.constant(delta, dtype))

    np.testing.assert_array_equal(expected, found)


def test_ranges_that_lead_away_are_refused_however_long() -> None:
    for few, many in (((0, 3, -1), (0, 10 * MANY, -1)), ((0, 3, 0), (0, 10 * MANY, 0))):
        with pytest.raises(tf.errors.InvalidArgumentError) as told:
            tf.range(*few)
        with pytest.raises(tf.errors.InvalidArgumentError) as found:
            tf.range(*many)
        assert str(told.value).split(":")[:2] == str(found.value).split(":")[:2]


@pytest.mark.sampled
@pytest.mark.parametrize("mode", ["eager", "compiled", "of unknown sizes"])
@pytest.mark.parametrize("times", [0, 1, 3, [2]])
@pytest.mark.parametrize("axis", [None, 0, -1, 1])
def test_what_is_repeated_as_often_everywhere_is_numpys(mode: str, times: Any, axis: Any) -> None:
    for x in (np.arange(24).reshape(2, 3, 4), np.array([[b"a", b"\0b"]], object)):
        spec = tf.TensorSpec([None] * x.ndim, tf.constant(x).dtype)
        number = tf.TensorSpec(np.shape(times), tf.int32)

        def repeat(x: Any, times: Any) -> Any:
            return tf.repeat(x, times, axis)

        function = repeat
        if mode == "compiled":
            function = tf.function(lambda x, times=times: repeat(x, times))
            found = function(x)
        else:
            if mode != "eager":
                function = tf.function(repeat, [spec, number])
            found = function(tf.constant(x), times)
        expected = np.repeat(x, times, axis)

        assert expected.shape == found.shape
        assert expected.tolist() == found.numpy().tolist()


@pytest.mark.parametrize("times", [-1, [-2]])
def test_nothing_is_repeated_less_than_never(times: Any) -> None:
    for axis in (None, 0, 1):
        for x in (tf.ones([2, 3]), tf.ones([0, 0])):
            with pytest.raises(tf.errors.InvalidArgumentError):
                tf.repeat(x, times, axis)


@pytest.mark.parametrize("unknown", [False, True])
def test_one_slice_that_is_repeated_often_takes_no_room_for_the_others(unknown: bool) -> None:
    count = 1 << 17  # a table of all by the longest would have 2**34 places
    times = np.where(np.arange(count) == 5, count, np.where(np.arange(count) % 7, 0, -1))
    spec = [tf.TensorSpec([None], tf.int64), tf.TensorSpec([None], tf.int64)]
    repeat = tf.function(tf.repeat, spec) if unknown else tf.repeat

    assert (repeat(np.arange(count), times).numpy() == 5).all()
    assert repeat(np.arange(count), times).shape == [count]


def test_one_slice_of_an_unknown_number_is_not_repeated_less_than_never() -> None:
    spec = [tf.TensorSpec([None], tf.int64), tf.TensorSpec([None], tf.int64)]
    repeat = tf.function(tf.repeat, spec)

    assert repeat(np.arange(4), [3]).numpy().tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert repeat(np.arange(4), [3, -1, 0, 1]).numpy().tolist() == [0, 0, 0, 3]
    for times in (-1, -3):
        with pytest.raises(tf.errors.InvalidArgumentError):
            repeat(np.arange(4), [times])
