"""Mistakes: TensorFlow's classes, key words, and the user's line."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf
from tensormill.core.source import is_ours

from .test_elements import contents

# Mistakes are no mistakes to type checkers here.
Dataset: Any = tf.data.Dataset


def two_then_one() -> Any:
    return Dataset.range(2).map(lambda x: tf.range(x))


def bad_items() -> Any:
    return iter([1, "a"])


def ending(_: Any) -> Any:
    return tf.numpy_function(lambda: next(iter(())), [], tf.int64)


RAGGED = tf.ragged.constant([[1], []])
SCALAR = tf.TensorSpec([], tf.int32)


@pytest.mark.parametrize(
    ("error", "words", "mistake"),
    [
        (ValueError, "rank >= 1", lambda: Dataset.from_tensor_slices(3)),
        (
            ValueError,
            "2 and 1 are not compatible",
            lambda: Dataset.from_tensor_slices(([1, 2], [1])),
        ),
        (ValueError, "must not be empty", lambda: Dataset.from_tensor_slices(())),
        (ValueError, "rank >= 1", lambda: Dataset.range(3).unbatch()),
        (ValueError, "len", lambda: Dataset.range()),
        (tf.errors.InvalidArgumentError, "greater than zero", lambda: Dataset.range(3).batch(0)),
        (tf.errors.InvalidArgumentError, "between 0 and 1", lambda: Dataset.range(3).shard(2, 2)),
        (tf.errors.InvalidArgumentError, "Shapes are", lambda: contents(two_then_one().batch(2))),
        (
            TypeError,
            "Incompatible",
            lambda: Dataset.range(3).concatenate(Dataset.from_tensors(1.0)),
        ),
        (TypeError, "missing 1 required", lambda: Dataset.range(3).map(lambda a, b: a)),
        (TypeError, "Unsupported return value", lambda: Dataset.range(3).map(lambda a: object())),
        (ValueError, "must be a callable", lambda: Dataset.range(3).map(3)),
        (ValueError, "must return a `tf.bool`", lambda: Dataset.range(3).filter(lambda a: a)),
        (TypeError, "must return a `Dataset`", lambda: Dataset.range(3).flat_map(lambda a: a)),
        (AttributeError, "return a `Dataset`", lambda: Dataset.range(3).interleave(lambda a: 1)),
        (TypeError, "must return a `Dataset`", lambda: Dataset.range(3).interleave(lambda a: [a])),
        (TypeError, "must return a `tf.data.Dataset`", lambda: Dataset.range(3).apply(lambda d: 1)),
        (TypeError, "Invalid input to `zip`", lambda: Dataset.zip([Dataset.range(2)])),
        (TypeError, "component of float32", lambda: Dataset.from_tensors(1.0).unique()),
        (
            tf.errors.InvalidArgumentError,
            "a single tensor",
            lambda: Dataset.from_tensors((1, 2)).unique(),
        ),
        (
            tf.errors.InvalidArgumentError,
            "greater than zero or",
            lambda: Dataset.range(3).map(lambda x: x, num_parallel_calls=0),
        ),
        (
            tf.errors.InvalidArgumentError,
            "at most `cycle_length`",
            lambda: Dataset.range(3).interleave(Dataset.range, 2, num_parallel_calls=3),
        ),
        (TypeError, "pads tensors", lambda: Dataset.from_tensors(RAGGED).padded_batch(1)),
        (TypeError, "gives arrays", lambda: Dataset.range(3).window(2).as_numpy_iterator()),
        (
            tf.errors.InvalidArgumentError,
            "raised OutOfRangeError",
            lambda: contents(Dataset.range(3).map(ending)),
        ),
        (TypeError, "not subscriptable", lambda: Dataset.range(3)[0]),
        (TypeError, "must be a Python callable", lambda: Dataset.from_generator([1], tf.int64)),
        (TypeError, "output_signature", lambda: Dataset.from_generator(bad_items)),
        (ValueError, "not be empty", lambda: Dataset.choose_from_datasets([], Dataset.range(1))),
        (ValueError, "window_size", lambda: Dataset.range(3).group_by_window(lambda x: x, None)),
        (TypeError, "new state", lambda: Dataset.range(3).reduce(0, lambda a, b: 1.0)),
        (TypeError, "pair", lambda: Dataset.range(3).scan(0, lambda a, b: a)),
        (
            tf.errors.InvalidArgumentError,
            "could not be converted to the expected type",
            lambda: contents(Dataset.from_generator(bad_items, output_signature=SCALAR)),
        ),
        (
            tf.errors.InvalidArgumentError,
            "of shape",
            lambda: contents(
                Dataset.from_generator(lambda: iter([[1, 2]]), output_signature=SCALAR)
            ),
        ),
    ],
)
def test_a_mistake_is_named(error: type[Exception], words: str, mistake: Callable[[], Any]) -> None:
    with pytest.raises(error, match=words):
        mistake()


def test_what_a_generator_raises_is_passed_on() -> None:
    def failing() -> Any:
        yield 1
        raise KeyError("gone")

    iterator = iter(Dataset.from_generator(failing, tf.int64))

    assert 1 == next(iterator)
    with pytest.raises(tf.errors.UnknownError, match="KeyError: 'gone'"):
        next(iterator)


def test_the_line_of_a_function_is_shown() -> None:
    def divide(x: Any) -> Any:
        return 6 // x  # this line

    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        contents(Dataset.range(3).map(divide))

    assert "passed to Dataset.map" in str(raised.value)
    assert "6 // x  # this line" in str(raised.value)
    assert raised.value.__cause__ is None
    files = [frame.filename for frame in traceback.extract_tb(raised.value.__traceback__)]
    assert sum(map(is_ours, files)) <= 3


def test_the_end_is_a_stop_iteration_or_an_out_of_range_error() -> None:
    iterator = iter(Dataset.range(1))
    next(iterator)

    with pytest.raises(StopIteration):
        next(iterator)
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        iterator.get_next()
    assert not iterator.get_next_as_optional().has_value()


def test_a_symbolic_dataset_is_not_left_outside() -> None:
    kept: list[Any] = []

    @tf.function
    def leak(n: Any) -> Any:
        kept.append(Dataset.range(n))
        return n

    leak(tf.constant(3, tf.int64))

    with pytest.raises(TypeError, match="out of scope"):
        next(iter(kept[0]))


@pytest.mark.parametrize(
    ("bounds", "dtype"),
    [((4,), tf.string), ((4,), tf.bool), ((4,), tf.qint8), ((-2, 2), tf.uint8), ((257,), tf.uint8)],
)
def test_a_range_counts_what_its_dtype_holds(bounds: Any, dtype: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        list(Dataset.range(*bounds, output_type=dtype))

    assert [0, 255] == [*Dataset.range(0, 256, 255, output_type=tf.uint8).as_numpy_iterator()]
