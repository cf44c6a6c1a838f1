"""Files of records, written and read one record at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.files import gfile
from ...core.process.locks import ForkedLock
from ...errors import FailedPreconditionError
from ...formats.records import next_record
from ...formats.records import record as framed
from ...formats.records import records as records_of
from .file_contents import FileContents
from .options import TFRecordOptions, compressor, flush_mode


class TFRecordWriter:
    """Writes records into a TFRecord file, which is made or emptied first.

    path: a string. options: "GZIP", "ZLIB", "" or `tf.io.TFRecordOptions`.

    It is a context manager; the file is complete when it is closed.

    >>> with tf.io.TFRecordWriter("numbers.tfrecord") as writer:
    ...     for number in b"1", b"2":
    ...         writer.write(number)
    >>> [record.numpy() for record in tf.data.TFRecordDataset("numbers.tfrecord")]
    [b'1', b'2']

    Raises:
        NotFoundError: there is no such folder.
        FailedPreconditionError: it is a folder.
        PermissionDeniedError: the file may not be written.
        ValueError: the compression is unknown.
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        self._file: Any = None
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        self._compressor, self._flush_mode = compressor(options), flush_mode(options)
        self._path, self._lock = gfile.text(path), ForkedLock()
        with gfile.translated(self._path):
            self._file = open(self._path, "wb")

    def write(self, record: Any) -> None:
        """Append a record: bytes, or a string, which is written in UTF-8.

        Raises:
            FailedPreconditionError: the writer is closed.
            TypeError: it is something else, a tensor for instance: take `tensor.numpy()`.
        """
        if isinstance(record, str):
            record = record.encode()
        elif isinstance(record, bytearray):
            record = bytes(record)
        elif not isinstance(record, bytes):
            raise TypeError(
                f"write(): a record is bytes or a string, not of type {type(record).__name__}"
            )
        with self._lock(), gfile.translated(self._path):
            self._opened().write(self._compressor.compress(framed(record)))

    def flush(self) -> None:
        """Let others read what was written.

        Raises:
            FailedPreconditionError: the writer is closed.
        """
        with self._lock(), gfile.translated(self._path):
            file = self._opened()
            file.write(self._compressor.flush(self._flush_mode))
            file.flush()

    def close(self) -> None:
        """Complete the file; a second time does nothing."""
        file, self._file = self._file, None
        if file is None:
            return
        with self._lock(), gfile.translated(self._path), file:
            file.write(self._compressor.flush())

    def _opened(self) -> Any:
        if self._file is None:
            raise FailedPreconditionError("Writer is closed.")
        return self._file

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self.close()


def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a file, as bytes.

    path: a string. options: "GZIP", "ZLIB", "" or `tf.io.TFRecordOptions`.

    >>> with tf.io.TFRecordWriter("one.tfrecord") as writer:
    ...     writer.write(b"1")
    >>> list(tf.compat.v1.io.tf_record_iterator("one.tfrecord"))
    [b'1']

    Raises:
        NotFoundError: there is no such file.
        DataLossError: it is cut off, or a checksum is wrong.
    """
    kind = TFRecordOptions.get_compression_type_string(options)
    with FileContents(gfile.text(path), kind) as contents:
        yield from records_of(contents)


class tf_record_random_reader:
    """Reads records at places of an uncompressed file.

    Raises:
        NotFoundError: there is no such file.
    """

    def __init__(self, path: Any) -> None:
        self._path = gfile.text(path)
        with gfile.translated(self._path):
            self._file = open(self._path, "rb")

    def read(self, offset: int) -> tuple[bytes, int]:
        """The record at `offset`, and where the next one begins.

        Raises:
            IndexError: the file ends there.
            DataLossError: there begins no record.
        """
        with gfile.translated(self._path):
            self._file.seek(offset)
        found = next_record(_Rest(self._file, self._path))
        if found is None:
            raise IndexError(f"Out of range at reading offset {offset}")
        return found, self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class _Rest:
    """What follows in a file, as `formats/records.py` reads it."""

    def __init__(self, file: Any, name: str) -> None:
        self._file, self.name = file, name

    @property
    def offset(self) -> int:
        return self._file.tell()

    def read(self, count: int, /) -> bytes:
        with gfile.translated(self.name):
            return self._file.read(count)
