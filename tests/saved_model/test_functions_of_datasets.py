"""Functions that go over datasets, in SavedModels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensormill as tf


def saved(module: Any, path: Path, **functions: Any) -> Any:
    for name, function in functions.items():
        setattr(module, name, function)
    tf.saved_model.save(module, str(path))
    return tf.saved_model.load(str(path))


def test_what_calls_python_is_told_of(tmp_path: Path, caplog: Any) -> None:
    @tf.function(input_signature=[])
    def yielded() -> Any:
        signature = tf.TensorSpec([], tf.int64)
        numbers = tf.data.Dataset.from_generator(lambda: iter([1, 2]), output_signature=signature)
        return numbers.reduce(tf.constant(0, tf.int64), lambda a, b: a + b)

    @tf.function(input_signature=[tf.TensorSpec((), tf.int64)])
    def double(n: Any) -> Any:
        return 2 * n

    loaded = saved(tf.Module(), tmp_path, yielded=yielded, double=double)

    assert caplog.text.count("'yielded' makes a dataset that cannot be saved (GeneratorNode)") == 1
    assert loaded.double(3) == 6
    with pytest.raises(tf.errors.UnimplementedError, match="MakeDataset"):
        loaded.yielded()


def test_a_dataset_that_a_function_captured_is_made_by_it(tmp_path: Path) -> None:
    module = tf.Module()
    module.w = w = tf.Variable(2)  # type: ignore[attr-defined]
    kept = tf.data.Dataset.range(3).map(lambda n: tf.cast(n, tf.int32) * w)
    rows = tf.data.Dataset.range(2).flat_map(lambda _: kept).shuffle(1)

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def summed(start: Any) -> Any:
        for one in rows:
            start += one
        return start, kept.batch(9).get_single_element() + start

    loaded = saved(module, tmp_path, summed=summed)
    loaded.w.assign(3)

    assert [19, [19, 22, 25]] == [one.numpy().tolist() for one in loaded.summed(1)]


def test_datasets_and_iterators_are_arguments_of_loaded_functions(tmp_path: Path) -> None:
    summed = tf.function(lambda rows: rows.reduce(tf.constant(0, tf.int64), lambda a, b: a + b))
    both = tf.function(lambda rows: next(rows) + next(rows))
    numbers = tf.data.Dataset.range(5)
    assert (10, 1) == (int(summed(numbers)), int(both(iter(numbers))))

    loaded = saved(tf.Module(), tmp_path, summed=summed, both=both)

    assert 6 == int(loaded.summed(tf.data.Dataset.range(4)))
    assert 7 == int(loaded.both(iter(tf.data.Dataset.range(3, 9))))
    with pytest.raises(ValueError, match="Could not find matching"):
        loaded.summed(tf.data.Dataset.from_tensors(1.0))


def test_a_loaded_function_reads_and_caches_in_its_own_directory_only(tmp_path: Path) -> None:
    with tf.io.TFRecordWriter(str(tmp_path / "records")) as writer:
        writer.write(b"abcd")
    (tmp_path / "lines").write_text("one\ntwo\n")
    (tmp_path / "cache").mkdir()

    def read(make: Any) -> Any:
        def function() -> Any:
            return make().batch(9).get_single_element()

        return tf.function(function, input_signature=[])

    data = tf.data
    functions = {
        "lines": read(lambda: data.TextLineDataset(str(tmp_path / "lines"))),
        "records": read(lambda: data.TFRecordDataset(str(tmp_path / "records"))),
        "pieces": read(lambda: data.FixedLengthRecordDataset(str(tmp_path / "lines"), 3, 1, 1)),
        "cached": read(lambda: data.Dataset.range(2).cache(str(tmp_path / "cache" / "kept"))),
    }
    module = tf.Module()
    confined = saved(module, tmp_path / "model", **functions)
    options = tf.saved_model.LoadOptions(allowed_directories=[tmp_path])
    loaded = tf.saved_model.load(str(tmp_path / "model"), options=options)

    for name in functions:
        with pytest.raises(tf.errors.PermissionDeniedError):
            getattr(confined, name)()
    assert not [*(tmp_path / "cache").iterdir()]
    assert [b"one", b"two"] == loaded.lines().numpy().tolist()
    assert [b"abcd"] == loaded.records().numpy().tolist()
    assert [b"ne\n", b"two"] == loaded.pieces().numpy().tolist()
    assert [0, 1] == loaded.cached().numpy().tolist()
    assert [*(tmp_path / "cache").iterdir()]
