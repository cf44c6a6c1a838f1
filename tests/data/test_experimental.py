"""The older ways to say things give the same datasets."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

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
    assert found.element_spec == found.value_structure
    assert tf.OptionalSpec(found.element_spec) == tf.OptionalSpec.from_value(found)
    assert not tf.experimental.Optional.empty(tf.TensorSpec([])).has_value()
