"""Characters and the places where bytes are none, compared with decoding from each place anew."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensormill.ops.strings.unicode import Character, characters


def one_by_one(text: bytes, codec: str) -> Iterator[Character]:
    """The slow twin: the rest of the text is decoded again after every mistake."""
    place = 0
    while place < len(text):
        try:
            valid, wrong = text[place:].decode(codec), 0
        except UnicodeDecodeError as error:
            valid, wrong = text[place : place + error.start].decode(codec), error.end - error.start
        for one in valid:
            yield Character(ord(one), place)
            place += len(one.encode(codec))
        if wrong:
            yield Character(None, place)
            place += wrong


pieces = st.one_of(
    st.binary(max_size=4),
    st.text(max_size=3).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.text(max_size=3).map(lambda text: text.encode("utf-16-be", "surrogatepass")),
)


@pytest.mark.sampled
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-be", "utf-32-be", "ascii", "cp1252"])
@given(parts=st.lists(pieces, max_size=6))
def test_characters_are_those_of_the_slow_twin(codec: str, parts: list[bytes]) -> None:
    text = b"".join(parts)

    assert [*characters(text, codec)] == [*one_by_one(text, codec)]


def test_each_byte_is_decoded_once() -> None:
    decoded: list[int] = []

    def decode(text: Any, errors: str = "strict") -> tuple[str, int]:
        decoded.append(len(text))
        return codecs.utf_8_decode(bytes(text), errors, True)

    def search(name: str) -> codecs.CodecInfo | None:
        return codecs.CodecInfo(codecs.utf_8_encode, decode) if name == "counted" else None

    codecs.register(search)
    try:
        assert len([*characters(b"\xffa" * 500, "counted")]) == 1000
    finally:
        codecs.unregister(search)
    assert decoded == [1000]
