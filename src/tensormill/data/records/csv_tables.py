"""`tf.data.experimental.make_csv_dataset`: batches of the columns of files, by their names."""

from __future__ import annotations

import csv
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ...core import dtypes
from ...core.dtypes import DType
from ...core.files import gfile
from ...core.process.tracebacks import shallow
from ...ops.conversion import as_tensor
from ..dataset import AUTOTUNE, DatasetV2
from .csv_files import CsvDataset, default_of
from .file_contents import FileContents
from .pipelines import files_matching, shuffled_and_repeated

_DTYPES: Final = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)


@shallow
def make_csv_dataset(
    file_pattern: Any,
    batch_size: int,
    column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None,
    select_columns: Sequence[Any] | None = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: str | None = None,
    ignore_errors: bool = False,
    encoding: str = "utf-8",
) -> DatasetV2:
    r"""Batches of the columns of files of comma-separated values: dicts of vectors, or pairs of
    such a dict and the labels.

    >>> tf.io.write_file("ages.csv", "name,age\nAda,36\nBob,\n")
    >>> table = tf.data.experimental.make_csv_dataset(
    ...     "ages.csv", 2, label_name="age", num_epochs=1, shuffle=False
    ... )
    >>> [(names["name"].numpy().tolist(), ages.numpy()) for names, ages in table]
    [([b'Ada', b'Bob'], array([36,  0], dtype=int32))]

    Args:
        file_pattern: paths or patterns with `*`, `?` and `[...]`: one, or a list of them.
        batch_size: how many records a batch has.
        column_names: by default, those in the first line of the files.
        column_defaults: what stands for missing fields, or a dtype where none may be missing; by
            default 0 or "", of the dtype that the first rows fit into.
        label_name: a column that comes by itself.
        select_columns: the names or numbers of the columns that are wanted.
        field_delim, use_quote_delim, na_value, compression_type: as `CsvDataset` has them.
        header: whether each file begins with a line of names.
        num_epochs: how often the records come; None: without end.
        shuffle, shuffle_buffer_size, shuffle_seed: whether and how the records are shuffled.
        prefetch_buffer_size: how many batches are made ahead.
        num_parallel_reads: the records of so many files come in turn.
        sloppy: changes nothing: the order is always the same.
        num_rows_for_inference: how many rows tell the dtypes; None: all.
        ignore_errors: whether records that are wrong are left out.
        encoding: that of the lines that are read for names and dtypes.

    Raises:
        ValueError: no file matches; there are no names, or none of that name; files have different
            names.
    """
    names = files_matching(file_pattern)
    if column_names is None and not header:
        raise ValueError("Expected `column_names` or `header` arguments. Neither is provided.")
    reader = _Lines(names, field_delim, use_quote_delim, header, encoding, compression_type or "")
    columns = reader.names() if column_names is None else list(column_names)
    if len(columns) != len(set(columns)):
        raise ValueError(f"Cannot have duplicate column names: {columns}")
    selected = None if select_columns is None else _selection(select_columns, columns)
    if column_defaults is None:
        kinds = reader.dtypes(len(columns), na_value, num_rows_for_inference, selected)
        defaults: list[Any] = [_filling(kind) for kind in kinds]
    else:
        defaults = [default_of(one) for one in column_defaults]
    if selected is not None:
        columns = [columns[k] for k in selected]
    if len(columns) != len(defaults):
        raise ValueError(
            f"there are {len(columns)} columns and {len(defaults)} column_defaults: {columns}"
        )
    if label_name is not None and label_name not in columns:
        raise ValueError(
            f"`label_name` provided must be one of the columns: {columns}. Received: {label_name}."
        )

    def records(name: Any) -> DatasetV2:
        return CsvDataset(
            name, defaults, select_cols=selected, field_delim=field_delim,
            use_quote_delim=use_quote_delim, na_value=na_value, header=header,
            compression_type=compression_type,
        )  # fmt: skip

    files = DatasetV2.from_tensor_slices(names)
    if shuffle:
        files = files.shuffle(len(names), shuffle_seed)
    found = files.interleave(records, cycle_length=num_parallel_reads or 1, block_length=1)
    if ignore_errors:
        found = found.ignore_errors()
    found = shuffled_and_repeated(found, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    batches = found.batch(batch_size, drop_remainder=num_epochs is None)
    table = batches.map(_named(columns, label_name))
    return table.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def _named(columns: Sequence[str], label: str | None) -> Callable[..., Any]:
    def features(*values: Any) -> Any:
        found = OrderedDict(zip(columns, values, strict=True))
        return found if label is None else (found, found.pop(label))

    return features


def _selection(wanted: Sequence[Any], columns: Sequence[str]) -> list[int]:
    """The numbers of columns, in order.

    Raises:
        ValueError: there is no such column, or it is named twice.
    """
    for one in wanted:
        is_there = one in columns if isinstance(one, str) else 0 <= one < len(columns)
        if not is_there:
            raise ValueError(
                f"Column {one} specified in `select_columns` must be one of the columns: {columns}."
            )
    numbers = [columns.index(one) if isinstance(one, str) else int(one) for one in wanted]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"`select_columns` contains a column twice: {list(wanted)}")
    return sorted(numbers)


