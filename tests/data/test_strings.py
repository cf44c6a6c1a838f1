"""Strings that datasets put together are bytes, as those of any other tensor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf

Dataset = tf.data.Dataset


def scalars(_: Path) -> Any:
    return Dataset.range(4).map(lambda one: tf.strings.join(["A", tf.strings.as_string(one)]))


def lines(folder: Path) -> Any:
    (folder / "lines").write_text("A0\nA1\nA2\nA3\n")
    return tf.data.TextLineDataset(str(folder / "lines"))


def pieces(folder: Path) -> Any:
    (folder / "pieces").write_text("A0A1A2A3")
    return tf.data.FixedLengthRecordDataset(str(folder / "pieces"), 2)


def generated(_: Path) -> Any:
    spec = tf.TensorSpec((), tf.string)
    return Dataset.from_generator(lambda: (f"A{k}" for k in range(4)), output_signature=spec)


def ragged(dataset: Any) -> Any:
    rows = dataset.map(tf.strings.bytes_split).ragged_batch(4)
    return rows.map(lambda row: tf.strings.reduce_join(row, -1))


SOURCES = [scalars, lines, pieces, generated]
TOGETHER: dict[str, Callable[[Any], Any]] = {
    "batch": lambda data: data.batch(4),
    "batch beside others": lambda data: data.batch(4, num_parallel_calls=2),
    "padded_batch": lambda data: data.padded_batch(4),
    "ragged_batch": lambda data: data.ragged_batch(4),
    "window": lambda data: data.window(4).flat_map(lambda one: one.batch(4)),
    "rebatch": lambda data: data.batch(3).rebatch(4),
    "unbatch": lambda data: data.batch(3).unbatch().batch(4),
    "group_by_window": lambda data: data.group_by_window(
        lambda one: tf.constant(0, tf.int64), lambda key, some: some.batch(4), 4
    ),
    "padded rows": lambda data: (
        data.map(lambda one: one[None]).padded_batch(4, [2]).map(lambda rows: rows[:, 0])
    ),
    "ragged rows": ragged,
}


@pytest.mark.sampled
@pytest.mark.parametrize("way", TOGETHER)
@pytest.mark.parametrize("source", SOURCES)
def test_kernels_read_strings_that_were_put_together(
    source: Callable[[Path], Any], way: str, tmp_path: Path
) -> None:
    batch = next(iter(TOGETHER[way](source(tmp_path))))

    assert [b"a0", b"a1", b"a2", b"a3"] == tf.strings.lower(batch).numpy().tolist()
    assert b"A0A1A2A3" == tf.strings.reduce_join(batch)


def test_padded_strings_end_with_what_was_asked_for() -> None:
    rows = Dataset.range(1, 4).map(lambda size: tf.fill([size], "A"))
    batch = next(iter(rows.padded_batch(3, padding_values="-")))

    assert [b"A--", b"AA-", b"AAA"] == tf.strings.reduce_join(batch, 1).numpy().tolist()


def test_padding_keeps_its_zero_bytes() -> None:
    rows = Dataset.from_tensor_slices(["a", "bc"]).map(tf.strings.bytes_split)
    (batch,) = rows.padded_batch(2, padding_values=b"\0")
    assert [[b"a", b"\0"], [b"b", b"c"]] == batch.numpy().tolist()
