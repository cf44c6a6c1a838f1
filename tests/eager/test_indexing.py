"""`tensor[key]`, beside NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tensormill as tf
from tensormill.core import context
from tensormill.errors import InvalidArgumentError

ARRAY = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
KEYS = [
    0,
    -1,
    slice(None),
    slice(1, None),
    slice(None, None, -1),
    slice(5, 1, -2),
    slice(2, 99),
    slice(3, 1),
    ...,
    None,
    (0, 1, 2),
    (1, slice(None), -1),
    (..., 0),
    (slice(None), ..., slice(None, None, 2)),
    (None, 0, ..., None),
    (0, None, 1),
    (slice(-2, None), slice(None, -1)),
    (),
    np.int64(1),
]


class NoRecorder:
    def record(self, application: Any) -> None: ...


@pytest.mark.parametrize("key", KEYS, ids=str)
@pytest.mark.parametrize("recorded", [False, True])
def test_keys_mean_what_numpy_means(key: Any, recorded: bool) -> None:
    tensor, recorders = tf.constant(ARRAY), (NoRecorder(),) if recorded else ()
    with context.entered(context.top().replace(recorders=recorders)):
        part = tensor[key]

    np.testing.assert_array_equal(ARRAY[key], part.numpy())
    assert ARRAY[key].shape == tuple(part.shape)


@settings(max_examples=60, deadline=None)
@given(hnp.basic_indices(ARRAY.shape, allow_newaxis=True, allow_ellipsis=True))
def test_any_basic_key_means_what_numpy_means(key: Any) -> None:
    tensor = tf.constant(ARRAY)
    with context.entered(context.top().replace(recorders=(NoRecorder(),))):
        slow = tensor[key]

    np.testing.assert_array_equal(ARRAY[key], tensor[key].numpy())
    np.testing.assert_array_equal(ARRAY[key], slow.numpy())


def test_scalar_tensors_are_indices() -> None:
    tensor, one, two = tf.constant(ARRAY), tf.constant(1), tf.constant(2, tf.int64)

    np.testing.assert_array_equal(ARRAY[1, 2], tensor[one, two].numpy())
    np.testing.assert_array_equal(ARRAY[:, 1:2], tensor[:, one:two].numpy())
    np.testing.assert_array_equal(ARRAY[1], tensor[tf.Variable(1)].numpy())


def test_a_boolean_mask_selects_elements() -> None:
    tensor = tf.constant([1, 5, 3])

    assert [5, 3] == tensor[tensor > 2].numpy().tolist()
    assert [1] == tensor[np.array([True, False, False])].numpy().tolist()
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        tensor[True]


@pytest.mark.parametrize(
    "key",
    [
        [[0, 1]],
        np.array([0, 1]),
        tf.constant([0, 1]),
        1.5,
        "a",
        tf.constant(1.5),
        (0, [1]),
        slice(0.5, 1),
    ],
    ids=str,
)
def test_other_keys_are_refused_and_gather_is_named(key: Any) -> None:
    with pytest.raises(TypeError, match=r"Only integers, slices .* are valid indices.*tf\.gather"):
        tf.constant(ARRAY)[key]


def test_a_list_is_a_key_as_a_tuple_is() -> None:
    assert ARRAY[0, 1].tolist() == tf.constant(ARRAY)[[0, 1]].numpy().tolist()
    assert ARRAY[1:, ...].tolist() == tf.Variable(ARRAY)[[slice(1, None), ...]].numpy().tolist()


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("slice index 2 of dimension 0 out of bounds", 2),
        ("slice index -3 of dimension 0 out of bounds", -3),
        ("slice index 3 of dimension 1 out of bounds", (0, 3)),
        ("Index out of range using input dim 3", (0, 0, 0, 0)),
        ("Multiple ellipses", (..., 0, ...)),
        ("must be non-zero", slice(None, None, 0)),
    ],
)
def test_a_key_must_fit(words: str, key: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        tf.constant(ARRAY)[key]


def test_a_scalar_has_no_parts() -> None:
    with pytest.raises(InvalidArgumentError, match="slice scalar input"):
        tf.constant(1)[0]


def test_a_part_does_not_follow_the_memory_of_the_whole() -> None:
    variable = tf.Variable([1, 2, 3])
    part = variable.read_value()[1:]
    variable.assign_add([10, 10, 10])

    assert [2, 3] == part.numpy().tolist()


@settings(max_examples=20, deadline=None)
@given(st.integers(-30, 30), st.integers(-30, 30), st.sampled_from([1, 2, -1, -3]))
def test_ranges_are_clamped(start: int, stop: int, step: int) -> None:
    vector = np.arange(10)

    assert vector[start:stop:step].tolist() == tf.constant(vector)[start:stop:step].numpy().tolist()
