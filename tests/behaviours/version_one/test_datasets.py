"""Datasets of TensorFlow 1: who has their members, and what gives such datasets again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

old, new = tf.compat.v1.data, tf.data
Make = Callable[[Any], Any]

AGAIN: dict[str, Make] = {
    "map": lambda dataset: dataset.map(tf.identity),
    "filter": lambda dataset: dataset.filter(lambda n: n > 0),
    "batch": lambda dataset: dataset.batch(2),
    "unbatch": lambda dataset: dataset.batch(2).unbatch(),
    "window": lambda dataset: dataset.window(2),
    "repeat": lambda dataset: dataset.repeat(2),
    "prefetch": lambda dataset: dataset.prefetch(1),
    "interleave": lambda dataset: dataset.interleave(new.Dataset.from_tensors),
    "concatenate": lambda dataset: dataset.concatenate(new.Dataset.range(2)),
    "with_options": lambda dataset: dataset.with_options(new.Options()),
    "apply": lambda dataset: dataset.apply(new.experimental.assert_cardinality(3)),
}
NOT_AGAIN: dict[str, Make] = {
    "enumerate": lambda dataset: dataset.enumerate(),
    "unique": lambda dataset: dataset.unique(),
    "take_while": lambda dataset: dataset.take_while(lambda n: n < 2),
    "after another one": lambda dataset: new.Dataset.range(2).concatenate(dataset),
    "zip": lambda dataset: new.Dataset.zip((dataset, dataset)),
}
MEMBERS = (
    "output_types", "output_shapes", "output_classes", "make_one_shot_iterator",
    "make_initializable_iterator", "map_with_legacy_function", "filter_with_legacy_function",
)  # fmt: skip


@behaviour("I10")
@pytest.mark.parametrize("member", MEMBERS)
def test_datasets_of_tensorflow_1_alone_have_the_older_members(member: str) -> None:
    assert hasattr(old.Dataset.range(3), member)
    assert not hasattr(new.Dataset.range(3), member)


@behaviour("I10")
def test_they_are_a_class_of_datasets() -> None:
    assert issubclass(old.Dataset, new.Dataset)
    assert "DatasetV1" == old.Dataset.__name__
    assert "DatasetV1Adapter" == type(old.Dataset.range(3)).__name__
    assert repr(new.Dataset.range(3)) == repr(old.Dataset.range(3))
    assert not isinstance(new.Dataset.range(3), old.Dataset)


@behaviour("I10")
@pytest.mark.parametrize("change", AGAIN)
def test_their_methods_give_such_datasets(change: str) -> None:
    assert isinstance(AGAIN[change](old.Dataset.range(3)), old.Dataset)
    assert not isinstance(AGAIN[change](new.Dataset.range(3)), old.Dataset)


@behaviour("I10")
@pytest.mark.parametrize("change", NOT_AGAIN)
def test_newer_methods_give_datasets_of_tensorflow_2(change: str) -> None:
    assert not isinstance(NOT_AGAIN[change](old.Dataset.range(3)), old.Dataset)


@behaviour("I10")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("TextLineDataset", ("file",)),
        ("TFRecordDataset", (["file"], "GZIP")),
        ("FixedLengthRecordDataset", ("file", 3)),
        ("experimental.RandomDataset", (1,)),
        ("experimental.CsvDataset", ("file", [tf.int32])),
        ("experimental.SqlDataset", ("sqlite", "file", "SELECT 1", (tf.int32,))),
    ],
)
def test_readers_are_of_either_kind(name: str, arguments: Any) -> None:
    first, second = old, new
    parts = name.split(".")
    for part in parts:
        first, second = getattr(first, part), getattr(second, part)
    made = first(*arguments)

    assert (f"{parts[-1]}V1", f"{parts[-1]}V2") == (
        type(made).__name__,
        type(second(*arguments)).__name__,
    )
    assert isinstance(made, old.Dataset)
    assert not isinstance(second(*arguments), old.Dataset)
    assert made.element_spec == second(*arguments).element_spec


@behaviour("I10")
def test_functions_of_the_older_package_give_them() -> None:
    dataset = new.Dataset.range(2)
    found = [
        old.experimental.Counter(),
        old.experimental.sample_from_datasets([dataset, dataset]),
        old.experimental.choose_from_datasets([dataset, dataset], dataset),
    ]

    assert all(isinstance(one, old.Dataset) for one in found)


@behaviour("I10")
def test_windows_are_described_by_themselves() -> None:
    windows = old.Dataset.range(3).window(2)

    assert {tf.data.DatasetSpec} == {
        type(one) for one in (windows.output_types, windows.output_shapes, windows.output_classes)
    }


@behaviour("I10")
def test_a_snapshot_is_said_to_be_what_reads_it(tmp_path: Any) -> None:
    assert repr(new.Dataset.range(3).snapshot(str(tmp_path))).startswith("<_MapDataset ")


@behaviour("I10")
@pytest.mark.parametrize(
    ("shapes", "error"), [(None, NotImplementedError), (True, TypeError)], ids=["own", "asked"]
)
def test_types_of_ones_own_are_not_padded(shapes: Any, error: type[Exception]) -> None:
    class Pair(tf.experimental.ExtensionType):
        x: tf.Tensor  # pyright: ignore[reportInvalidTypeForm]

    dataset = new.Dataset.from_tensors(Pair(tf.constant([1.0])))
    asked = Pair.Spec(tf.TensorSpec([2], tf.float32)) if shapes else None
    with pytest.raises(error):
        dataset.padded_batch(2, padded_shapes=asked)
