"""Entries of tables in files of text: one in each line."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.files import gfile
from ...errors import InvalidArgumentError
from ..strings.spelled_numbers import StringToNumber

WHOLE_LINE: Final = -2
LINE_NUMBER: Final = -1


def entries_of(
    path: str, columns: Sequence[tuple[int, DType]], count: int, delimiter: str, offset: int
) -> list[Any]:
    """What the lines of a file have in each of some columns, as arrays.

    A column is a number and a dtype. `count`: of the lines, -1 for all; `offset` is added to the
    numbers of lines.

    Raises:
        InvalidArgumentError: a line has no such column, or no number there; a whole line is empty;
            there are fewer lines than `count`.
    """
    with gfile.GFile(path, "rb") as file:
        found = itertools.islice(file, None if count < 0 else count)
        lines = [line.removesuffix(b"\n").removesuffix(b"\r") for line in found]
    if len(lines) < count:
        raise InvalidArgumentError(
            f"{path}: vocab_size is {count}, but there are {len(lines)} lines"
        )
    return [_column(path, lines, *column, delimiter, offset) for column in columns]


def _column(
    path: str, lines: list[bytes], index: int, dtype: DType, delimiter: str, offset: int
) -> Any:
    if index == LINE_NUMBER:
        return (np.arange(len(lines)) + offset).astype(dtype.storage)
    if index == WHOLE_LINE and b"" in lines:
        raise InvalidArgumentError(f"{path}: line {lines.index(b'') + 1} is empty")
    texts = np.empty(len(lines), object)
    texts[:] = lines if index == WHOLE_LINE else [_part(one, index, delimiter) for one in lines]
    if dtype is dtypes.string:
        return texts
    return StringToNumber(texts, out_type=dtype).evaluated(np)


def _part(line: bytes, index: int, delimiter: str) -> bytes:
    parts = line.split(delimiter.encode())
    if index >= len(parts):
        raise InvalidArgumentError(
            f"Invalid number of columns in line {line!r}: expected at least {index + 1} got "
            f"{len(parts)}"
        )
    return parts[index]
