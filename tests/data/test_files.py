"""Datasets of what is in files, and datasets that are kept in files."""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.data.files import masked_checksum

from .test_elements import contents

Dataset = tf.data.Dataset

# What TensorFlow 2.21 wrote for the records b"one" and b"".
RECORDED = bytes.fromhex("0300000000000000b099490e6f6e6501405508000000000000000029039807d8ea82a2")


def record(data: bytes) -> bytes:
    head = struct.pack("<Q", len(data))
    sums = [struct.pack("<I", masked_checksum(part)) for part in (head, data)]
    return head + sums[0] + data + sums[1]


def write_records(path: Path, records: Iterable[bytes]) -> str:
    path.write_bytes(b"".join(map(record, records)))
    return str(path)


def test_lines(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.txt", tmp_path / "b.gz"
    plain.write_bytes(b"one\r\ntwo\n\nlast")
    packed.write_bytes(gzip.compress(b"x\ny\n"))

    assert [b"one", b"two", b"", b"last"] == contents(tf.data.TextLineDataset(str(plain)))
    assert [b"x", b"y"] == contents(tf.data.TextLineDataset([str(packed)], "GZIP"))
    names = Dataset.from_tensor_slices([str(plain), str(plain)])
    assert 8 == len(contents(tf.data.TextLineDataset(names)))


def test_records(tmp_path: Path) -> None:
    path = tmp_path / "records"
    path.write_bytes(RECORDED)

    assert [b"one", b""] == contents(tf.data.TFRecordDataset(str(path)))
    assert RECORDED == record(b"one") + record(b"")
    path.write_bytes(zlib.compress(RECORDED))
    assert [b"one", b""] == contents(tf.data.TFRecordDataset(str(path), "ZLIB"))


def test_damaged_records_are_refused(tmp_path: Path) -> None:
    good = record(b"data")
    for damaged in (good[:-1], good[:5], good.replace(b"data", b"dota"), b"\1" + good[1:]):
        path = tmp_path / "damaged"
        path.write_bytes(damaged)
        with pytest.raises(tf.errors.DataLossError, match="record"):
            contents(tf.data.TFRecordDataset(str(path)))


def test_pieces_of_fixed_length(tmp_path: Path) -> None:
    path = tmp_path / "pieces"
    path.write_bytes(b"Haabbcc.")
    dataset = tf.data.FixedLengthRecordDataset(str(path), 2, header_bytes=1, footer_bytes=1)

    assert [b"aa", b"bb", b"cc"] == contents(dataset)


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        contents(tf.data.TextLineDataset(str(tmp_path / "missing")))
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched"):
        Dataset.list_files(str(tmp_path / "*.none"))


def test_names_of_files(tmp_path: Path) -> None:
    for name in "cab":
        (tmp_path / f"{name}.txt").touch()
    pattern = str(tmp_path / "*.txt")
    sorted_names = [str(tmp_path / f"{name}.txt").encode() for name in "abc"]

    assert sorted_names == contents(Dataset.list_files(pattern, shuffle=False))
    assert sorted_names == sorted(contents(Dataset.list_files(pattern, seed=1)))


def test_a_cache_in_a_file_outlives_the_dataset(tmp_path: Path) -> None:
    runs: list[int] = []

    def rows() -> Any:
        for k in range(3):
            runs.append(k)
            yield {"x": [float(k)] * k, "text": [b"a" * k, b""]}

    signature = {"x": tf.TensorSpec([None], tf.bfloat16), "text": tf.TensorSpec([2], tf.string)}

    def cached() -> Any:
        source = Dataset.from_generator(rows, output_signature=signature)
        return source.cache(str(tmp_path / "cache")).map(
            lambda row: {"x": tf.cast(row["x"], tf.float32), "text": row["text"]}
        )

    first = contents(cached())

    assert {"x": [2.0, 2.0], "text": [b"aa", b""]} == first[2]
    assert first == contents(cached())
    assert [0, 1, 2] == runs
    assert ["cache.index"] == [path.name for path in tmp_path.iterdir()]
