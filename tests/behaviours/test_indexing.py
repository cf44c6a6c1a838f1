"""`tensor[key]`: statements T15 and T16."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf

ARRAY = np.arange(24).reshape(2, 3, 4)
InvalidArgumentError = tf.errors.InvalidArgumentError
NO_INDEX = (
    r"Only integers, slices \(`:`\), ellipsis \(`\.\.\.`\), tf\.newaxis \(`None`\) and scalar "
    r"tf\.int32/tf\.int64 tensors are valid indices"
)


def in_graph(key: Any, value: Any = ARRAY) -> Any:
    return tf.function(lambda x: x[key], autograph=False)(tf.constant(value))


KEYS = [
    0, -1, (1, 2, 3), (-1, -2), slice(1), slice(None, None, 2), (slice(None), slice(1, 3)),
    slice(None, None, -1), (0, slice(None, None, -2)), (slice(-1, None), 1), (0, slice(5, 0, -1)),
    ..., (..., 1), (0, ..., slice(2)), None, (None, 0, None), (slice(None), None, ..., -1),
    np.int64(1), (np.int32(0), np.int8(1)), slice(5, 9), (0, slice(2, 1)), (slice(1, -1), ...),
]  # fmt: skip


@pytest.mark.sampled
@behaviour("T15")
@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_parts_are_those_of_numpy(key: Any):
    expected = ARRAY[key]

    for result in (tf.constant(ARRAY)[key], in_graph(key)):
        assert result.shape == expected.shape
        assert (result.numpy() == expected).all()


@behaviour("T15")
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_scalar_tensors_are_indices(dtype: str):
    one = tf.constant(1, dtype)
    x = tf.constant(ARRAY)

    assert (x[one].numpy() == ARRAY[1]).all()
    assert (x[0, one:, -one].numpy() == ARRAY[0, 1:, -1]).all()
    taken = tf.function(lambda x, i: x[0, i:, -i])(x, one)
    assert (taken.numpy() == ARRAY[0, 1:, -1]).all()


@behaviour("T15")
def test_a_mask_selects():
    x = tf.constant([1, 2, 3, 4])

    assert x[x > 2].numpy().tolist() == [3, 4]
    assert tf.function(lambda x: x[x > 2])(x).numpy().tolist() == [3, 4]
    assert x[np.array([True, False, False, True])].numpy().tolist() == [1, 4]
    assert tf.constant(ARRAY)[tf.constant([False, True])].shape == [1, 3, 4]


@behaviour("T15")
@pytest.mark.parametrize(
    ("value", "key", "words"),
    [
        ([1, 2], 2, "slice index 2 of dimension 0 out of bounds"),
        ([[1, 2]], (0, 5), "slice index 5 of dimension 1 out of bounds"),
        ([[1, 2]], (0, 0, 0), "Index out of range using input dim 2"),
        ([[1, 2]], (..., ...), "[Mm]ultiple ellips"),
        ([1, 2], slice(None, None, 0), r"strides\[0\] must be non-zero"),
        (1, 0, "Attempting to slice scalar input|Index out of range using input dim 0"),
    ],
    ids=str,
)
def test_keys_that_do_not_fit(value: Any, key: Any, words: str):
    with pytest.raises(InvalidArgumentError, match=words):
        tf.constant(value)[key]
    with pytest.raises(ValueError, match=words):
        in_graph(key, value)


@behaviour("T15")
@differs
def test_an_index_out_of_bounds_is_reported_as_written():
    with pytest.raises(InvalidArgumentError, match="slice index -3 of dimension 0 out of bounds"):
        tf.constant([1, 2])[-3]
    with pytest.raises(ValueError, match="slice index -3 of dimension 0 out of bounds"):
        in_graph(-3, [1, 2])


@behaviour("T15")
def test_an_index_that_only_run_time_knows_is_checked():
    @tf.function
    def element(x: Any, i: Any) -> Any:
        return x[i]

    x = tf.constant([1, 2])
    assert element(x, tf.constant(1)).numpy() == 2
    with pytest.raises(InvalidArgumentError, match="slice index 2 of dimension 0 out of bounds"):
        element(x, tf.constant(2))


@behaviour("T16")
def test_a_list_of_indices_is_a_tuple():
    assert tf.constant([[1, 2], [3, 4]])[[0, 1]].numpy() == 2


@behaviour("T16")
@pytest.mark.parametrize(
    "key",
    [tf.constant([0, 1]), np.array([0, 1]), 1.0, "a", tf.constant(1.0), (0, 1.5), object()],
    ids=["tensor", "array", "float", "str", "float tensor", "tuple", "object"],
)
def test_other_keys_are_type_errors(key: Any):
    with pytest.raises(TypeError, match=NO_INDEX):
        tf.constant([[1, 2], [3, 4]])[key]
    with pytest.raises(TypeError, match=NO_INDEX):
        in_graph(key)


@behaviour("T16")
def test_true_is_no_mask():
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        tf.constant([1, 2])[True]
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        in_graph(True)


@behaviour("T16")
def test_an_empty_tuple_takes_everything():
    x = tf.constant([1, 2])

    assert x[()].numpy().tolist() == [1, 2]
    assert tf.constant(1)[()].numpy() == 1


@behaviour("T16")
def test_tensors_are_never_changed():
    x = tf.constant([1, 2])
    with pytest.raises(TypeError, match="does not support item assignment"):
        x[0] = 1
    with pytest.raises(TypeError, match=r"(does not|doesn't) support item deletion"):
        del x[0]


@behaviour("T16")
@pytest.mark.parametrize("index", [5, -1])
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_gather_checks_its_indices(mode: str, index: int):
    gather = tf.function(tf.gather) if mode == "graph" else tf.gather
    words = rf"indices\[0\] = {index} is not in \[0, 2\)"
    with pytest.raises(InvalidArgumentError, match=words):
        gather(tf.constant([1, 2]), tf.constant([index]))
