"""Batches of the rows of text files equal the rows stacked one by one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.data.records.csv_files import records_of
from tensormill.ops.records.comma_separated import dialect_of

KINDS = [tf.int32, tf.float32, tf.string]


def table(path: Path, rows: int, ending: str = "\n") -> Any:
    path.write_text("".join(f"{k},{k / 8},word {k}{ending}" for k in range(rows)))
    return tf.data.experimental.CsvDataset(str(path), KINDS)


def one_by_one(dataset: Any, size: int, drop: bool) -> list[list[Any]]:
    """The slow twin: rows as they come, stacked by NumPy."""
    rows = list(dataset.as_numpy_iterator())
    groups = [rows[at : at + size] for at in range(0, len(rows), size)]
    return [
        [np.stack(column).tolist() for column in zip(*group, strict=True)]
        for group in groups
        if not drop or len(group) == size
    ]


@settings(max_examples=25, deadline=None)
@given(
    rows=st.integers(0, 600), size=st.integers(1, 400), drop=st.booleans(),
    ending=st.sampled_from(["\n", "\r\n"]),
)  # fmt: skip
def test_batches_are_rows_stacked(
    rows: int, size: int, drop: bool, ending: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dataset = table(tmp_path_factory.mktemp("csv") / "rows.csv", rows, ending)
    batches = [
        [column.tolist() for column in batch]
        for batch in dataset.batch(size, drop_remainder=drop).as_numpy_iterator()
    ]

    assert one_by_one(dataset, size, drop) == batches


def test_a_wrong_record_is_the_failure_of_its_batch_alone(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["0", "1", "2", "3", "4", "x", *map(str, range(6, 12))]))
    batches = iter(tf.data.experimental.CsvDataset(str(path), [tf.int32]).batch(2))

    assert [[0, 1], [2, 3]] == [next(batches)[0].numpy().tolist() for _ in range(2)]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not a valid int32"):
        next(batches)
    rest = [batch[0].numpy().tolist() for batch in batches]
    assert [[6, 7], [8, 9], [10, 11]] == rest


def test_quotes_may_begin_after_many_plain_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("".join(f"word {k}\n" for k in range(300)) + '"a\nb"\n"c""d"\n')
    found = list(tf.data.experimental.CsvDataset(str(path), [tf.string]).as_numpy_iterator())

    assert 302 == len(found)
    assert [(b"word 299",), (b"a\nb",), (b'c"d',)] == found[-3:]


def test_a_line_is_not_waited_for_before_the_record_in_front_of_it_is_given() -> None:
    given: list[int] = []

    def lines() -> Iterator[bytes]:
        for k in range(9):
            given.append(k)
            yield b"%d\n" % k

    records = records_of(lines(), dialect_of(",", True, "", ()))

    assert b"0" == next(records)
    assert [0] == given
    assert [b"%d" % k for k in range(1, 9)] == list(records)
