"""Elements by class, by key, by number, and tables of them: what is expected is TensorFlow's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import errors

Dataset = tf.data.Dataset
experimental = tf.data.experimental


def ints(dataset: Any) -> list[Any]:
    return [tf.nest.map_structure(lambda one: one.numpy().tolist(), element) for element in dataset]


def test_classes_are_resampled_in_tensorflows_order():
    classes = Dataset.from_tensor_slices([0, 0, 0, 1, 2, 1, 0] * 30)
    estimated = classes.rejection_resample(lambda n: n, [0.5, 0.25, 0.25], seed=0)
    told = classes.rejection_resample(lambda n: n, [0.5, 0.25, 0.25], [0.7, 0.2, 0.1], seed=0)

    first = [0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 0, 0, 1, 2, 0, 1, 0, 2, 0, 0, 0, 0, 0, 1, 2, 0, 0, 1, 2]
    assert ints(estimated)[: len(first)] == [(n, n) for n in first]
    first = [2, 1, 0, 0, 0, 1, 1, 2, 2, 1, 1, 0, 0, 0, 2, 0, 1, 1, 2, 1, 0, 2, 1, 0, 0, 2, 2, 0, 2]
    assert ints(told)[: len(first)] == [(n, n) for n in first]


def test_weights_may_be_a_dataset():
    both = [Dataset.range(5), Dataset.range(100, 105)]
    weights = Dataset.from_tensor_slices([[0.4, 0.6], [1.0, 0.0], [0.0, 1.0]])

    assert ints(Dataset.sample_from_datasets(both, weights, seed=3)) == [100, 0, 101]
    weights = Dataset.from_tensors([0.4, 0.6]).repeat()
    expected = [100, 101, 102, 0, 103, 104, 1, 2, 3, 4]
    assert ints(Dataset.sample_from_datasets(both, weights, seed=3)) == expected
    with pytest.raises(errors.InvalidArgumentError, match="weights"):
        ints(Dataset.sample_from_datasets(both, Dataset.from_tensors([0.0, 0.0, 1.0]).repeat()))


def test_groups_are_reduced_by_their_keys():
    listed = experimental.Reducer(
        init_func=lambda key: (key, tf.constant([0], tf.int64)),
        reduce_func=lambda state, n: (state[0], tf.concat([state[1], [n]], 0)),
        finalize_func=lambda key, numbers: {"key": key, "numbers": numbers},
    )
    grouped = Dataset.range(7).apply(experimental.group_by_reducer(lambda n: 2 - n % 3, listed))

    assert ints(grouped) == [
        {"key": 0, "numbers": [0, 2, 5]},
        {"key": 1, "numbers": [0, 1, 4]},
        {"key": 2, "numbers": [0, 0, 3, 6]},
    ]
    assert grouped.element_spec["numbers"] == tf.TensorSpec([None], tf.int64)
    with pytest.raises(ValueError, match="key"):
        Dataset.range(3).apply(experimental.group_by_reducer(lambda n: "a", listed))


def test_an_element_is_taken_by_its_number():
    ragged = Dataset.range(5).map(tf.range)

    assert experimental.at(Dataset.range(5, 50, 10).skip(1), 2) == 35
    assert experimental.at(ragged, 3).numpy().tolist() == [0, 1, 2]
    for number in (5, -1):
        with pytest.raises(errors.OutOfRangeError):
            experimental.at(ragged, number)
    with pytest.raises(errors.FailedPreconditionError):
        experimental.at(ragged.repeat(), 0)


def test_tables_are_made_of_datasets():
    letters = Dataset.from_tensor_slices(["a", "b", "c"])
    pairs = Dataset.zip((letters, Dataset.range(1, 4)))
    keys = tf.constant(["a", "c", "zz"])

    def found(table: Any) -> Any:
        return table.lookup(keys).numpy().tolist()

    assert found(experimental.table_from_dataset(pairs, default_value=-7)) == [1, 3, -7]
    assert found(experimental.table_from_dataset(pairs, num_oov_buckets=7, vocab_size=2))[0] == 1
    assert found(experimental.index_table_from_dataset(letters)) == [0, 2, -1]
    assert found(experimental.index_table_from_dataset(letters, num_oov_buckets=1)) == [0, 2, 3]
    refused: list[dict[str, Any]] = [{"num_oov_buckets": -1}, {"vocab_size": 0}]
    for wrong in refused:
        with pytest.raises(ValueError, match="must be"):
            experimental.index_table_from_dataset(letters, **wrong)
    with pytest.raises(TypeError):
        experimental.table_from_dataset(letters)
    with pytest.raises(errors.FailedPreconditionError):
        experimental.index_table_from_dataset(letters.concatenate(letters))


def test_dicts_are_padded_to_a_number():
    dicts = Dataset.range(1, 3).map(lambda n: {"n": n, "s": tf.strings.as_string(n)})

    padded = dicts.apply(experimental.pad_to_cardinality(3, mask_key="there"))

    assert padded.cardinality() == 3
    assert ints(padded.map(lambda one: (one["n"], one["there"]))) == [
        (1, True),
        (2, True),
        (0, False),
    ]
    for wrong in (
        Dataset.range(2),
        dicts.repeat(),
        dicts.filter(lambda one: True),
        dicts.repeat(2),
    ):
        with pytest.raises(ValueError, match="pad_to_cardinality"):
            wrong.apply(experimental.pad_to_cardinality(3))


def test_datasets_of_files_are_classes(tmp_path: Path):
    path = tmp_path / "lines"
    path.write_text("b\na\n")

    class Lines(tf.data.TextLineDataset):
        pass

    lines = Lines(str(path))
    assert isinstance(lines, Dataset)
    assert [line.numpy() for line in lines.take(1)] == [b"b"]
    kinds = (tf.data.TFRecordDataset, tf.data.FixedLengthRecordDataset, experimental.CsvDataset)
    assert all(kind.range(3).cardinality() == 3 for kind in kinds)


def test_a_numpy_iterator_goes_on_where_another_was():
    numbers = Dataset.range(9).shuffle(4, seed=1)
    iterator, other = (
        numbers.as_numpy_iterator(),
        Dataset.range(9).shuffle(4, 2).as_numpy_iterator(),
    )
    iterator.next()
    other.restore(iterator.save())

    assert list(other) == list(iterator)
    refused: list[Any] = ["?", "AAAA", np.array(b"")]
    for wrong in refused:
        with pytest.raises(errors.InvalidArgumentError):
            other.restore(wrong)
