"""Datasets of what is in files, and datasets that are kept in files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from ..core import dtypes, tree
from ..core.files.gfile import glob, translated
from ..core.process.tracebacks import shallow
from ..core.specs import TensorSpec
from ..core.tensorflow_names import at_home_in
from ..eager.tensor import wrap
from ..errors import DataLossError, InvalidArgumentError, NotFoundError, UnimplementedError
from ..formats.bundle_writer import BundleWriter, Piece
from ..formats.data_files import index_name
from ..formats.records import records as tf_records
from ..formats.tensor_bundle import BundleReader
from ..ops.array.shapes import reshape, size
from ..ops.checks.assertions import Assert
from ..ops.conversion import as_tensor
from ..ops.math.arithmetic import maximum
from ..ops.strings.files import matching_files
from .dataset import DatasetV2, new_dataset
from .failures import (
    ElementFailure,
    Items,
    continuing_after_failures,
    elements_or_failures,
    over_inputs,
)
from .nodes.node import Elements, Node, Specs
from .records.file_contents import FileContents

LINE: Final = TensorSpec((), dtypes.string)


class FileNode(Node):
    """The records of files, one file after the other; `records` reads those of one.

    `divides` says whether workers may take some of the files each: of an operation on several
    paths that is left as it is.
    """

    is_passive = True

    def __init__(
        self,
        names: Any,
        *,
        records: Callable[[FileContents], Iterator[bytes]],
        compression: str,
        specs: Specs,
        divides: bool = True,
    ) -> None:
        super().__init__(specs)
        self.divides: Final = divides
        self.files = [os.fsdecode(name) for name in names._array.reshape(-1).tolist()]
        self.records, self._compression = records, compression

    @continuing_after_failures
    def iterate(self) -> Items:
        for name in self.files:
            yield from elements_or_failures(self._elements(name))

    def _elements(self, name: str) -> Elements:
        with FileContents(name, self._compression) as contents:
            for record in self.records(contents):
                yield (text(record),)


def text(value: bytes) -> Any:
    """A scalar string tensor."""
    array = np.empty((), object)
    array[()] = value
    return wrap(array)


def lines(contents: FileContents) -> Iterator[bytes]:
    """Without any carriage return; nothing but those after the last line is none."""
    for line in contents.lines():
        kept = line.removesuffix(b"\n").replace(b"\r", b"")
        if kept or line.endswith(b"\n"):
            yield kept


def fixed(header: int, size: int, footer: int) -> Callable[[FileContents], Iterator[bytes]]:
    """Reads pieces of `size` bytes between a header and a footer."""

    def records(contents: FileContents) -> Iterator[bytes]:
        if contents.size is None:
            yield from until_the_end(contents)
            return
        body = contents.size - header - footer
        _require_whole(contents.name, body, size)
        contents.read(header)
        for _ in range(body // size):
            piece = contents.read(size)
            if len(piece) != size:  # a file of the kernel's, which states any size
                raise DataLossError(f"{contents.name}: ends at {contents.offset}, within a piece")
            yield piece

    def until_the_end(contents: FileContents) -> Iterator[bytes]:
        contents.read(header)
        held = contents.read(size + footer)
        while len(held) == size + footer:
            yield held[:size]
            held = held[size:] + contents.read(size)
        _require_whole(contents.name, contents.offset - header - footer, size)

    _lengths[records] = header, size, footer
    return records


# What functions that read pieces of one size were made for.
_lengths: Final[WeakKeyDictionary[Any, tuple[int, int, int]]] = WeakKeyDictionary()


def lengths_of(records: Any) -> tuple[int, int, int]:
    """The sizes of header, pieces and footer that such a function reads."""
    return _lengths[records]


def _require_whole(name: str, body: int, size: int) -> None:
    """Refuse a file between whose header and footer there are no whole pieces."""
    if body < 0 or body % size:
        raise InvalidArgumentError(
            f"Excess bytes: the body of {body} bytes of {name} is no multiple of {size}"
        )


def _dataset(
    label: str, filenames: Any, compression: Any, records: Any, parallel: Any = None
) -> DatasetV2:
    """The records of all files; those of `parallel` files in turn, where that is a number."""
    if not (parallel is None or isinstance(filenames, DatasetV2)):
        filenames = DatasetV2.from_tensor_slices(reshape(paths_of(filenames), [-1]))
    if isinstance(filenames, DatasetV2):

        def read(name: Any) -> DatasetV2:
            return _dataset(label, name, compression, records)

        if parallel is None or (isinstance(parallel, int) and parallel == -1):
            return filenames.flat_map(read)
        return filenames.interleave(read, cycle_length=parallel, block_length=1)
    kind = partial(FileNode, records=records, compression=compression or "")
    return new_dataset(label, kind, LINE, (), [paths_of(filenames)])


def paths_of(filenames: Any) -> Any:
    paths = filenames if hasattr(filenames, "dtype") else tree.map_structure(os.fspath, filenames)
    return as_tensor(paths, dtypes.string)


@at_home_in("tensorflow.python.data.ops.readers", "TextLineDatasetV2")
class TextLineDataset(DatasetV2):
    r"""The lines of text files, without their ends: string scalars.

    filenames: a path, a list or tensor of them, or a dataset of them. compression_type: "GZIP",
    "ZLIB" or "" (none). num_parallel_reads: the elements of so many files come in turn; None, or
    tf.data.AUTOTUNE: file by file. buffer_size changes nothing.

    >>> tf.io.write_file("lines.txt", "one\ntwo\n")
    >>> [line.numpy() for line in tf.data.TextLineDataset("lines.txt")]
    [b'one', b'two']

    Raises:
        NotFoundError (in the pass): there is no such file.
        InvalidArgumentError (in the pass): an unknown compression_type.
    """

    @shallow
    def __init__(
        self,
        filenames: Any,
        compression_type: str | None = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        label = "TextLineDatasetV2"
        self._take_over(_dataset(label, filenames, compression_type, lines, num_parallel_reads))


@at_home_in("tensorflow.python.data.ops.readers", "TFRecordDatasetV2")
class TFRecordDataset(DatasetV2):
    """The records of TFRecord files: string scalars.

    filenames: a path, a list or tensor of them, or a dataset of them. compression_type: "GZIP",
    "ZLIB" or "" (none). num_parallel_reads: the elements of so many files come in turn; None, or
    tf.data.AUTOTUNE: file by file. buffer_size changes nothing.

    >>> with tf.summary.create_file_writer("events").as_default():  # event files are TFRecord files
    ...     _ = tf.summary.scalar("loss", 0.5, step=1)
    >>> len(list(tf.data.TFRecordDataset(tf.io.gfile.glob("events/*"))))
    2

    Raises:
        NotFoundError (in the pass): there is no such file.
        InvalidArgumentError (in the pass): an unknown compression_type.
        DataLossError (in the pass): a file ends too early, or a checksum is wrong.
    """

    @shallow
    def __init__(
        self,
        filenames: Any,
        compression_type: str | None = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        label = "TFRecordDatasetV2"
        self._take_over(
            _dataset(label, filenames, compression_type, tf_records, num_parallel_reads)
        )


@at_home_in("tensorflow.python.data.ops.readers", "FixedLengthRecordDatasetV2")
class FixedLengthRecordDataset(DatasetV2):
    """Pieces of `record_bytes` bytes of files: string scalars.

    filenames: a path, a list or tensor of them, or a dataset of them. header_bytes, footer_bytes:
    how much of each file is skipped at its ends. compression_type: "GZIP", "ZLIB" or "" (none).
    num_parallel_reads: the elements of so many files come in turn; None, or tf.data.AUTOTUNE: file
    by file. buffer_size changes nothing.

    >>> tf.io.write_file("pairs", "#abcd")
    >>> [piece.numpy() for piece in tf.data.FixedLengthRecordDataset("pairs", 2, header_bytes=1)]
    [b'ab', b'cd']

    Raises:
        InvalidArgumentError: `record_bytes` is not positive, or the header's or footer's size is
            negative; (in the pass) the body of a file is no multiple of `record_bytes`.
        NotFoundError (in the pass): there is no such file.
    """

    @shallow
    def __init__(
        self,
        filenames: Any,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        buffer_size: Any = None,
        compression_type: str | None = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        given = {"header_bytes": header_bytes, "footer_bytes": footer_bytes}
        for label, value in given.items():
            if value is not None and int(value) < 0:
                raise InvalidArgumentError(f"{label} must be >= 0, got {int(value)}")
        if int(record_bytes) <= 0:
            raise InvalidArgumentError(f"record_bytes must be > 0, got {int(record_bytes)}")
        records = fixed(int(header_bytes or 0), int(record_bytes), int(footer_bytes or 0))
        label = "FixedLengthRecordDatasetV2"
        self._take_over(_dataset(label, filenames, compression_type, records, num_parallel_reads))


def list_files(file_pattern: Any, shuffle: Any, seed: Any) -> DatasetV2:
    """`Dataset.list_files`.

    Raises:
        InvalidArgumentError: no file matches.
    """
    pattern = as_tensor(file_pattern, dtypes.string)
    if pattern.symbolic:
        return _files_found_later(pattern, shuffle, seed)
    patterns = np.atleast_1d(pattern.numpy()).tolist()
    names = [os.fsencode(name) for name in glob(patterns)]
    if not names:
        told = b", ".join(patterns).decode(errors="replace")
        raise InvalidArgumentError(f"No files matched pattern: {told}")
    found = DatasetV2.from_tensor_slices(names)
    return found.shuffle(len(names), seed) if shuffle is None or shuffle else found


def _files_found_later(pattern: Any, shuffle: Any, seed: Any) -> DatasetV2:
    """The same, of a pattern that is not known while tracing."""
    names = matching_files(pattern)
    count = size(names, dtypes.int64)
    Assert(count > 0, ["No files matched pattern: ", pattern], summarize=1)
    found = DatasetV2.from_tensor_slices(names)
    return found.shuffle(maximum(count, 1), seed) if shuffle is None or shuffle else found


class FileCacheNode(Node):
    """The elements, computed in the first whole pass and kept as TensorFlow keeps them: a bundle of
    tensors whose names are the numbers of an element and of its component.
    """

    def __init__(self, child: Node, *, path: str, specs: Specs) -> None:
        super().__init__(specs, [child])
        self._path = path

    def iterate(self) -> Elements:
        return self._kept() if os.path.lexists(index_name(self._path)) else self._first_pass()

    def _kept(self) -> Elements:
        """The elements of the file.

        Raises:
            DataLossError: it is damaged, or of a dataset with other components.
        """
        with translated(Path(index_name(self._path))):
            open(index_name(self._path), "rb").close()  # a folder there is no damage
        try:
            reader = BundleReader(self._path)
            count, left = divmod(len(reader.keys()), len(self.specs))
            if left:
                raise self._refusal(f"it has {len(reader.keys())} tensors")
            for number in range(count):
                yield tuple([self._read(reader, *one) for one in self._named(number)])
        except (NotFoundError, DataLossError, UnimplementedError) as error:
            raise self._refusal(f"{type(error).__name__}: {error}") from None

    def _named(self, number: int) -> list[tuple[str, Any]]:
        """What an element's components are called, and their specs."""
        width = len(str(len(self.specs) - 1))  # as the last one is long
        return [(f"{number:7d}_{place:{width}d}", spec) for place, spec in enumerate(self.specs)]

    def _read(self, reader: BundleReader, name: str, spec: Any) -> Any:
        found = reader.spec(name)
        if found.dtype is not spec.dtype or not spec.shape.is_compatible_with(found.shape):
            raise self._refusal(f"{name.strip()} is {found}, not {spec}")
        return wrap(reader.read(name))

    def _refusal(self, reason: str) -> DataLossError:
        return DataLossError(
            f"the dataset's cache {index_name(self._path)} is damaged or of another dataset; "
            f"delete it to have it written anew: {reason}"
        )

    @over_inputs
    def _first_pass(self, items: Items) -> Items:
        """Elements are written as they come: memory may not have room for all of them."""
        path = Path(self._path)
        with ExitStack() as files:
            with translated(path):
                writer = files.enter_context(BundleWriter(self._path))
            count = 0
            for item in items:
                if not isinstance(item, ElementFailure):
                    with translated(path):
                        for (name, _), one in zip(self._named(count), item, strict=True):
                            writer.add(Piece(name, one._array))
                    count += 1
                yield item
            with translated(path):
                writer.finish()

    def cardinality(self) -> int:
        return self.inputs[0].cardinality()
