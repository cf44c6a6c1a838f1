"""The part of a dataset that a worker gets: what TensorFlow 2.21 gives, where no words say more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf

from .test_raw_datasets import ONE, RAW, numbers, passed, traced
from .test_raw_orders_and_files import ROW, flat, rows

OFF, AUTO, FILE, DATA, HINT = -1, 0, 1, 2, 3
LINE = {"output_types": [tf.string], "output_shapes": [[]]}


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """Three files of three lines."""
    names = [tmp_path / name for name in "abc"]
    for name in names:
        name.write_text("".join(f"{name.name}{number}\n" for number in range(3)))
    return list(map(str, names))


def part(dataset: Any, workers: Any, index: Any, **told: Any) -> Any:
    return RAW.AutoShardDataset(
        input_dataset=dataset, num_workers=workers, index=index, **{**ONE, **told}
    )


def lines(dataset: Any, policy: int, index: int, workers: int = 2) -> str:
    """The lines that a worker gets."""
    handle = getattr(dataset, "_variant_tensor", dataset)
    divided = part(handle, workers, index, auto_shard_policy=policy, **LINE)
    return " ".join(line.decode() for (line,) in passed(divided, [tf.string]))


def batches(sizes: list[int]) -> Any:
    """Ten numbers in batches of four, and these in others."""
    given = RAW.BatchDatasetV2(input_dataset=numbers(10), batch_size=4, drop_remainder=False, **ROW)
    return RAW.RebatchDatasetV2(input_dataset=given, batch_sizes=sizes, drop_remainder=False, **ROW)


@pytest.mark.parametrize(
    ("expected", "policy"),
    [([0, 1, 2, 3, 4, 5, 6], OFF), ([1, 4], AUTO), ([1, 4], DATA), ([0, 1, 2, 3, 4, 5, 6], HINT)],
)
@pytest.mark.parametrize("name", ["AutoShardDataset", "ExperimentalAutoShardDataset"])
def test_workers_get_every_so_many_th_element(expected: list[int], policy: int, name: str) -> None:
    make = getattr(RAW, name)

    assert expected == flat(
        make(input_dataset=numbers(7), num_workers=3, index=1, auto_shard_policy=policy, **ONE)
    )


def test_numbers_of_workers_may_be_unknown_while_tracing() -> None:
    def count(dataset: Any, workers: Any, index: Any) -> Any:
        return RAW.DatasetCardinality(input_dataset=part(dataset, workers, index))

    told = [tf.constant(number, tf.int64) for number in (2, 1)]
    assert 3 == tf.function(count)(numbers(7), *told)


@pytest.mark.parametrize(
    ("words", "workers", "index", "told"),
    [
        ("num_workers must be greater than zero", 0, 0, {}),
        ("index must be between 0 and 1", 2, 2, {}),
        ("index must be between 0 and 1", 2, -1, {}),
        ("auto_shard_policy must be one of .*, got 4", 2, 0, {"auto_shard_policy": 4}),
        ("num_replicas should be >= 0", 2, 0, {"num_replicas": -1}),
    ],
)
def test_workers_that_there_are_not_are_refused(
    words: str, workers: int, index: int, told: dict[str, int]
) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        part(numbers(7), workers, index, **told)


def test_what_reads_no_files_is_not_divided_by_files() -> None:
    with pytest.raises(tf.errors.NotFoundError, match="reads no files by itself"):
        part(numbers(7), 2, 0, auto_shard_policy=FILE)
    assert [0, 1] == flat(part(numbers(2), 1, 0, auto_shard_policy=FILE))


Made = Callable[[list[str]], Any]


def text(paths: Any) -> Any:
    return tf.data.TextLineDataset(paths)


def slices(paths: list[str]) -> Any:
    return tf.data.Dataset.from_tensor_slices(paths)


@pytest.mark.parametrize("policy", [AUTO, FILE])
@pytest.mark.parametrize(
    ("first", "second", "make"),
    [
        ("a0 a1 a2 c0 c1 c2", "b0 b1 b2", text),
        ("a0 a1 a2 c0", "b0 b1 b2", lambda paths: text(paths).take(4)),
        ("a1 a2 c0 c1 c2", "b1 b2", lambda paths: text(paths).skip(1)),
        ("a0 a2 c1", "b0 b2", lambda paths: text(paths).shard(2, 0)),
        ("a0 c0 a1 c1 a2 c2", "b0 b1 b2", lambda paths: slices(paths).interleave(text)),
        ("a0 a1 a2", "b0 b1 b2", lambda paths: slices(paths).take(2).interleave(text)),
        (
            "a0 a1 a2 c0 c1 c2", "b0 b1 b2",
            lambda paths: text(paths).apply(tf.data.experimental.assert_cardinality(9)),
        ),
        (
            "a0 a0 b1 b1 c2 c2", "a1 a1 b2 b2",
            lambda paths: text(paths).shard(2, 0).take(4).flat_map(
                lambda line: tf.data.Dataset.from_tensors(line).repeat(2)
            ),
        ),
    ],
)  # fmt: skip
def test_files_are_divided_where_datasets_read_them(
    first: str, second: str, make: Made, policy: int, paths: list[str]
) -> None:
    assert (first, second) == tuple(lines(make(paths), policy, index) for index in (0, 1))


@pytest.mark.parametrize(
    "make",
    [
        lambda paths: text(paths).enumerate().map(lambda _, line: line),
        lambda paths: text(paths).scan(0, lambda state, line: (state, line)),
        lambda paths: text(paths).unique(),
        lambda paths: text(paths).concatenate(tf.data.Dataset.from_tensors("z")).take(9),
        lambda paths: RAW.TextLineDataset(filenames=paths, compression_type="", buffer_size=0),
    ],
)
def test_elements_are_divided_where_files_are_not_all(make: Made, paths: list[str]) -> None:
    """Numbers of elements, and what depends on all before, are those of the whole dataset."""
    assert "a1 b0 b2 c1" == lines(make(paths), AUTO, 1)
    with pytest.raises(tf.errors.NotFoundError, match="reads no files by itself"):
        lines(make(paths), FILE, 1)


@pytest.mark.parametrize("make", [text, lambda paths: slices(paths).flat_map(text)])
def test_each_worker_must_get_a_file(make: Made, paths: list[str]) -> None:
    assert "" == lines(make(paths), AUTO, 3, workers=4)
    assert "b1" == lines(make(paths), DATA, 4, workers=7)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"3 elements \(files\) for 4 workers"):
        lines(make(paths), AUTO, 2, workers=4)


@pytest.mark.parametrize(
    ("expected", "count", "index"),
    [([], 0, 0), ([], 1, 1), ([], 2, 2), ([1], 3, 1), ([0, 3], 4, 0), (None, 1, 0), (None, 2, 1)],
)
def test_a_shard_may_have_to_leave_something_for_others(
    expected: list[int] | None, count: int, index: int
) -> None:
    shard = RAW.ShardDataset(
        input_dataset=numbers(count), num_shards=3, index=index, require_non_empty=True, **ONE
    )

    if expected is not None:
        assert expected == flat(shard)
    else:
        with pytest.raises(tf.errors.InvalidArgumentError, match="for 3 workers"):
            flat(shard)


def hinted(count: int) -> Any:
    return RAW.ShardDataset(input_dataset=numbers(count), num_shards=-1, index=0, **ONE)


def test_hints_say_where_elements_are_divided() -> None:
    double = traced(lambda number: number * 2)
    mapped = RAW.MapDataset(input_dataset=hinted(9), other_arguments=[], f=double, **ONE)
    joined = RAW.ConcatenateDataset(input_dataset=hinted(9), another_dataset=hinted(4), **ONE)

    assert [2, 8, 14] == flat(part(mapped, 3, 1, auto_shard_policy=HINT))
    assert [1, 3, 5, 7, 1, 3] == flat(part(joined, 2, 1, auto_shard_policy=HINT))
    assert [0, 1, 2] == flat(part(hinted(3), 1, 0, auto_shard_policy=HINT))


@pytest.mark.parametrize("policy", [OFF, AUTO, DATA])
def test_hints_are_heard_by_their_policy_alone(policy: int) -> None:
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"AutoShardPolicy\.HINT"):
        flat(part(hinted(9), 2, 0, auto_shard_policy=policy))
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"AutoShardPolicy\.HINT"):
        list(tf.data.Dataset.range(9).shard(tf.data.experimental.SHARD_HINT, 0))


@pytest.mark.parametrize(
    ("expected", "replicas", "after"),
    [
        ([[2, 3], [6, 7], [9]], 2, lambda dataset: dataset),
        ([[2, 3], [4, 5], [], [9]], 3, lambda dataset: dataset),
        (
            [[2, 3], [6, 7], [9]], 2,
            lambda dataset: RAW.PrefetchDataset(input_dataset=dataset, buffer_size=1, **ROW),
        ),
        (
            [[2, 3], [6, 7]], 0,
            lambda dataset: RAW.TakeDataset(input_dataset=dataset, count=9, **ROW),
        ),
    ],
)  # fmt: skip
def test_other_batches_become_equal_parts_for_replicas(
    expected: list[list[int]], replicas: int, after: Any
) -> None:
    divided = part(after(batches([2, 2])), 2, 1, num_replicas=replicas, **ROW)

    assert expected == rows(divided)


def test_other_batches_are_not_divided_among_no_replicas() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_replicas must be at least 1"):
        part(batches([2, 2]), 2, 1, **ROW)
    assert [[0, 1], [2, 3], [4, 5]] == rows(
        RAW.TakeDataset(
            input_dataset=part(batches([2]), 2, 1, auto_shard_policy=OFF, **ROW), count=3, **ROW
        )
    )
