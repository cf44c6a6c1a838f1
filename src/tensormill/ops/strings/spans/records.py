"""Comma-separated values cut where they lie."""

from __future__ import annotations

from typing import Any

import numpy as numpy_module

from ....core import dtypes
from ....core.specs import TensorSpec
from ...lowering import Scalar
from ...op import Attr, In, Op, Out
from ...origins import Origin
from .spans import BYTE, LONG, strings_of


class CsvSpans(Op):
    """The fields of records, a row for each of `columns`, and which records are doubtful: those
    that have quotes or new lines in them where quotes mean something, no field at all, or fewer or
    more than there are columns (`is_all`; else, fewer than are wanted).
    """

    starts = In("i64 n")
    stops = In("i64 n")
    bytes = In("u8 l")
    new_starts = Out("i64 c n")
    new_stops = Out("i64 c n")
    doubtful = Out("bool n")
    delimiter = Attr()  # a byte
    has_quotes = Attr()
    columns = Attr()
    is_all = Attr()
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        count = self.starts.shape[0]
        places = TensorSpec((len(self.columns), count), LONG)
        return places, places, TensorSpec((count,), dtypes.bool_)

    def eager(self, np: Any) -> Any:
        limits = np.zeros((2, len(self.columns), self.starts.size), np.int64)
        doubtful = np.zeros(self.starts.size, np.bool_)
        texts = strings_of(self.starts, self.stops, self.bytes).tolist()
        for k, text in enumerate(texts):
            fields, begin = text.split(bytes([self.delimiter])), int(self.starts[k])
            has_marks = self.has_quotes and any(mark in text for mark in MARKS)
            is_few = len(fields) <= self.columns[-1]
            is_many = self.is_all and len(fields) != len(self.columns)
            doubtful[k] = has_marks or is_few or is_many or not text
            for number, field in enumerate(fields):
                if number in self.columns:
                    limits[:, self.columns.index(number), k] = begin, begin + len(field)
                begin += len(field) + 1
        return *limits, doubtful

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        (size,), s, zero = starts.shape, loops.scalars, loops.constant(0, LONG)
        first, last = (loops.memory((len(self.columns) + 1, size), LONG) for _ in range(2))
        doubtful = loops.memory((size,), dtypes.bool_)
        places = self.places()
        where_put, no = loops.literal_array(places, LONG), loops.constant(False, dtypes.bool_)

        def is_other(byte: Scalar) -> Scalar:
            return byte != loops.constant(self.delimiter, BYTE)

        def is_mark(byte: Scalar) -> Scalar:
            found = no
            for mark in MARKS if self.has_quotes else ():
                found = found | (byte == loops.constant(ord(mark), BYTE))
            return found

        def cut(k: Any) -> None:
            stop = loops.held(stops[(k,)])

            def field(at: Scalar, number: Scalar, has_marks: Scalar) -> tuple[Scalar, ...]:
                end, has_marks = loops.repeat(
                    (at, has_marks),
                    lambda place, _: s.where(place < stop, is_other(row[(place,)]), no),
                    lambda place, has: (place + 1, has | is_mark(row[(place,)])),
                )
                known = s.minimum(number, loops.constant(len(places) - 1, LONG))
                column = loops.held(where_put[(known,)])
                loops.put(first, (column, k), at)
                loops.put(last, (column, k), end)
                return end + 1, number + 1, has_marks

            start = loops.held(starts[(k,)])
            _, count, has_marks = loops.repeat((start, zero, no), lambda at, *_: at <= stop, field)
            is_wrong = (count <= self.columns[-1]) | (start == stop)
            if self.is_all:
                is_wrong = is_wrong | (count != len(self.columns))
            loops.put(doubtful, (k,), has_marks | is_wrong)

        loops.for_each((size,), cut)
        shape = (len(self.columns), size)
        found = (loops.view(shape, LONG, lambda *k, of=of: of[k]) for of in (first, last))
        return *found, doubtful

    def places(self) -> Any:
        """The row of each field; behind the others that of those that are not wanted."""
        found = numpy_module.full(self.columns[-1] + 2, len(self.columns), numpy_module.int64)
        found[[*self.columns]] = numpy_module.arange(len(self.columns))
        return found


MARKS = (b'"', b"\n", b"\r")
