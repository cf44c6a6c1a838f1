"""A pass over a dataset goes on after an element that failed, with what TensorFlow 2.21 gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf

from .test_files import record

Dataset = tf.data.Dataset
FAILED = "failed"


def checked(x: Any) -> Any:
    tf.debugging.assert_none_equal(x, tf.constant(5, tf.int64))
    return x


def numbers() -> Any:
    """0 to 11, of which 5 fails."""
    return Dataset.range(12).map(checked)


def twice(x: Any) -> Any:
    return Dataset.from_tensors(x).repeat(2)


def in_lists(data: Any, key: Callable[[Any], Any] = lambda x: x % 2) -> Any:
    return data.group_by_window(key, lambda _, window: window.batch(2), window_size=2)


def passed(dataset: Any) -> list[Any]:
    """The elements, and FAILED for those that are none."""
    found: list[Any] = []
    iterator = iter(dataset)
    while len(found) < 60:
        try:
            found.append(next(iterator).numpy().tolist())
        except StopIteration:
            return found
        except tf.errors.InvalidArgumentError:
            found.append(FAILED)
    raise AssertionError(f"it does not end: {found}")


def spread(*parts: Any) -> list[Any]:
    return [one for part in parts for one in (part if isinstance(part, range) else [part])]


MAPPED = spread(range(5), FAILED, range(6, 12))
CASES: dict[str, tuple[Callable[[], Any], list[Any]]] = {
    "take": (lambda: numbers().take(9), spread(range(5), FAILED, range(6, 10))),
    "skip": (lambda: numbers().skip(2), spread(range(2, 5), FAILED, range(6, 12))),
    "skip again": (lambda: numbers().skip(6), [FAILED]),
    "shard": (lambda: numbers().shard(2, 0), [0, 2, 4, FAILED, 7, 9, 11]),
    "shard of three": (
        lambda: numbers().shard(3, 0),
        [0, 3, FAILED, 8, 11],
    ),
    "shuffle": (
        lambda: numbers().shuffle(3, seed=1),
        [1, 3, 0, FAILED, 6, 2, 7, 8, 9, 4, 10, 11],
    ),
    "cache": (lambda: numbers().cache().repeat(2), MAPPED + spread(range(5), range(6, 12))),
    "unique": (lambda: numbers().unique(), MAPPED),
    "prefetch": (lambda: numbers().filter(lambda x: x >= 0).prefetch(2), MAPPED),
    "zip": (
        lambda: Dataset.zip(numbers(), numbers(), Dataset.range(12)).map(lambda x, y, z: z - y),
        [0] * 5 + [FAILED] + [0] * 6,
    ),
    "enumerate": (
        lambda: numbers().enumerate().map(lambda number, x: number - x),
        [0] * 5 + [FAILED] + [0] * 6,
    ),
    "batch": (lambda: numbers().batch(2), [[0, 1], [2, 3], FAILED, [6, 7], [8, 9], [10, 11]]),
    "batch of a function's results": (
        lambda: numbers().map(lambda x: x + 1).batch(4),
        [[1, 2, 3, 4], FAILED, [9, 10, 11, 12]],
    ),
    "batch of others": (
        lambda: numbers().filter(lambda x: x >= 0).batch(4),
        [[0, 1, 2, 3], FAILED, [6, 7, 8, 9], [10, 11]],
    ),
    "batch of results for others": (
        lambda: numbers().prefetch(2).map(lambda x: x + 1).batch(4),
        [[1, 2, 3, 4], FAILED, [9, 10, 11, 12]],
    ),
    "batch in parallel": (
        lambda: numbers().batch(4, num_parallel_calls=2),
        [[0, 1, 2, 3], FAILED, [6, 7, 8, 9], [10, 11]],
    ),
    "rebatch": (lambda: numbers().batch(2).rebatch(3), [[0, 1, 2], FAILED, [6, 7, 8], [9, 10, 11]]),
    "unbatch": (lambda: numbers().batch(2).unbatch(), spread(range(4), FAILED, range(6, 12))),
    "window": (
        lambda: numbers().window(2, 1).flat_map(lambda one: one.batch(2)).take(6),
        [[0, 1], [1, 2], [2, 3], [3, 4], FAILED, FAILED, [6, 7], [7, 8]],
    ),
    "flat_map": (
        lambda: Dataset.range(3, 8).flat_map(lambda x: twice(checked(x))),
        [3, 3, 4, 4, FAILED, 6, 6, 7, 7],
    ),
    "interleave": (
        lambda: numbers().skip(2).take(6).interleave(twice, cycle_length=2),
        [2, 3, 2, 3, 4, FAILED, 6, 4, 6, 7, 8, 7, 8],
    ),
    "interleave in parallel": (
        lambda: numbers().skip(2).take(6).interleave(twice, 2, num_parallel_calls=2),
        [2, 3, 2, 3, 4, FAILED, 4, 6, 7, 6, 7, 8, 8],
    ),
    "interleave inside in parallel": (
        lambda: Dataset.range(2).interleave(
            lambda _: numbers().skip(4).take(2), 2, num_parallel_calls=2
        ),
        [4, 4, FAILED, FAILED, 6, 6],
    ),
    "interleave inside": (
        lambda: Dataset.range(2).interleave(lambda _: numbers().skip(4).take(2), cycle_length=2),
        [4, 4, FAILED, 6, FAILED, 6],
    ),
    "group_by_window": (
        lambda: in_lists(numbers()),
        [[0, 2], [1, 3], FAILED, [4, 6], [7, 9], [8, 10], [11]],
    ),
    "group_by_window's key": (
        lambda: in_lists(Dataset.range(12), lambda x: checked(x) % 2),
        [[0, 2], [1, 3], FAILED, [4, 6], [7, 9], [8, 10], [11]],
    ),
    "choose": (
        lambda: Dataset.choose_from_datasets(
            [numbers(), Dataset.range(100, 112)], Dataset.range(2).repeat(7)
        ),
        [0, 100, 1, 101, 2, 102, 3, 103, 4, 104, FAILED, 105, 6, 106],
    ),
    "sample": (lambda: Dataset.sample_from_datasets([numbers()], seed=1), MAPPED),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", CASES)
def test_what_follows_a_failed_element_is_given(name: str) -> None:
    make, expected = CASES[name]

    assert expected == passed(make())


def test_errors_are_ignored_one_by_one() -> None:
    shuffled = numbers().shuffle(20, seed=2).ignore_errors()

    assert spread(range(5), range(6, 12)) == sorted(passed(shuffled))


def test_a_cache_in_a_file_has_what_there_was(tmp_path: Path) -> None:
    kept = numbers().cache(str(tmp_path / "kept"))

    assert MAPPED == passed(kept)
    assert spread(range(5), range(6, 12)) == passed(kept)


def test_a_damaged_file_does_not_hide_the_next_one(tmp_path: Path) -> None:
    whole, damaged = tmp_path / "whole", tmp_path / "damaged"
    whole.write_bytes(b"".join(record(b"%d" % number) for number in range(3)))
    damaged.write_bytes(whole.read_bytes()[:-2])
    records = tf.data.TFRecordDataset([str(damaged), str(whole)]).ignore_errors()

    assert [b"0", b"1", b"0", b"1", b"2"] == [one.numpy() for one in records]


def test_a_choice_that_does_not_exist_is_one_failure() -> None:
    choices = tf.data.Dataset.from_tensor_slices(tf.constant([0, 1, 5, 0, 1], tf.int64))
    parts = [tf.data.Dataset.range(5), tf.data.Dataset.range(20, 25)]
    chosen = tf.data.Dataset.choose_from_datasets(parts, choices)

    assert [int(one) for one in chosen.ignore_errors()] == [0, 20, 1, 21]


@pytest.mark.parametrize("wrong", [b"x,2", b"1", b"1,2,3", b'"1,2', b"9999999999,1"])
def test_a_record_of_a_table_fails_alone(wrong: bytes) -> None:
    lines = [b"1,2", b"3,", b'"5",6', wrong, b"7,8", b"9,10"] * 3
    table = Dataset.from_tensor_slices(lines).map(lambda line: tf.io.decode_csv(line, [0, 4]))
    rows = table.map(lambda a, b: tf.stack([a, b]))
    expected = [[1, 2], [3, 4], [5, 6], FAILED, [7, 8], [9, 10]] * 3

    assert expected == passed(rows)
    assert expected == [one for line in lines for one in passed(_row(line))]


def _row(line: bytes) -> Any:
    """The same of one line, which is read by itself."""
    parsed = Dataset.from_tensors(line).map(lambda one: tf.io.decode_csv(one, [0, 4]))
    return parsed.map(lambda a, b: tf.stack([a, b]))
