"""Records that are seen already are read together as they are read one by one."""

from __future__ import annotations

import io
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.errors import DataLossError
from tensormill.formats.records import next_record, record, records


class Bytes:
    """A file's bytes, of which some `seen` ones can be looked at ahead."""

    name = "file"

    def __init__(self, data: bytes, seen: int) -> None:
        self._file, self._seen = io.BytesIO(data), seen

    @property
    def offset(self) -> int:
        return self._file.tell()

    def read(self, count: int, /) -> bytes:
        return self._file.read(count)

    def ahead(self) -> bytes:
        return self._file.getvalue()[self.offset :][: self._seen]


def read(found: Any) -> list[Any]:
    """What comes, and the error at its end."""
    made: list[Any] = []
    try:
        made.extend(found)
    except DataLossError as error:
        made.append(str(error))
    return made


@st.composite
def files(draw: Any) -> bytes:
    """Records, perhaps with a byte changed or the end cut off."""
    data = bytearray(b"".join(map(record, draw(st.lists(st.binary(max_size=40), max_size=8)))))
    if data and draw(st.booleans()):
        data[draw(st.integers(0, len(data) - 1))] ^= 1 << draw(st.integers(0, 7))
    return bytes(data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data)


@settings(max_examples=300, deadline=None)
@given(files(), st.sampled_from([0, 1, 16, 17, 50, 100, 10_000]))
def test_records_that_are_seen_are_those_that_are_read_one_by_one(data: bytes, seen: int) -> None:
    one_by_one = Bytes(data, 0)
    expected = read(iter(lambda: next_record(one_by_one), None))

    assert expected == read(records(Bytes(data, seen)))
