"""Comma-separated values (RFC 4180): `tf.io.decode_csv`, and the fields of a record."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.native_examples import Array
from ...core.native_operations import TEXTS
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ...core.text import strings_in
from ...errors import DTypeMismatchError, InvalidArgumentError
from ..array.fill import zeros_like
from ..array.select import where
from ..array.shapes import reshape, shape_of
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.comparison import logical_not
from ..math.reduce import reduce_any
from ..op import Attr, In, Op, Out
from ..strings.spans.looking import SpansEqual
from ..strings.spans.reading import NumbersOfSpans
from ..strings.spans.records import CsvSpans
from ..strings.spans.spans import Doubted, Spans, in_a_list, text_spans, together
from ..strings.spelled_numbers import StringToNumber

_QUOTE: Final = b'"'
DTYPES: Final = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)


class CsvDialect(NamedTuple):
    """How records are written. selected: the columns that are wanted, ascending; none: all."""

    delimiter: bytes
    has_quotes: bool
    missing: bytes
    selected: tuple[int, ...] = ()

    def fields(self, record: bytes) -> list[bytes]:
        """The wanted fields of a record.

        Raises:
            InvalidArgumentError: its quotes are wrong.
        """
        if not record:
            return []
        is_plain = not self.has_quotes or not (
            _QUOTE in record or b"\n" in record or b"\r" in record
        )
        found = record.split(self.delimiter) if is_plain else self._quoted(record)
        if not self.selected:
            return found
        return [found[k] for k in self.selected if k < len(found)]

    def _quoted(self, record: bytes) -> list[bytes]:
        """All fields, until the last one that is wanted."""
        found: list[bytes] = []
        at, last = 0, self.selected[-1] if self.selected else len(record)
        while at <= len(record) and len(found) <= last:
            take = self._in_quotes if record[at : at + 1] == _QUOTE else self._bare
            field, at = take(record, at)
            found.append(field)
        return found

    def _bare(self, record: bytes, at: int) -> tuple[bytes, int]:
        """The field from `at` on, and where the next one begins."""
        end = record.find(self.delimiter, at)
        end = len(record) if end < 0 else end
        field = record[at:end]
        if any(one in field for one in (_QUOTE, b"\n", b"\r")):
            raise InvalidArgumentError(
                f"Unquoted fields cannot have quotes/CRLFs inside: {field!r} in {record[:200]!r}"
            )
        return field, end + 1

    def _in_quotes(self, record: bytes, at: int) -> tuple[bytes, int]:
        begin = at = at + 1
        while (at := record.find(_QUOTE, at)) >= 0:
            follows = record[at + 1 : at + 2]
            if follows in (self.delimiter, b""):
                return record[begin:at].replace(b'""', _QUOTE), at + 2
            if follows != _QUOTE:
                raise InvalidArgumentError(
                    "Quote inside a string has to be escaped by another quote: byte "
                    f"{at} of {record[:200]!r}"
                )
            at += 2
        raise InvalidArgumentError(
            f"Quoted field has to end with quote followed by delim or end: {record[:200]!r}"
        )


def dialect_of(delimiter: Any, has_quotes: bool, missing: Any, selected: Any) -> CsvDialect:
    """The dialect that a program describes.

    Raises:
        InvalidArgumentError: the delimiter is not one byte.
    """
    sign, nothing = (one.encode() if isinstance(one, str) else one for one in (delimiter, missing))
    if len(sign) != 1:
        raise InvalidArgumentError(f"field_delim should be only 1 char, not {sign!r}")
    return CsvDialect(sign, bool(has_quotes), nothing, tuple(selected or ()))


def columns_of(
    rows: Sequence[Sequence[bytes]], missing: bytes, defaults: Sequence[Array]
) -> list[Array]:
    """The fields of records, by columns: each has the dtype of its default, which stands for what
    is missing; an empty one says that nothing may be.

    Raises:
        InvalidArgumentError: a record has more or fewer fields; one is missing, or spells no such
            number.
    """
    for record, row in enumerate(rows):
        if len(row) != len(defaults):
            raise InvalidArgumentError(
                f"Expect {len(defaults)} fields but have {len(row)} in record {record}"
            )
    by_column = zip(*rows, strict=True) if rows else [()] * len(defaults)
    return [
        _column(texts, missing, default, number)
        for number, (texts, default) in enumerate(zip(by_column, defaults, strict=True))
    ]


def _column(texts: Sequence[bytes], missing: bytes, default: Array, number: int) -> Array:
    dtype = dtypes.BY_NUMPY_NUMBER[default.dtype.num]
    absent = [k for k, text in enumerate(texts) if not text or text == missing]
    if absent and not default.size:
        raise InvalidArgumentError(
            f"Field {number} is required but missing in record {absent[0]}! A default of "
            f"record_defaults[{number}] would stand for it"
        )
    if dtype is dtypes.string:
        made = np.empty(len(texts), object)
        made[:] = texts
    else:
        skipped = set(absent)
        known = [b"0" if k in skipped else text for k, text in enumerate(texts)]
        made = _numbers(known, dtype, number)
    if absent:
        made[absent] = default.reshape(-1)[0]
    return made


def _numbers(texts: list[bytes], dtype: DType, number: int) -> Array:
    array = np.empty(len(texts), object)
    array[:] = texts
    try:
        return StringToNumber(array, out_type=dtype).eager(np)
    except InvalidArgumentError:
        record = next(k for k, text in enumerate(texts) if not _spells(text, dtype))
        raise InvalidArgumentError(
            f"Field {number} in record {record} is not a valid {dtype.name}: "
            f"{texts[record].decode('utf-8', 'replace')}"
        ) from None


def _spells(text: bytes, dtype: DType) -> bool:
    try:
        StringToNumber(None, out_type=dtype).number(text)
    except InvalidArgumentError:
        return False
    return True


class DecodeCSV(Op):
    """The fields of records, a tensor for each column."""

    records = In("str ...")
    record_defaults = In("[OUT_TYPE]")
    output = Out("[OUT_TYPE]")
    field_delim = Attr(",")
    use_quote_delim = Attr(True)
    na_value = Attr("")
    select_cols = Attr(())
    differentiable = False
    native_from = TEXTS
    native_axes = MappingProxyType({"record_defaults": slice(None)})

    def demands(self, sizes: Any) -> None:
        """Defaults are single values, or none."""
        if not self.record_defaults:
            refuse(InvalidArgumentError, NO_COLUMN)
        for number, default in enumerate(self.record_defaults):
            demand_default(sizes, number, default)

    def infer(self) -> tuple[TensorSpec, ...]:
        return tuple(TensorSpec(self.records.shape, one.dtype) for one in self.record_defaults)

    def eager(self, np: Any) -> tuple[Array, ...]:
        dialect = dialect_of(
            self.field_delim, self.use_quote_delim, self.na_value, self.select_cols
        )
        rows = [dialect.fields(record) for record in strings_in(self.records)]
        columns = columns_of(rows, dialect.missing, self.record_defaults)
        return tuple(one.reshape(self.records.shape) for one in columns)

    def rows(self, np: Any, varying: Sequence[bool]) -> Any:
        return None if any(varying[1:]) else self.evaluated(np)

    def on_spans(self) -> Any:
        delimiter, columns = self.field_delim.encode(), self.select_cols
        if len(delimiter) != 1 or any(one.shape.num_elements() is None for one in self.defaults()):
            return NotImplemented
        if list(columns) != sorted(set(columns)) or min(columns, default=0) < 0:
            return NotImplemented
        texts = in_a_list(self.records)
        first, last, doubtful = bind(
            CsvSpans, *texts.parts, delimiter=delimiter[0], has_quotes=self.use_quote_delim,
            columns=columns or tuple(range(len(self.record_defaults))), is_all=not columns,
        )  # fmt: skip
        shape, found = shape_of(self.records.starts), list[Any]()
        for number, default in enumerate(self.record_defaults):
            field = Spans(first[number], last[number], texts.bytes)
            column, doubts = column_of_spans(field, default, self.na_value)
            doubtful = doubtful | doubts
            found.append(in_shape(column, shape))
        return Doubted(logical_not(reduce_any(doubtful)), tuple(found))

    def defaults(self) -> list[Any]:
        """The defaults: tensors, or where strings start."""
        return [one.starts if isinstance(one, Spans) else one for one in self.record_defaults]


def column_of_spans(field: Spans, default: Any, missing: str) -> tuple[Any, Any]:
    """A column with a default for what is missing, and what is doubtful in it."""
    is_missing = field.starts == field.stops
    if missing:
        is_missing = is_missing | bind(SpansEqual, *field.parts, *text_spans(missing).parts)
    is_text = isinstance(default, Spans)
    has_default = bool((default.starts if is_text else default).shape.num_elements())
    found, doubtful = field, zeros_like(is_missing)
    if not is_text:
        found, doubtful = bind(NumbersOfSpans, *field.parts, out_type=default.dtype)
    if not has_default:
        return found, doubtful | is_missing
    if not is_text:
        found = where(is_missing, reshape(default, []), found)
        return found, doubtful & logical_not(is_missing)
    own, other = together([field, default])
    starts, stops = (
        where(is_missing, reshape(one, []), another)
        for one, another in ((other.starts, own.starts), (other.stops, own.stops))
    )
    return Spans(starts, stops, own.bytes), doubtful


def in_shape(column: Any, shape: Any) -> Any:
    if not isinstance(column, Spans):
        return reshape(column, shape)
    starts, stops = (reshape(one, shape) for one in (column.starts, column.stops))
    return column._replace(starts=starts, stops=stops)


def demand_default(sizes: Any, number: int, default: Any) -> None:
    """Refuse a default that is no single value, nor empty."""
    shape = sizes.shape(default, 0)
    if len(shape) > 1:
        refuse(InvalidArgumentError, NOT_ONE, number, shape)
    if len(shape) == 1:
        sizes.require(shape[0] <= 1, InvalidArgumentError, SEVERAL, number, shape[0])


NO_COLUMN = "record_defaults: at least one column is wanted"
NOT_ONE = "record_defaults[{}]: each default should be at most rank 1, but has shape {}"
SEVERAL = "There should only be 1 default per field but field {} has {}"


@dispatchable
def decode_csv(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Any = None,
    name: str | None = None,
) -> list[Any]:
    """The fields of comma-separated records: a list of tensors, one for each column.

    records: strings [...]; each result has their shape, and the dtype of its default.

    >>> names, ages = tf.io.decode_csv(["Ada,36", "Bob,"], [[""], [0]])
    >>> names.numpy(), ages.numpy()
    (array([b'Ada', b'Bob'], dtype=object), array([36,  0], dtype=int32))

    Args:
        records: a string tensor of any shape, which each result has; one record in each.
        record_defaults: a list with a tensor of one element for each column: what stands for
            fields that are missing (empty, or `na_value`), and the column's dtype; an empty tensor
            where none may be missing. float32, float64, int32, int64 or string.
        field_delim: one byte.
        use_quote_delim: whether fields may be in double quotes.
        na_value: another text for what is missing.
        select_cols: the columns that are wanted, ascending; by default, all.

    Raises:
        InvalidArgumentError: a record has more or fewer fields, or a wrong one.
        ValueError: `select_cols` do not ascend, or are not as many as `record_defaults`.
    """
    selected = require_selection(select_cols, record_defaults)
    defaults = [as_tensor(one) for one in record_defaults]
    require_csv_types(defaults)
    return list(
        bind(
            DecodeCSV, as_tensor(records, dtypes.string), defaults, field_delim=field_delim,
            use_quote_delim=use_quote_delim, na_value=na_value, select_cols=selected, name=name,
        )
    )  # fmt: skip


def require_csv_types(defaults: Sequence[Any]) -> None:
    for number, one in enumerate(defaults):
        if one.dtype not in DTYPES:
            raise DTypeMismatchError(
                f"record_defaults[{number}]: {one.dtype.name} is not in the list of allowed values "
                f"{', '.join(dtype.name for dtype in DTYPES)}"
            )


def require_selection(select_cols: Any, record_defaults: Sequence[Any]) -> tuple[int, ...]:
    """The wanted columns, which ascend; as many as there are defaults."""
    if select_cols is None:
        return ()
    selected = tuple(int(one) for one in select_cols)
    if any(one >= other for one, other in itertools.pairwise(selected)):
        raise ValueError(f"select_cols is not strictly increasing: {list(selected)}")
    if selected and selected[0] < 0:
        raise ValueError(f"select_cols contains negative values: {list(selected)}")
    if len(selected) != len(record_defaults):
        raise ValueError(
            f"Length of select_cols and record_defaults do not match: {len(selected)} and "
            f"{len(record_defaults)}"
        )
    return selected
