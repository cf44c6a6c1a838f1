"""`tf.data.experimental.CsvDataset`: the records of files of comma-separated values."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.native_examples import Array
from ...core.process.tracebacks import shallow
from ...core.specs import TensorSpec
from ...core.tensorflow_names import at_home_in
from ...core.text import strings_in
from ...eager.tensor import wrap
from ...errors import InvalidArgumentError, OpError
from ...ops.conversion import as_tensor
from ...ops.demand_readers import EAGER
from ...ops.records.comma_separated import (
    DTYPES,
    NO_COLUMN,
    CsvDialect,
    columns_of,
    demand_default,
    dialect_of,
    require_csv_types,
    require_selection,
)
from ..dataset import DatasetV2, new_dataset
from ..failures import (
    ElementFailure,
    Items,
    continuing_after_failures,
    elements_or_failures,
    result_or_failure,
)
from ..files import paths_of
from ..nodes.node import Node, Specs, Stack
from .file_contents import FileContents

# So many records are read and converted together; at first it is one, then two, …
MOST_AT_ONCE: Final = 256
QUOTE, RETURN, NEWLINE = b'"', b"\r", b"\n"


class CsvNode(Node):
    """The records of files, one file after the other: a scalar for each column."""

    def __init__(
        self,
        names: Any,
        compression: Any,
        *defaults: Any,
        dialect: CsvDialect,
        skipped: frozenset[int],
        has_header: bool,
        specs: Specs,
    ) -> None:
        super().__init__(specs)
        self._names = [os.fsdecode(name) for name in strings_in(names._array)]
        self._compression = os.fsdecode(compression._array[()])
        self._defaults: list[Array] = [one._array for one in defaults]
        self._dialect, self._skipped, self._has_header = dialect, skipped, has_header

    @property
    def has_stacks(self) -> bool:
        return True

    @continuing_after_failures
    def iterate(self) -> Items:
        for stack in self.stacks():
            if isinstance(stack, ElementFailure):
                yield stack
                continue
            for k in range(len(stack[0])):
                yield tuple([wrap(column[k, ...]) for column in stack])

    def stacks(self) -> Iterator[Stack | ElementFailure]:
        for name in self._names:
            records, size = elements_or_failures(self._records(name)), 1
            while taken := list(itertools.islice(records, size)):
                yield from self._stacked(taken)
                size = min(2 * size, MOST_AT_ONCE)

    def _stacked(self, taken: Sequence[bytes | ElementFailure]) -> Iterator[Stack | ElementFailure]:
        """Some records column by column, or each by itself where something is wrong with one."""
        texts = [one for one in taken if isinstance(one, bytes)]
        columns: Stack | None = None
        if len(texts) == len(taken):
            with suppress(OpError):  # they then come one by one, and say which one it was
                columns = self._columns(texts)
        if columns is not None:
            yield columns
            return
        for one in taken:
            yield result_or_failure(self._columns, [one]) if isinstance(one, bytes) else one

    def _records(self, name: str) -> Iterator[bytes]:
        with FileContents(name, self._compression) as contents:
            found = records_of(contents.lines(), self._dialect)
            if self._has_header and next(found, None) is None:
                raise InvalidArgumentError(f"{name}: Can't read header of file: it is empty")
            yield from found

    def _columns(self, records: Sequence[bytes]) -> Stack:
        fields = [self._fields(record) for record in records]
        return columns_of(fields, self._dialect.missing, self._defaults)

    def _fields(self, record: bytes) -> list[bytes]:
        fields = self._dialect.fields(record) or [b""]
        if not self._skipped:
            return fields
        return [one for k, one in enumerate(fields) if k not in self._skipped]


def records_of(lines: Iterator[bytes], dialect: CsvDialect) -> Iterator[bytes]:
    """The records in lines: each is one, as long as there are no quotes and carriage returns.

    At first one line is read at a time, then two, …: a pipe may give them slowly.
    """
    size = 1
    while True:
        chunk: list[bytes] = []
        failure: Exception | None = None
        try:
            chunk.extend(itertools.islice(lines, size))
        except Exception as error:
            failure = error  # of a line after those of the chunk
        text = b"".join(chunk)
        if QUOTE in text or RETURN in text:
            yield from _joined_records(itertools.chain(chunk, _rest(lines, failure)), dialect)
            return
        for line in chunk:
            yield line.removesuffix(NEWLINE)
        if failure is not None:
            raise failure
        if not chunk:
            return
        size = min(2 * size, MOST_AT_ONCE)


def _rest(lines: Iterator[bytes], failure: Exception | None) -> Iterator[bytes]:
    if failure is not None:
        raise failure
    yield from lines


def _joined_records(lines: Iterator[bytes], dialect: CsvDialect) -> Iterator[bytes]:
    """The records in lines: those in whose quotes a line ends go on in the next one."""
    pending = b""
    for line in lines:
        pending += line
        if dialect.has_quotes and line.count(QUOTE) and is_open(pending, dialect):
            continue
        if pending is not line and not line.count(QUOTE):
            continue
        yield from _apart(pending, dialect)
        pending = b""
    if pending:
        raise InvalidArgumentError(
            f"Reached end of file without closing quoted field in record {pending[:200]!r}"
        )


def is_open(text: bytes, dialect: CsvDialect) -> bool:
    """Whether a text ends within quotes."""
    at, is_inside, begins = 0, False, True
    while at < len(text):
        sign = text[at : at + 1]
        if is_inside and sign == QUOTE:
            follows = text[at + 1 : at + 2]
            at += follows == QUOTE
            is_inside = follows not in (dialect.delimiter, NEWLINE, RETURN, b"")
        elif not is_inside:
            is_inside = begins and sign == QUOTE
            begins = sign in (dialect.delimiter, NEWLINE, RETURN)
        at += 1
    return is_inside


def _apart(text: bytes, dialect: CsvDialect) -> Iterator[bytes]:
    """The records of a text that ends with a line, or with the file: a carriage return alone ends
    one as well, outside of quotes.
    """
    whole = text.removesuffix(NEWLINE).removesuffix(RETURN)
    if RETURN not in whole:
        yield whole
        return
    start = 0
    for at in range(len(whole)):
        is_end = whole[at : at + 1] == RETURN
        if is_end and not (dialect.has_quotes and is_open(whole[start:at], dialect)):
            yield whole[start:at]
            start = at + 1
    yield whole[start:]


@at_home_in("tensorflow.python.data.experimental.ops.readers", "CsvDatasetV2")
class CsvDataset(DatasetV2):
    r"""The records of files of comma-separated values (RFC 4180): tuples of scalars.

    >>> tf.io.write_file("ages.csv", "name,age\nAda,36\nBob,\n")
    >>> rows = tf.data.experimental.CsvDataset("ages.csv", [tf.string, [0]], header=True)
    >>> [(name.numpy(), int(age)) for name, age in rows]
    [(b'Ada', 36), (b'Bob', 0)]

    Args:
        filenames: a path, or a list or tensor of them.
        record_defaults: for each column a dtype (then no field may be missing), or a tensor of one
            element: what stands for missing fields. float32, float64, int32, int64 or string.
            A dtype may be told by its name, or by its number: 1 is float32, and 100 a default.
        compression_type: "GZIP", "ZLIB" or "" (none).
        buffer_size: changes nothing.
        header: whether each file begins with a line of names.
        field_delim: one byte.
        use_quote_delim: whether fields may be in double quotes; line ends may then be in them.
        na_value: another text for what is missing.
        select_cols, exclude_cols: the columns that are wanted, or those that are not.

    Raises:
        InvalidArgumentError: the columns are not as many as `record_defaults`; (in the pass) a
            record has more or fewer fields, or a wrong one: the next element is the next record.
        NotFoundError (in the pass): there is no such file.
    """

    @shallow
    def __init__(
        self,
        filenames: Any,
        record_defaults: Sequence[Any],
        compression_type: Any = None,
        buffer_size: Any = None,
        header: bool = False,
        field_delim: str = ",",
        use_quote_delim: bool = True,
        na_value: str = "",
        select_cols: Sequence[int] | None = None,
        exclude_cols: Sequence[int] | None = None,
    ) -> None:
        defaults = [default_of(one) for one in record_defaults]
        require_csv_types(defaults)
        if not defaults:
            raise InvalidArgumentError(NO_COLUMN)
        for number, one in enumerate(defaults):
            demand_default(EAGER, number, one)
        if select_cols is not None and exclude_cols is not None:
            raise InvalidArgumentError("select_cols and exclude_cols cannot be given both")
        dialect = dialect_of(
            field_delim, use_quote_delim, na_value, _selected(select_cols, defaults)
        )
        kind = partial(
            CsvNode, dialect=dialect, skipped=frozenset(exclude_cols or ()), has_header=bool(header)
        )
        compression = as_tensor(compression_type or "", dtypes.string)
        require_compression(compression)
        spec = tuple(TensorSpec((), one.dtype) for one in defaults)
        tensors = [paths_of(filenames), compression, *defaults]
        self._take_over(new_dataset("CSVDatasetV2", kind, spec, (), tensors))
        self._label = "CsvDatasetV2"  # operations are called otherwise


def require_compression(compression: Any) -> None:
    if getattr(compression, "symbolic", False):
        return
    if compression._array[()] not in (b"", b"GZIP", b"ZLIB"):
        raise InvalidArgumentError(f"Unsupported compression_type: {compression._array[()]!r}.")


def default_of(given: Any) -> Any:
    """A tensor; of what names a dtype, as its number in files does too, an empty one."""
    is_number = isinstance(given, int | float | np.number) and float(given).is_integer()
    try:
        dtype = dtypes.as_dtype(int(given) if is_number else given)
    except (TypeError, ValueError):
        return as_tensor(given)
    return wrap(np.empty(0, dtype.storage)) if dtype in DTYPES else as_tensor(given)


def _selected(select_cols: Sequence[int] | None, defaults: Sequence[Any]) -> tuple[int, ...]:
    try:
        return require_selection(select_cols, defaults)
    except ValueError as error:
        raise InvalidArgumentError(str(error)) from None
