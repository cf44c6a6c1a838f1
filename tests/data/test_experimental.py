"""The older ways to say things give the same datasets."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.data.experimental import compute_batch_size

from .test_elements import contents

Dataset = tf.data.Dataset
experimental: Any = tf.data.experimental


@pytest.mark.parametrize(
    ("expected", "transformation"),
    [
        ([(0, 0), (1, 1), (2, 2)], experimental.enumerate_dataset()),
        ([[0, 2], [4]], experimental.map_and_batch(lambda x: 2 * x, 2)),
        ([0, 1, 2], experimental.prefetch_to_device("CPU:0")),
        ([0, 1, 3], experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x))),
        ([0, 1], experimental.take_while(lambda x: x < 2)),
        ([0, 1, 2], experimental.unique()),
        ([0, 1, 2], experimental.ignore_errors()),
    ],
)
def test_transformations(expected: list[Any], transformation: Any) -> None:
    assert expected == contents(Dataset.range(3).apply(transformation))


def test_functions() -> None:
    dataset = Dataset.range(3)
    optional = experimental.get_next_as_optional(iter(dataset))

    assert 3 == experimental.cardinality(dataset)
    assert dataset.element_spec == experimental.get_structure(dataset)
    assert 7 == experimental.get_single_element(Dataset.from_tensors(7))
    assert 0 == optional.get_value()
    assert [0, 0, 1, 1] == sorted(
        contents(Dataset.range(2).apply(experimental.shuffle_and_repeat(2, 2)))
    )


BATCHES = Dataset.range(16).batch(4)


@pytest.mark.parametrize(
    ("expected", "dataset"),
    [
        (4, BATCHES),
        (5, Dataset.range(16).batch(5, drop_remainder=True)),
        (3, BATCHES.batch(3)),
        (3, Dataset.from_tensors([7]).padded_batch(3)),
        (-1, BATCHES.map(lambda x: x + 1)),
        (4, BATCHES.shuffle(3).prefetch(1).repeat().take(2).skip(1)),
        (4, BATCHES.filter(lambda x: True).cache().shard(2, 0)),
        (4, BATCHES.apply(experimental.assert_cardinality(4)).with_options(tf.data.Options())),
        (-1, BATCHES.rebatch(2)),
        (2, BATCHES.rebatch(2, drop_remainder=True)),
        (4, Dataset.zip((BATCHES, BATCHES.concatenate(BATCHES)))),
        (-1, Dataset.zip((BATCHES, Dataset.range(4).batch(2)))),
        (-1, Dataset.range(3).flat_map(lambda x: BATCHES)),
        (3, Dataset.from_tensor_slices([[1, 2, 3]])),
        (-1, Dataset.from_tensors(([1], [1, 2]))),
        (4, Dataset.range(16).ragged_batch(4)),
        (-1, Dataset.range(16).window(3)),
        (-1, BATCHES.take_while(lambda x: True)),
    ],
)
def test_the_size_of_batches_is_that_of_tensorflow(expected: int, dataset: Any) -> None:
    assert expected == compute_batch_size(dataset)
    assert expected == tf.function(lambda: compute_batch_size(dataset))()


def test_only_elements_with_rows_are_batches() -> None:
    with pytest.raises(IndexError, match="without rows"):
        compute_batch_size(Dataset.range(3))
    with pytest.raises(TypeError, match=r"tf\.data\.Dataset is wanted"):
        compute_batch_size([1])  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("elements", "spec"),
    [
        ([{"a": 1}, {"a": 2}], {"a": tf.TensorSpec([], tf.int32)}),
        ([[1, 2], [3, 4]], tf.TensorSpec([2], tf.int32)),
        ([[1], [2, 3]], tf.TensorSpec([None], tf.int32)),
        (
            [([1], "a"), ([1, 2], "b")],
            (tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.string)),
        ),
    ],
)
def test_elements_of_a_list_are_what_they_are_as_one_element(elements: Any, spec: Any) -> None:
    dataset = experimental.from_list(elements)

    assert spec == dataset.element_spec
    assert len(elements) == len(dataset)
    assert contents(dataset) == [contents(Dataset.from_tensors(one))[0] for one in elements]


@pytest.mark.parametrize("elements", [[], (1, 2), [1, "a"], [(1,), (1, 2)]])
def test_elements_of_a_list_are_built_alike(elements: Any) -> None:
    with pytest.raises(ValueError, match="elements"):
        experimental.from_list(elements)


def test_choices_go_on_where_a_dataset_has_ended() -> None:
    both = [Dataset.range(1), Dataset.range(10, 12)]
    choice = Dataset.from_tensor_slices(tf.constant([0, 1, 0, 1], tf.int64))

    assert [0, 10, 11] == contents(experimental.choose_from_datasets(both, choice))
    assert [0, 10] == contents(Dataset.choose_from_datasets(both, choice))


def test_arguments_are_looked_at_where_they_are_given() -> None:
    with pytest.raises(TypeError, match="initial_state"):
        experimental.scan()
    with pytest.raises(TypeError, match="too many"):
        experimental.unbatch(3)


def test_optionals() -> None:
    found = tf.experimental.Optional.from_value((1, {"a": 2.0}))

    assert bool(found.has_value())
    assert 2.0 == found.get_value()[1]["a"]
    assert tf.OptionalSpec(found.element_spec) == tf.OptionalSpec.from_value(found)
    assert not tf.experimental.Optional.empty(tf.TensorSpec([])).has_value()
