"""Readers of TensorFlow 1: they take the names of files out of a queue, and give their records."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final, NoReturn

from ...core import context, dtypes
from ...core.files import gfile
from ...core.process.locks import ForkedLock
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import InvalidArgumentError, UnimplementedError
from ...formats.records import FRAME
from ...formats.records import records as records_of
from ...ops.bind import bind
from ...ops.effects import Reads, World, Writes
from ...ops.op import Attr, In, Op, Out
from ...ops.state.handles import OfSession
from ..records.file_contents import FileContents
from ..records.options import TFRecordOptions

Record = tuple[bytes, bytes]
Walk = Callable[[str], Iterator[Record]]
OF_A_RECORD: Final = (TensorSpec((), dtypes.string), TensorSpec((), dtypes.string))
OF_RECORDS: Final = (TensorSpec((None,), dtypes.string), TensorSpec((None,), dtypes.string))


class RunningReader:
    """What a session has for a reader: the file that it is in, and how much it has given."""

    spec: ClassVar = ObjectSpec("reader", ())

    def __init__(self, walk: Walk) -> None:
        self._walk: Final = walk
        self._lock: Final = ForkedLock()
        self.reset()

    def reset(self) -> None:
        """Begin again, with the next file."""
        self._current: Iterator[Record] | None = None
        self.produced = self.completed = 0

    def next(self, queue: Any) -> Record:
        """The next record, which may be one of the next file.

        Raises:
            OutOfRangeError: the queue is closed, and has no more files.
        """
        with self._lock():
            while True:
                if self._current is None:
                    self._current = self._walk(gfile.text(queue.take(1)[0][0][()]))
                found = next(self._current, None)
                if found is not None:
                    self.produced += 1
                    return found
                self._current = None
                self.completed += 1

    def some(self, queue: Any, count: int) -> list[Record]:
        """So many records, or the fewer that a file still has.

        Raises:
            OutOfRangeError: there is none.
        """
        found = [self.next(queue)]
        with self._lock():
            while len(found) < count and self._current is not None:
                one = next(self._current, None)
                if one is None:
                    self._current = None
                    self.completed += 1
                else:
                    found.append(one)
                    self.produced += 1
        return found


class RunningFileReader(RunningReader):
    """One that has a file done when it has given its only record."""

    def next(self, queue: Any) -> Record:
        found = super().next(queue)
        with self._lock():
            self._current = None
            self.completed += 1
        return found


# ---------------------------------------------------------------- what is in a file


def _lines(name: str, skipped: int) -> Iterator[Record]:
    with FileContents(name, "") as contents:
        for number, line in enumerate(contents.lines(), 1):
            if number > skipped:
                yield f"{name}:{number}".encode(), line.rstrip(b"\n").rstrip(b"\r")


def _whole(name: str) -> Iterator[Record]:
    with FileContents(name, "") as contents:
        pieces = iter(lambda: contents.read(1 << 20), b"")
        yield name.encode(), b"".join(pieces)


def _framed(name: str, compression: str) -> Iterator[Record]:
    with FileContents(name, compression) as contents:
        place = 0
        for data in records_of(contents):
            yield f"{name}:{place}".encode(), data
            place += len(data) + FRAME


def _of_one_length(name: str, op: Any) -> Iterator[Record]:
    """Records at steps of so many bytes, between a header and a footer."""
    with FileContents(name, op.encoding) as contents:
        content = b"".join(iter(lambda: contents.read(1 << 20), b""))
    hop = op.hop_bytes or op.record_bytes
    last = len(content) - op.footer_bytes - op.record_bytes
    for number, place in enumerate(range(op.header_bytes, last + 1, hop)):
        yield f"{name}:{number}".encode(), content[place : place + op.record_bytes]


# ---------------------------------------------------------------- operations


class NewReader(OfSession, abstract=True):
    """The reader that a session has under a name."""

    runner: ClassVar[type[RunningReader]] = RunningReader
    effects = (World.PYTHON,)

    def infer(self) -> ObjectSpec:
        return RunningReader.spec

    def made(self, value_of: Callable[[str], Any]) -> RunningReader:
        return self.runner(self.walk)

    def walk(self, name: str) -> Iterator[Record]:
        """The records of a file, with their keys."""
        raise NotImplementedError


class ReaderOfFiles(NewReader, abstract=True):
    """One that opens files: of a loaded model's directories alone (ops/strings/files.py)."""

    _within = Attr(())

    def made(self, value_of: Callable[[str], Any]) -> RunningReader:
        return self.runner(lambda name: self.walk(gfile.confined(name, self._within, writes=False)))


class TextLineReaderV2(ReaderOfFiles):
    """Gives lines."""

    reader_handle = Out("resource")
    skip_header_lines = Attr(0)
    container = Attr("")
    shared_name = Attr("")

    def walk(self, name: str) -> Iterator[Record]:
        return _lines(name, self.skip_header_lines)


