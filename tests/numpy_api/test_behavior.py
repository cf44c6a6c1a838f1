"""Tensors after `experimental_enable_numpy_behavior`: NumPy's promotion, keys and methods."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tensormill as tf

from .switching import put_back

tnp = tf.experimental.numpy

X = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)


@pytest.fixture(autouse=True)
def switch() -> Iterator[None]:
    with put_back():
        yield


@pytest.fixture(name="legacy")
def legacy_behavior() -> None:
    tnp.experimental_enable_numpy_behavior()


# What TensorFlow 2.21 says; it has no bfloat16 beside numbers of Python's.
DTYPES = "bool uint8 int8 int32 int64 uint64 float16 float32 float64 complex64".split()
NUMBERS: dict[str, Any] = {
    "True": True, "1": 1, "1.5": 1.5, "1j": 1j, "[1.5]": [1.5], "int64": np.int64(1),
    "float64": np.array([1.5]),
}  # fmt: skip


@pytest.mark.usefixtures("legacy")
@pytest.mark.parametrize("first", DTYPES)
def test_operators_promote_as_numpy_does(first: str) -> None:
    for second in DTYPES[1:]:
        x, y = tf.ones([2], first), tf.ones([2], second)
        expected = np.result_type(first, second)
        assert (first, second, expected) == (first, second, (x + y).numpy().dtype)
        assert expected == (y * x).numpy().dtype
        assert (x == y).numpy().all()


@pytest.mark.usefixtures("legacy")
@pytest.mark.parametrize("first", DTYPES[1:])
def test_numbers_of_python_are_weak_and_others_are_not(first: str) -> None:
    x = tf.ones([1], first)
    for name, number in NUMBERS.items():
        weak = number[0] if isinstance(number, list) else number
        expected = np.result_type(np.dtype(first), weak)
        assert (name, expected) == (name, (x + number).numpy().dtype)
        assert (name, expected) == (name, (number + x).numpy().dtype)


@pytest.mark.usefixtures("legacy")
def test_what_is_no_array_is_left_as_it_is() -> None:
    x = tf.constant([1.0, 2.0])

    assert (x == None) is False  # noqa: E711
    assert [2.0, 3.0] == (x + tf.Variable([1.0, 1.0])).numpy().tolist()
    assert "float64" == (tf.Variable([1.0, 2.0]) + np.array([1.0, 2.0])).dtype.name
    with pytest.raises((TypeError, ValueError)):
        x + "a"
    assert b"ab" == (tf.constant("a") + "b").numpy()


@pytest.mark.usefixtures("legacy")
@pytest.mark.parametrize(
    "operation", [operator.truediv, operator.floordiv, operator.pow, operator.mod]
)
def test_other_operators_promote_too(operation: Callable[[Any, Any], Any]) -> None:
    x, y = tf.constant([7, 8]), tf.constant([2.0, 3.0])

    np.testing.assert_array_equal(operation(x.numpy(), y.numpy()), operation(x, y).numpy())


@pytest.mark.sampled
@pytest.mark.usefixtures("legacy")
@pytest.mark.parametrize("x", [np.arange(3), X[0, :, 0], X[0].T, X[:, :, :3]])
@pytest.mark.parametrize("y", [np.arange(3.0), X[1, :, 1], X[1], [1.0, 2.0, 3.0]])
def test_products_are_of_vectors_too(x: Any, y: Any) -> None:
    expected = np.matmul(x, y)
    traced = tf.function(
        lambda x, y: x @ y, input_signature=[tf.TensorSpec([None] * np.ndim(one)) for one in (x, y)]
    )

    for found in (tf.constant(x) @ y, x @ tf.constant(y), tf.Variable(x) @ tf.constant(y)):
        np.testing.assert_allclose(expected, found.numpy(), rtol=1e-6)
    np.testing.assert_allclose(expected, traced(tf.cast(x, tf.float32), y).numpy(), rtol=1e-6)


@pytest.mark.usefixtures("legacy")
def test_products_find_vectors_at_run_time() -> None:
    product = tf.function(lambda x, y: x @ y, input_signature=[tf.TensorSpec(None)] * 2)

    for x, y in ((X[0].T, X[1]), (X[0].T, X[1, :, 1]), (X[0, :, 0], X[1])):
        np.testing.assert_allclose(x @ y, product(x, y).numpy(), rtol=1e-6)


@pytest.mark.usefixtures("legacy")
def test_functions_ask_for_one_dtype_still() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.add(tf.constant([1]), tf.constant([1.0]))


def test_the_mode_off_promotes_nothing() -> None:
    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="off")

    assert (4, 3, 2) == tf.constant(X).T.shape
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.constant([1]) + tf.constant([1.0])
    with pytest.raises(ValueError, match="none of off, legacy, safe, all"):
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="numpy")


def test_floats_may_be_preferred_short() -> None:
    tnp.experimental_enable_numpy_behavior(prefer_float32=True)

    assert tf.float32 is tnp.asarray(1.5).dtype
    assert tf.float32 is tnp.add(np.int8(1), 1.5).dtype
    assert tf.complex64 is tnp.asarray(1j).dtype
    assert tf.float64 is tnp.asarray(np.array([1.5])).dtype
    assert tf.int64 is tnp.asarray(1).dtype


ROWS, COLUMNS = np.array([1, 0]), np.array([[2], [-1]])
KEYS: dict[str, Any] = {
    "a list": [1, 0, 1],
    "negative places": [-1],
    "nothing": [],
    "two lists": ([1, 0], [2, 1]),
    "a matrix": np.array([[0, 1], [1, 0]]),
    "broadcast": (ROWS, COLUMNS),
    "behind a slice": (slice(None), [2, 0]),
    "behind everything": (..., [3, 0]),
    "before slices": ([1], slice(None, 2)),
    "apart": ([0, 1], slice(None), [1, 2]),
    "apart by a new axis": ([0, 1], None, [1, 2]),
    "new axes": (None, [0, 1], slice(None), None),
    "with a number": ([0, 1], 1),
    "in the middle": (slice(None), [2, 0], slice(1, 3)),
    "a reversed slice": (slice(None, None, -1), [2, 0]),
    "a mask": X > 5,
    "a list of bools": [True, False],
    "a mask of two axes": np.array([[True, False, True], [False, True, False]]),
    "a mask behind": (slice(None), slice(None), [True, False, True, False]),
    "a mask and places": ([True, True], [0, 2]),
    "a mask and a number": (np.array([False, True]), 0),
    "numbers": (1, 2),
    "no array": (slice(1), ..., None),
}


@pytest.mark.sampled
@pytest.mark.usefixtures("legacy")
@pytest.mark.parametrize("name", KEYS)
def test_keys_mean_what_they_mean_to_numpy(name: str) -> None:
    key = KEYS[name]
    expected = X[key]

    def as_tensors(part: Any) -> Any:
        return tf.constant(part) if isinstance(part, np.ndarray) else part

    of_tensors = tuple(map(as_tensors, key)) if isinstance(key, tuple) else as_tensors(key)
    unknown = tf.function(
        lambda x: x[of_tensors], input_signature=[tf.TensorSpec([None, None, None])]
    )
    for found in (tf.constant(X)[key], tf.constant(X)[of_tensors], unknown(X)):
        assert expected.shape == found.shape
        np.testing.assert_array_equal(expected, found.numpy())


@pytest.mark.usefixtures("legacy")
@pytest.mark.parametrize(("key", "expected"), [
    ((0, slice(None), [1, 2]), X[0][:, [1, 2]]), ((-1, None, [1, 2]), X[-1][None, [1, 2]]),
    ((slice(None), 0, [[1, 2]]), X[:, 0][:, [[1, 2]]]),
    (([1, 0], 0, [1, 2]), X[:, 0][[1, 0], [1, 2]]),
    ((0, slice(None), [True, False, True, False]), X[0][:, [0, 2]]),
])  # fmt: skip
def test_a_number_does_not_move_the_axes_of_a_list(key: Any, expected: Any) -> None:
    """As TensorFlow's keys do; NumPy's would bring those of a list apart from a number in front."""
    found = tf.constant(X)[key].numpy()

    assert expected.shape == found.shape
    np.testing.assert_array_equal(found, expected)


@pytest.mark.usefixtures("legacy")
def test_gradients_flow_through_keys() -> None:
    x = tf.constant(X[0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = tf.reduce_sum(x[[0, 0], [1, 1]]) + tf.reduce_sum(x[[2, 2]])
    expected = np.zeros((3, 4), np.float32)
    expected[0, 1] += 2
    expected[2] += 2

    np.testing.assert_array_equal(expected, tape.gradient(total, x))


@pytest.mark.usefixtures("legacy")
@pytest.mark.parametrize(
    ("error", "key"),
    [
        (IndexError, 1.0), (IndexError, "a"), (IndexError, [0.5]), (ValueError, True),
        (IndexError, ([0], [0], [0], [0])), (IndexError, (..., [True])),
        (IndexError, ([0], [True, False])), (tf.errors.InvalidArgumentError, [5]),
        (tf.errors.InvalidArgumentError, ([0, 1], [0, 1, 2])), (tf.errors.InvalidArgumentError, 5),
    ],
)  # fmt: skip
def test_keys_that_mean_nothing_are_refused(error: type[Exception], key: Any) -> None:
    with pytest.raises(error):
        tf.constant(X)[key]


@pytest.mark.usefixtures("legacy")
def test_masks_of_another_size_are_refused_at_run_time_too() -> None:
    specs = [tf.TensorSpec([None, None, None]), tf.TensorSpec([None], tf.bool)]
    taken = tf.function(lambda x, mask: x[:, mask, 0], input_signature=specs)

    np.testing.assert_array_equal(X[:, :2, 0], taken(X, [True, True, False]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        taken(X, [True, True])


METHODS: dict[str, Callable[[Any], Any]] = {
    "T": lambda x: x.T,
    "astype": lambda x: x.astype(np.int16),
    "astype int": lambda x: x.astype(int),
    "clip": lambda x: x.clip(2, 4),
    "flatten": lambda x: x.flatten("F"),
    "max": lambda x: x.max(axis=0),
    "max of all": lambda x: x.max(),
    "mean": lambda x: x.mean(1),
    "min": lambda x: x.min(0, keepdims=True),
    "ravel": lambda x: x.ravel(),
    "reshape": lambda x: x.reshape(6, -1),
    "reshape to a tuple": lambda x: x.reshape((4, 6), order="F"),
    "round": lambda x: (x + 0.26).round(1),
    "size": lambda x: x.size,
    "tolist": lambda x: x.tolist(),
    "transpose": lambda x: x.transpose((1, 0, 2)),
}


@pytest.mark.sampled
@pytest.mark.usefixtures("legacy")
@pytest.mark.parametrize("name", METHODS)
def test_tensors_have_the_methods_of_arrays(name: str) -> None:
    method = METHODS[name]
    expected = method(X)

    np.testing.assert_allclose(np.asarray(method(tf.constant(X))), expected, rtol=1e-6)
    if name not in ("tolist", "size"):
        traced = tf.function(method, autograph=False)(X)
        assert expected.dtype == traced.numpy().dtype
        np.testing.assert_allclose(expected, traced.numpy(), rtol=1e-6)


def test_without_it_tensors_are_no_arrays_and_say_what_to_call() -> None:
    with pytest.raises(AttributeError, match="experimental_enable_numpy_behavior"):
        tf.constant(X).T  # noqa: B018
    np.testing.assert_array_equal(tf.constant(X)[[0, 1]], X[0, 1])
