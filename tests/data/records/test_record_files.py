"""TFRecord files as they are written."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.data.records.record_files import tf_record_random_reader

TFRecordOptions = tf.io.TFRecordOptions

# What TensorFlow 2.21 wrote for the records b"one" and b"".
RECORDED = bytes.fromhex("0300000000000000b099490e6f6e6501405508000000000000000029039807d8ea82a2")
RECORDS = [b"one", b""]


def write(path: Path, options: Any = None) -> str:
    with tf.io.TFRecordWriter(str(path), options) as writer:
        for record in RECORDS:
            writer.write(record)
    return str(path)


def test_the_bytes_are_those_of_tensorflow(tmp_path: Path) -> None:
    assert RECORDED == Path(write(tmp_path / "plain")).read_bytes()


@pytest.mark.parametrize(
    ("options", "compression"),
    [
        (None, ""),
        ("GZIP", "GZIP"),
        ("ZLIB", "ZLIB"),
        (TFRecordOptions("GZIP"), "GZIP"),
        (TFRecordOptions("ZLIB", compression_level=0, mem_level=1, window_bits=9), "ZLIB"),
        (TFRecordOptions(tf.compat.v1.io.TFRecordCompressionType.ZLIB), "ZLIB"),
    ],
)
def test_what_is_written_is_read(tmp_path: Path, options: Any, compression: str) -> None:
    path = write(tmp_path / "records", options)

    assert RECORDS == [one.numpy() for one in tf.data.TFRecordDataset(path, compression)]
    assert RECORDS == list(tf.compat.v1.io.tf_record_iterator(path, options))


def test_options_say_how_to_compress(tmp_path: Path) -> None:
    path = tmp_path / "level"
    with tf.io.TFRecordWriter(str(path), TFRecordOptions("ZLIB", compression_level=0)) as writer:
        writer.write(b"a" * 1000)

    assert path.stat().st_size > 1000


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_others_read_what_was_flushed(tmp_path: Path, compression: str) -> None:
    path = tmp_path / "flushed"
    writer = tf.io.TFRecordWriter(str(path), compression)
    writer.write(b"one")
    before = path.stat().st_size
    writer.flush()

    assert before == 0
    if compression:
        wrapping = {"GZIP": 31, "ZLIB": 15}[compression]
        assert RECORDED[:19] == zlib.decompressobj(wrapping).decompress(path.read_bytes())
    else:
        assert RECORDED[:19] == path.read_bytes()
    writer.close()


def test_strings_are_written_in_utf_8(tmp_path: Path) -> None:
    path = str(tmp_path / "text")
    with tf.io.TFRecordWriter(path) as writer:
        writer.write("é")
        writer.write(bytearray(b"12"))

    assert ["é".encode(), b"12"] == list(tf.compat.v1.io.tf_record_iterator(path))


@pytest.mark.parametrize("record", [3, None, memoryview(b"x"), ["a"]])
def test_records_are_bytes(tmp_path: Path, record: Any) -> None:
    with (
        tf.io.TFRecordWriter(str(tmp_path / "wrong")) as writer,
        pytest.raises(TypeError, match="bytes or a string"),
    ):
        writer.write(record)


def test_a_tensor_is_told_to_be_no_record(tmp_path: Path) -> None:
    with (
        tf.io.TFRecordWriter(str(tmp_path / "wrong")) as writer,
        pytest.raises(TypeError, match="EagerTensor"),
    ):
        writer.write(tf.constant(b"x"))


def test_a_closed_writer_takes_nothing(tmp_path: Path) -> None:
    writer = tf.io.TFRecordWriter(str(tmp_path / "closed"))
    writer.close()
    writer.close()

    with pytest.raises(tf.errors.FailedPreconditionError, match="closed"):
        writer.write(b"late")
    with pytest.raises(tf.errors.FailedPreconditionError, match="closed"):
        writer.flush()


def test_a_writer_that_is_forgotten_completes_its_file(tmp_path: Path) -> None:
    writer = tf.io.TFRecordWriter(str(tmp_path / "left"), "GZIP")
    writer.write(b"one")
    del writer

    records = tf.data.TFRecordDataset(str(tmp_path / "left"), "GZIP")
    assert [b"one"] == [one.numpy() for one in records]


def test_a_file_is_made_anew(tmp_path: Path) -> None:
    path = Path(write(tmp_path / "again"))
    tf.io.TFRecordWriter(str(path)).close()

    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    ("path", "error"),
    [("no/such/file", tf.errors.NotFoundError), (".", tf.errors.FailedPreconditionError)],
)
def test_a_file_that_cannot_be_made_is_refused(path: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        tf.io.TFRecordWriter(path)


@pytest.mark.parametrize("compression", ["gzip", "LZ4", 5])
def test_an_unknown_compression_is_refused(tmp_path: Path, compression: Any) -> None:
    with pytest.raises(ValueError, match="Not a valid compression_type"):
        TFRecordOptions(compression)
    with pytest.raises(ValueError, match="Not a valid compression_type"):
        tf.io.TFRecordWriter(str(tmp_path / "unknown"), compression)


@pytest.mark.parametrize(
    "options", [{"compression_level": 12}, {"mem_level": 20}, {"compression_method": 3}]
)
def test_options_that_zlib_does_not_know_are_refused(
    tmp_path: Path, options: dict[str, int]
) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="zlib"):
        tf.io.TFRecordWriter(str(tmp_path / "bad"), TFRecordOptions("ZLIB", **options))


def test_records_are_read_at_places(tmp_path: Path) -> None:
    reader = tf_record_random_reader(write(tmp_path / "random"))

    assert reader.read(0) == (b"one", 19)
    assert reader.read(19) == (b"", 35)
    with pytest.raises(IndexError):
        reader.read(35)
    with pytest.raises(tf.errors.DataLossError):
        reader.read(3)
    reader.close()