class WholeFileReaderV2(ReaderOfFiles):
    """Gives whole files."""

    runner = RunningFileReader
    reader_handle = Out("resource")
    container = Attr("")
    shared_name = Attr("")

    def walk(self, name: str) -> Iterator[Record]:
        return _whole(name)


class IdentityReaderV2(NewReader):
    """Gives the names of files."""

    runner = RunningFileReader
    reader_handle = Out("resource")
    container = Attr("")
    shared_name = Attr("")

    def walk(self, name: str) -> Iterator[Record]:
        return iter([(name.encode(), name.encode())])


class TFRecordReaderV2(ReaderOfFiles):
    """Gives records of TFRecord files."""

    reader_handle = Out("resource")
    container = Attr("")
    shared_name = Attr("")
    compression_type = Attr("")

    def walk(self, name: str) -> Iterator[Record]:
        return _framed(name, self.compression_type)


class FixedLengthRecordReaderV2(ReaderOfFiles):
    """Gives records of one length."""

    reader_handle = Out("resource")
    header_bytes = Attr(0)
    record_bytes = Attr()
    footer_bytes = Attr(0)
    hop_bytes = Attr(0)
    container = Attr("")
    shared_name = Attr("")
    encoding = Attr("")

    def walk(self, name: str) -> Iterator[Record]:
        return _of_one_length(name, self)


class OnReader(Op, abstract=True):
    """Asks a reader."""

    differentiable = False


class ReaderReadV2(OnReader):
    """The next record, with its key."""

    reader_handle = In("resource")
    queue_handle = In("resource")
    key = Out("str")
    value = Out("str")
    effects = (Writes("reader_handle"), Writes("queue_handle"), World.PYTHON)

    def infer(self) -> tuple[TensorSpec, ...]:
        return OF_A_RECORD

    def eager(self, np: Any) -> tuple[Any, ...]:
        return tuple(_strings(np, one)[()] for one in self.reader_handle.next(self.queue_handle))


class ReaderReadUpToV2(OnReader):
    """So many records or fewer, with their keys."""

    reader_handle = In("resource")
    queue_handle = In("resource")
    num_records = In("i64")
    keys = Out("str n")
    values = Out("str n")
    effects = (Writes("reader_handle"), Writes("queue_handle"), World.PYTHON)

    def infer(self) -> tuple[TensorSpec, ...]:
        return OF_RECORDS

    def eager(self, np: Any) -> tuple[Any, ...]:
        found = self.reader_handle.some(self.queue_handle, int(self.num_records))
        return tuple(_strings(np, list(column)) for column in zip(*found, strict=True))


def _strings(np: Any, value: Any) -> Any:
    found = np.empty(len(value) if isinstance(value, list) else (), object)
    found[...] = value
    return found


class ReaderNumRecordsProducedV2(OnReader):
    """How many records it has given."""

    reader_handle = In("resource")
    records_produced = Out("i64")
    effects = (Reads("reader_handle"), World.PYTHON)

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int64)

    def eager(self, np: Any) -> Any:
        return np.int64(self.reader_handle.produced)


class ReaderNumWorkUnitsCompletedV2(OnReader):
    """How many files it has done."""

    reader_handle = In("resource")
    units_completed = Out("i64")
    effects = (Reads("reader_handle"), World.PYTHON)

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int64)

    def eager(self, np: Any) -> Any:
        return np.int64(self.reader_handle.completed)


class ReaderResetV2(OnReader):
    """Lets a reader begin again."""

    reader_handle = In("resource")
    effects = (Writes("reader_handle"), World.PYTHON)

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.reader_handle.reset()
        return ()


# ---------------------------------------------------------------- what programs have


