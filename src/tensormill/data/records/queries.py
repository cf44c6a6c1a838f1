"""`tf.data.experimental.SqlDataset`: the rows of a query of an SQLite database."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final
from urllib.parse import quote

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.process.tracebacks import shallow
from ...core.specs import TensorSpec
from ...core.tensorflow_names import at_home_in
from ...eager.tensor import wrap
from ...errors import InvalidArgumentError, UnknownError
from ...ops.conversion import as_tensor
from ..dataset import DatasetV2, new_dataset
from ..nodes.node import Element, Elements, Node, Specs

_DTYPES: Final = (
    dtypes.string, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8,
    dtypes.uint16, dtypes.bool_, dtypes.float64,
)  # fmt: skip
_BEGINNING: Final = re.compile(rb"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


class QueryNode(Node):
    """The rows that a query gives: a scalar for each column."""

    def __init__(self, driver: Any, source: Any, query: Any, *, specs: Specs) -> None:
        super().__init__(specs)
        texts = [os.fsdecode(one._array[()]) for one in (driver, source, query)]
        if texts[0] != "sqlite":
            raise InvalidArgumentError(f"driver_name={texts[0]!r}: SqlDataset knows 'sqlite' only")
        self._source, self._query = texts[1:]

    def iterate(self) -> Elements:
        try:
            # A missing file is not made.
            address = f"file:{quote(self._source)}?mode=ro"
            with closing(sqlite3.connect(address, uri=True)) as database:
                for row in database.execute(self._query):
                    yield self._element(row)
        except sqlite3.Error as error:
            raise UnknownError(f"{self._source}: {error}: {self._query}") from None

    def _element(self, row: Sequence[Any]) -> Element:
        specs: Any = self.specs
        if len(row) != len(specs):
            raise InvalidArgumentError(
                f"The number of columns in query ({len(row)}) must match the number of elements in "
                f"output_types ({len(specs)})"
            )
        pairs = zip(row, specs, strict=True)
        return tuple([wrap(_scalar(value, spec.dtype)) for value, spec in pairs])


def _scalar(value: Any, dtype: DType) -> Any:
    """A value as SQLite converts it: NULL and texts that spell no number are 0, or empty.

    https://www.sqlite.org/c3ref/column_blob.html
    """
    made = np.empty((), dtype.storage)
    if dtype is dtypes.string:
        text = b"" if value is None else value
        made[()] = text if isinstance(text, bytes) else str(text).encode()
    elif dtype.is_floating:
        made[()] = _number(value)
    elif dtype is dtypes.bool_:
        made[()] = _whole(value, 64) != 0
    else:
        made[()] = np.int64(_whole(value, 64 if dtype.size == 8 else 32)).astype(dtype.storage)
    return made


def _number(value: Any) -> float | int:
    if isinstance(value, (int, float)):
        return value
    text = value.encode() if isinstance(value, str) else value or b""
    found = _BEGINNING.match(text)
    return float(found[0]) if found else 0


def _whole(value: Any, bits: int) -> int:
    """A whole number, of which so many bits are kept."""
    limit = 2**63 - 1
    number = max(-limit - 1, min(limit, int(_number(value)))) & (2**bits - 1)
    return number - 2**bits if number >= 2 ** (bits - 1) else number


@at_home_in("tensorflow.python.data.experimental.ops.readers", "SqlDatasetV2")
class SqlDataset(DatasetV2):
    """The rows that a query of a database gives: tuples of scalars.

    driver_name: "sqlite". data_source_name: the database's path. query: in SQL. output_types: the
    dtypes of the columns: string, bool, float64, or an integer dtype but uint32 and uint64.

    >>> import sqlite3
    >>> database = sqlite3.connect("ages.db")
    >>> _ = database.execute("create table ages as select 'Ada' as name, 36 as age")
    >>> database.close()
    >>> rows = tf.data.experimental.SqlDataset(
    ...     "sqlite", "ages.db", "select name, age from ages", (tf.string, tf.int32)
    ... )
    >>> [(name.numpy(), int(age)) for name, age in rows]
    [(b'Ada', 36)]

    Raises:
        InvalidArgumentError: another driver or dtype; (in the pass) the query gives more or fewer
            columns.
        UnknownError (in the pass): there is no such database, or the query is wrong.
    """

    @shallow
    def __init__(
        self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any
    ) -> None:
        types = [as_dtype(one) for one in output_types]
        for one in types:
            if one not in _DTYPES:
                raise InvalidArgumentError(
                    f"output_types must be some of {', '.join(kind.name for kind in _DTYPES)}, not "
                    f"{one.name}"
                )
        spec = tuple(TensorSpec((), one) for one in types)
        tensors = [as_tensor(one, dtypes.string) for one in (driver_name, data_source_name, query)]
        self._take_over(new_dataset("SqlDatasetV2", QueryNode, spec, (), tensors))