def _filling(dtype: DType) -> Any:
    return as_tensor([""] if dtype is dtypes.string else [0], dtype)


class _Lines:
    """The rows of files, read for what they say of columns."""

    def __init__(
        self,
        files: Sequence[str],
        delimiter: str,
        has_quotes: bool,
        has_header: bool,
        encoding: str,
        compression: str,
    ) -> None:
        self._files, self._encoding, self._has_header = files, encoding, has_header
        self._compression = compression
        quoting: Any = csv.QUOTE_MINIMAL if has_quotes else csv.QUOTE_NONE
        self._dialect: dict[str, Any] = {"delimiter": delimiter, "quoting": quoting}

    def names(self) -> list[str]:
        """The first row of all files.

        Raises:
            ValueError: they differ.
        """
        first, *others = [(file, next(self._rows(file), [])) for file in self._files]
        for file, names in others:
            if names != first[1]:
                raise ValueError(
                    "All input CSV files should have the same column names in the header row. File "
                    f"{file} has different column names: {names}, not {first[1]}"
                )
        return first[1]

    def dtypes(
        self, count: int, missing: str, most: int | None, selected: Sequence[int] | None
    ) -> list[DType]:
        """The first dtype that holds all of a column's values, in the first rows.

        Raises:
            ValueError: a row has more or fewer fields.
        """
        wanted = range(count) if selected is None else selected
        levels = dict.fromkeys(wanted, -1)
        for number, row in zip(range(most) if most is not None else iter(int, 1), self._all(),
                               strict=False):  # fmt: skip
            if len(row) != count:
                raise ValueError(
                    f"Problem inferring types: CSV row {number + 1 + self._has_header} has "
                    f"{len(row)} number of fields. Expected: {count}."
                )
            for k in wanted:
                levels[k] = _level(row[k], missing, levels[k])
        return [_DTYPES[level] for level in levels.values()]  # -1: strings

    def _all(self) -> Iterator[list[str]]:
        for file in self._files:
            rows = self._rows(file)
            if self._has_header:
                next(rows, None)
            yield from rows

    def _rows(self, file: str) -> Iterator[list[str]]:
        with (
            gfile.translated(file),
            FileContents(file, self._compression) as contents,
            contents.as_text(self._encoding) as lines,
        ):
            yield from csv.reader(lines, **self._dialect)


def _level(text: str, missing: str, level: int) -> int:
    """The first of the dtypes, from `level` on, that holds what a text spells."""
    if text in ("", missing):
        return level
    return next(k for k in range(max(level, 0), len(_DTYPES)) if _holds(_DTYPES[k], text))


def _holds(dtype: DType, text: str) -> bool:
    if dtype is dtypes.string:
        return True
    kind = float if dtype.is_floating else int
    try:
        return kind(dtype.min) <= kind(text) <= kind(dtype.max)
    except ValueError:
        return False