class ReaderBase:
    """Reads records of the files whose names a queue gives: in each run the next ones.

    Raises:
        RuntimeError: operations run at once here; `tf.data` reads files then.
    """

    def __init__(self, reader_ref: Any, supports_serialize: bool = False) -> None:
        self._reader_ref = reader_ref
        self._supports_serialize = supports_serialize

    def _set_up(self, kind: type[NewReader], name: str | None, **told: Any) -> None:
        if not context.building_graph():
            raise RuntimeError(
                "Readers are not supported when eager execution is enabled: read files by tf.data"
            )
        whole = issubclass(kind.runner, RunningFileReader)
        ReaderBase.__init__(self, bind(kind, **told, name=name or kind.name), whole)

    @property
    def reader_ref(self) -> Any:
        """The handle."""
        return self._reader_ref

    @property
    def supports_serialize(self) -> bool:
        """Whether TensorFlow can write down how far it has come."""
        return self._supports_serialize

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The next record: its key and what is in it, string scalars.

        Raises:
            OutOfRangeError: (when it runs) the queue is closed, and has no more files.
        """
        return bind(ReaderReadV2, self._reader_ref, _handle_of(queue), name=name)

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """At most so many records of one file: keys and contents, vectors of strings.

        Raises:
            OutOfRangeError: (when it runs) the queue is closed, and has no more files.
        """
        return bind(ReaderReadUpToV2, self._reader_ref, _handle_of(queue), num_records, name=name)

    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records it has given, int64."""
        return bind(ReaderNumRecordsProducedV2, self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many files it has done, int64."""
        return bind(ReaderNumWorkUnitsCompletedV2, self._reader_ref, name=name)

    def reset(self, name: str | None = None) -> Any:
        """An operation that lets it begin again, with the next file."""
        return bind(ReaderResetV2, self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> NoReturn:
        """Refused: how far a reader has come is not written down.

        Raises:
            UnimplementedError: always.
        """
        raise UnimplementedError("readers cannot be saved; iterators of tf.data can")

    def restore_state(self, state: Any, name: str | None = None) -> NoReturn:
        """Refused, as `serialize_state` is.

        Raises:
            UnimplementedError: always.
        """
        self.serialize_state()


def _handle_of(queue: Any) -> Any:
    return getattr(queue, "queue_ref", queue)


class TextLineReader(ReaderBase):
    """Reads lines, without their ends. Keys are "file:number", from 1 on.

    skip_header_lines: how many lines of each file are left out.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     _ = tf.io.gfile.GFile("lines.txt", "w").write("one" + chr(10) + "two")
    ...     queue = tf.queue.FIFOQueue(1, tf.string, shapes=[[]])
    ...     key, line = tf.compat.v1.TextLineReader().read(queue)
    ...     session.run(queue.enqueue("lines.txt"))
    ...     print([session.run([key, line]) for _ in range(2)])
    [[b'lines.txt:1', b'one'], [b'lines.txt:2', b'two']]
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        self._set_up(TextLineReaderV2, name, skip_header_lines=skip_header_lines or 0)


class WholeFileReader(ReaderBase):
    """Reads whole files. Keys are their names.

    >>> with tf.Graph().as_default():
    ...     queue = tf.queue.FIFOQueue(1, tf.string, shapes=[[]])
    ...     tf.compat.v1.WholeFileReader().read(queue)[1].dtype
    tf.string
    """

    def __init__(self, name: str | None = None) -> None:
        self._set_up(WholeFileReaderV2, name)


class IdentityReader(ReaderBase):
    """Reads nothing: gives what the queue has, as keys and as contents.

    >>> with tf.Graph().as_default():
    ...     queue = tf.queue.FIFOQueue(1, tf.string, shapes=[[]])
    ...     tf.compat.v1.IdentityReader().read(queue)[1].dtype
    tf.string
    """

    def __init__(self, name: str | None = None) -> None:
        self._set_up(IdentityReaderV2, name)


class TFRecordReader(ReaderBase):
    """Reads records of TFRecord files. Keys are "file:place", in bytes.

    options: `tf.io.TFRecordOptions`, for compressed files.

    >>> with tf.Graph().as_default():
    ...     queue = tf.queue.FIFOQueue(1, tf.string, shapes=[[]])
    ...     tf.compat.v1.TFRecordReader().read(queue)[1].dtype
    tf.string
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        kind = TFRecordOptions.get_compression_type_string(options)
        self._set_up(TFRecordReaderV2, name, compression_type=kind)


class FixedLengthRecordReader(ReaderBase):
    """Reads records of one length. Keys are "file:number", from 0 on.

    header_bytes, footer_bytes: what is left out at the beginning and end of a file. hop_bytes: from
    the beginning of a record to that of the next; the length, if it is not given.

    >>> with tf.Graph().as_default():
    ...     queue = tf.queue.FIFOQueue(1, tf.string, shapes=[[]])
    ...     tf.compat.v1.FixedLengthRecordReader(4).read(queue)[1].dtype
    tf.string

    Raises:
        InvalidArgumentError: the records have no length, or a number is negative.
    """

    def __init__(
        self, record_bytes: int, header_bytes: int | None = None, footer_bytes: int | None = None,
        hop_bytes: int | None = None, name: str | None = None, encoding: str | None = None,
    ) -> None:  # fmt: skip
        told = {
            "header_bytes": header_bytes or 0, "record_bytes": record_bytes,
            "footer_bytes": footer_bytes or 0, "hop_bytes": hop_bytes or 0,
        }  # fmt: skip
        if record_bytes <= 0 or min(told.values()) < 0:
            raise InvalidArgumentError(
                f"FixedLengthRecordReader: lengths may not be negative, nor record_bytes 0: {told}"
            )
        self._set_up(FixedLengthRecordReaderV2, name, **told, encoding=encoding or "")
