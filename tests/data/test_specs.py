"""What datasets say of themselves: specs, lengths, text, options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

Dataset = tf.data.Dataset
SCALAR = tf.TensorSpec([], tf.int64)


def test_text_is_tensorflows() -> None:
    assert ("<_RangeDataset element_spec=TensorSpec(shape=(), dtype=tf.int64, name=None)>") == repr(
        Dataset.range(3)
    )
    assert (
        "DatasetSpec(TensorSpec(shape=(), dtype=tf.int64, name=None), TensorShape([]))"
    ) == repr(tf.data.DatasetSpec(SCALAR))
    assert "IteratorSpec(TensorSpec(shape=(), dtype=tf.int64, name=None),)" == repr(
        tf.data.IteratorSpec(SCALAR)
    )
    assert "OptionalSpec(TensorSpec(shape=(), dtype=tf.int64, name=None),)" == repr(
        tf.OptionalSpec(SCALAR)
    )


@pytest.mark.parametrize(
    ("expected", "dataset"),
    [
        (3, Dataset.range(3)),
        (1, Dataset.from_tensors(1)),
        (2, Dataset.range(3).batch(2)),
        (1, Dataset.range(3).batch(2, drop_remainder=True)),
        (2, Dataset.range(3).padded_batch(2)),
        (1, Dataset.range(3).padded_batch(2, drop_remainder=True)),
        (-1, Dataset.range(3).repeat().padded_batch(2)),
        (-2, Dataset.range(3).filter(lambda x: x > 0)),
        (-2, Dataset.range(3).batch(2).unbatch()),
        (4, Dataset.range(4).batch(2, drop_remainder=True).unbatch()),
        (-1, Dataset.range(3).repeat()),
        (0, Dataset.range(3).repeat(0)),
        (6, Dataset.range(3).repeat(2)),
        (1, Dataset.range(3).take(1)),
        (3, Dataset.range(3).take(-1)),
        (2, Dataset.range(3).skip(1)),
        (0, Dataset.range(3).skip(-1)),
        (3, Dataset.range(3).shuffle(2).prefetch(1).cache().enumerate()),
        (5, Dataset.range(3).concatenate(Dataset.range(2))),
        (2, Dataset.range(3).shard(2, 0)),
        (-2, Dataset.range(3).flat_map(Dataset.range)),
        (2, Dataset.range(3).window(2)),
        (1, Dataset.zip(Dataset.range(1), Dataset.range(2).repeat())),
        (-1, Dataset.random()),
        (-1, Dataset.counter()),
        (-2, Dataset.range(3).unique()),
        (7, Dataset.range(9).apply(tf.data.experimental.assert_cardinality(7))),
    ],
)
def test_cardinality(expected: int, dataset: Any) -> None:
    assert expected == dataset.cardinality()
    assert tf.int64 == dataset.cardinality().dtype


def test_a_class_of_datasets_is_called_by_what_made_them() -> None:
    numbers = tf.data.Dataset.range(4)
    made = {
        "_RangeDataset": numbers,
        "_MapDataset": numbers.map(lambda n: n),
        "_ParallelMapDataset": numbers.map(lambda n: n, num_parallel_calls=2),
        "_BatchDataset": numbers.batch(2),
        "_ShuffleDataset": numbers.shuffle(2),
        "_VariantDataset": next(iter(numbers.window(2))),
    }

    assert [*made] == [type(one).__name__ for one in made.values()]
    assert all(isinstance(one, tf.data.Dataset) for one in made.values())
    private: Any = tf.data.Dataset.zip(made["_BatchDataset"], numbers)
    assert [made["_BatchDataset"], numbers] == private._inputs()
    assert [numbers] == made["_BatchDataset"]._inputs()


def test_len() -> None:
    assert 4 == len(Dataset.range(7).batch(2))
    with pytest.raises(TypeError, match="length is unknown"):
        len(Dataset.range(7).filter(lambda x: x > 2))
    with pytest.raises(TypeError, match="infinite"):
        len(Dataset.range(7).repeat())
    assert bool(Dataset.range(0))


def test_a_wrong_cardinality_is_an_error() -> None:
    dataset = Dataset.range(3).apply(tf.data.experimental.assert_cardinality(2))

    with pytest.raises(tf.errors.FailedPreconditionError, match="expected to contain 2"):
        list(dataset)


@pytest.mark.parametrize(("count", "words"), [(2, "at least 3 elements"), (5, "only 3 elements")])
def test_a_wrong_cardinality_is_told_as_often_as_asked(count: int, words: str) -> None:
    wrong = Dataset.range(3).apply(tf.data.experimental.assert_cardinality(count))
    iterator = iter(wrong.map(lambda x: x))
    for number in range(min(count, 3)):
        assert number == next(iterator)

    with pytest.raises(tf.errors.FailedPreconditionError, match=words):
        next(iterator)
    for _ in range(2):
        with pytest.raises(tf.errors.FailedPreconditionError, match=f"expected to contain {count}"):
            next(iterator)


def test_batches_know_their_size_if_they_drop_the_rest() -> None:
    assert tf.TensorSpec([None], tf.int64) == Dataset.range(3).batch(2).element_spec
    assert tf.TensorSpec([2], tf.int64) == Dataset.range(3).batch(2, True).element_spec
    assert SCALAR == Dataset.range(3).batch(2).unbatch().element_spec


def test_what_is_concatenated_has_what_is_common() -> None:
    wide = Dataset.from_tensors([1, 2]).concatenate(Dataset.from_tensors([1]))

    assert tf.TensorSpec([None], tf.int32) == wide.element_spec
    with pytest.raises(TypeError, match="Incompatible dataset elements"):
        Dataset.range(3).concatenate(Dataset.from_tensors(1.0))


def test_policies_have_tensorflows_numbers() -> None:
    policies = ("AutoShardPolicy", "ExternalStatePolicy", "AutotuneAlgorithm")
    numbers = [[int(one.value) for one in getattr(tf.data.experimental, name)] for name in policies]

    assert [[-1, 0, 1, 2, 3], [0, 1, 2], [0, 1, 2, 3, 4]] == numbers


def test_options_are_merged_and_checked() -> None:
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    policy = tf.data.experimental.ExternalStatePolicy.IGNORE
    options.experimental_external_state_policy = policy
    later = tf.data.Options()
    later.deterministic = True
    dataset = Dataset.range(3).with_options(options).batch(2).with_options(later)

    assert dataset.options().experimental_optimization.apply_default_optimizations is False
    assert dataset.options().experimental_deterministic is True
    assert policy is dataset.options().experimental_external_state_policy
    assert tf.data.Options() == Dataset.range(3).options()
    with pytest.raises(AttributeError, match="Cannot set the property"):
        options.determinstic = True


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("", "deterministic", 1),
        ("", "deterministic", None),
        ("", "threading", 3),
        ("autotune", "cpu_budget", "2"),
        ("autotune", "enabled", 0),
        ("threading", "private_threadpool_size", 1.5),
        ("experimental_optimization", "map_fusion", 1),
        ("experimental_distribute", "auto_shard_policy", 2),
    ],
)
def test_an_option_has_values_of_its_own_type(group: str, name: str, value: Any) -> None:
    options = tf.data.Options()
    options.threading.private_threadpool_size = True  # a bool is an int

    with pytest.raises(TypeError, match=f'Property "{name}" must be of type'):
        setattr(getattr(options, group) if group else options, name, value)


def test_specs_are_compatible_where_elements_are() -> None:
    wide, narrow = (tf.data.DatasetSpec(tf.TensorSpec([size])) for size in (None, 2))

    assert wide.is_compatible_with(narrow)
    assert narrow.is_subtype_of(wide)
    assert wide == narrow.most_specific_common_supertype([wide])
    assert hash(tf.data.DatasetSpec(SCALAR)) == hash(tf.data.DatasetSpec(SCALAR))


def test_iterators_know_their_elements() -> None:
    iterator = iter(Dataset.range(2))

    assert SCALAR == iterator.element_spec
    assert isinstance(iterator, tf.data.Iterator)
    assert tf.data.IteratorSpec(SCALAR) == tf.type_spec_from_value(iterator)


@pytest.mark.parametrize("name", ["uint8", "int64", "float64", "bool", "complex64", "bfloat16"])
@pytest.mark.parametrize("make", ["from_tensors", "from_tensor_slices"])
def test_lists_of_arrays_keep_their_dtype(make: str, name: str):
    rows = [np.ones(2, tf.as_dtype(name).as_numpy_dtype)] * 3

    for element in (rows, [rows, rows], {"a": rows}):
        spec = getattr(tf.data.Dataset, make)(element).element_spec
        assert {one.dtype for one in tf.nest.flatten(spec)} == {tf.as_dtype(name)}


def test_other_lists_have_the_dtype_of_constants():
    small, wide = np.ones(2, np.uint8), np.ones(2, np.int64)

    for rows in ([small, wide], [small, [1, 2]], [np.uint8(1), np.uint8(2)]):
        assert tf.data.Dataset.from_tensors(rows).element_spec.dtype == tf.int32


def test_options_that_nobody_set_change_nothing() -> None:
    off = tf.data.experimental.AutoShardPolicy.OFF
    options = tf.data.Options()
    assert options.experimental_distribute.auto_shard_policy is not off
    options.experimental_distribute.auto_shard_policy = off
    dataset = tf.data.Dataset.range(3).with_options(options).with_options(tf.data.Options())

    assert off is dataset.options().experimental_distribute.auto_shard_policy
    assert options == options.merge(tf.data.Options())


def test_a_default_that_is_set_is_the_default() -> None:
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.AUTO

    assert tf.data.Options() == options
