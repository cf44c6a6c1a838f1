"""Datasets of examples in files, of rows of databases, of sparse batches."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tests.ops.records.wire_bytes import example

experimental = tf.data.experimental
FEATURES = {"x": tf.io.FixedLenFeature([], tf.int64), "y": tf.io.VarLenFeature(tf.float32)}


@pytest.fixture
def files(tmp_path: Path) -> str:
    """A pattern of two files of five examples each."""
    for name, first in (("one", 0), ("two", 10)):
        with tf.io.TFRecordWriter(str(tmp_path / name)) as writer:
            for number in range(first, first + 5):
                writer.write(example(x=[number], y=[number / 2]))
    return str(tmp_path / "*")


def test_examples_of_files_come_in_batches(files: str) -> None:
    def read(**options: Any) -> list[Any]:
        dataset = experimental.make_batched_features_dataset(
            files, 4, FEATURES, shuffle=False, **options
        )
        return [one["x"].numpy().tolist() for one in dataset.take(4)]

    assert [[0, 1, 2, 3], [4, 10, 11, 12], [13, 14]] == read(num_epochs=1)
    assert [[0, 1, 2, 3], [4, 10, 11, 12]] == read(num_epochs=1, drop_final_batch=True)
    assert [[0, 1, 2, 3], [4, 10, 11, 12], [13, 14, 0, 1], [2, 3, 4, 10]] == read()
    assert [[0, 10, 1, 11], [2, 12, 3, 13], [4, 14]] == read(num_epochs=1, reader_num_threads=2)


def test_a_feature_is_the_label(files: str) -> None:
    dataset = experimental.make_batched_features_dataset(files, 2, FEATURES, label_key="x")
    rest, labels = next(iter(dataset))

    assert ["y"] == list(rest)
    assert (2,) == labels.shape
    assert [2, None] == dataset.element_spec[0]["y"].shape
    with pytest.raises(ValueError, match="label_key"):
        experimental.make_batched_features_dataset(files, 2, FEATURES, label_key="z")
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files match"):
        experimental.make_batched_features_dataset(f"{files}.none", 2, FEATURES)


def test_a_reader_may_give_pairs(files: str) -> None:
    def pairs(name: Any) -> Any:
        return tf.data.TFRecordDataset(name).map(lambda text: (name, text))

    dataset = experimental.make_batched_features_dataset(
        files, 10, FEATURES, reader=pairs, shuffle=False, num_epochs=1
    )

    assert [0, 1, 2, 3, 4, 10, 11, 12, 13, 14] == next(iter(dataset))["x"].numpy().tolist()


def test_vectors_of_strings_are_parsed(files: str) -> None:
    texts = tf.data.TFRecordDataset(tf.io.gfile.glob(files)[0])
    parse = experimental.parse_example_dataset(FEATURES)

    assert [[0, 1], [2, 3], [4]] == [
        one["x"].numpy().tolist() for one in texts.batch(2).apply(parse)
    ]
    with pytest.raises(TypeError, match="vectors of strings"):
        texts.apply(parse)
    with pytest.raises(ValueError, match="empty"):
        texts.apply(experimental.parse_example_dataset({}))


def test_datasets_are_written_into_files(tmp_path: Path) -> None:
    path, words = str(tmp_path / "words"), tf.data.Dataset.from_tensor_slices(["a", "b"])
    experimental.TFRecordWriter(path, "GZIP").write(words)

    assert [b"a", b"b"] == [one.numpy() for one in tf.data.TFRecordDataset(path, "GZIP")]
    several: tuple[Any, ...] = (3, tf.data.Dataset.range(2), words.batch(2))
    for wrong in several:
        with pytest.raises(TypeError, match="Expected a dataset"):
            experimental.TFRecordWriter(path).write(wrong)


# ---------------------------------------------------------------- rows of a database


@pytest.fixture
def database(tmp_path: Path) -> str:
    path = str(tmp_path / "a database?.db")
    made = sqlite3.connect(path)
    made.execute("create table t (i integer, f real, s text)")
    made.executemany(
        "insert into t values (?, ?, ?)", [(1, 1.5, "é"), (None, None, None), (2**40, -2.5, "12x")]
    )
    made.commit()
    made.close()
    return path


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (
            (tf.int64, tf.float64, tf.string),
            [(1, 1.5, "é".encode()), (0, 0.0, b""), (2**40, -2.5, b"12x")],
        ),
        ((tf.int32, tf.int64, tf.int16), [(1, 1, 0), (0, 0, 0), (0, -2, 12)]),
        ((tf.bool, tf.string, tf.float64), [(True, b"1.5", 0.0), (False, b"", 0.0),
                                            (True, b"-2.5", 12.0)]),
    ],
)  # fmt: skip
def test_values_are_converted_as_sqlite_does(
    database: str, types: tuple[Any, ...], expected: list[Any]
) -> None:
    dataset = experimental.SqlDataset("sqlite", database, "select * from t", types)

    assert expected == [tuple(one.numpy() for one in row) for row in dataset]


def test_queries_that_fail_say_so(database: str, tmp_path: Path) -> None:
    def read(path: str, query: str) -> Any:
        return list(experimental.SqlDataset("sqlite", path, query, (tf.int64,)))

    with pytest.raises(tf.errors.UnknownError, match="syntax"):
        read(database, "nonsense")
    with pytest.raises(tf.errors.UnknownError):
        read(str(tmp_path / "none.db"), "select 1")
    with pytest.raises(tf.errors.InvalidArgumentError, match="number of columns"):
        read(database, "select i, f from t")
    with pytest.raises(tf.errors.InvalidArgumentError, match="sqlite"):
        experimental.SqlDataset("mysql", database, "select 1", (tf.int64,))
    with pytest.raises(tf.errors.InvalidArgumentError, match="output_types"):
        experimental.SqlDataset("sqlite", database, "select 1", (tf.float32,))
    assert ["a database?.db"] == [path.name for path in tmp_path.iterdir()]


# ---------------------------------------------------------------- sparse batches


def rows() -> tf.data.Dataset:
    return tf.data.Dataset.range(1, 5).map(lambda n: tf.fill([n], n))


def test_elements_of_several_sizes_are_rows_of_a_sparse_tensor() -> None:
    first, second = rows().sparse_batch(2, [4])
    loose = next(iter(rows().apply(experimental.dense_to_sparse_batch(3, [None]))))

    assert [[0, 0], [1, 0], [1, 1]] == first.indices.numpy().tolist()
    assert [1, 2, 2] == first.values.numpy().tolist()
    assert [2, 4] == second.dense_shape.numpy().tolist()
    assert [3, 3] == loose.dense_shape.numpy().tolist()
    assert tf.SparseTensorSpec([None, 4], tf.int64) == rows().sparse_batch(2, [4]).element_spec


def test_scalars_are_rows_too() -> None:
    batch = next(iter(tf.data.Dataset.range(2).sparse_batch(2, [])))

    assert [[0], [1]] == batch.indices.numpy().tolist()


def test_elements_fit_into_their_rows() -> None:
    with pytest.raises(tf.errors.DataLossError, match="larger"):
        list(rows().sparse_batch(2, [2]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="incompatible"):
        list(rows().sparse_batch(2, [4, 4]))
    with pytest.raises(TypeError, match="single dense"):
        tf.data.Dataset.from_tensors((1, 2)).sparse_batch(2, [])
