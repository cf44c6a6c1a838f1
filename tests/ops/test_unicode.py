"""Text decoded at once has the characters of text decoded one after the other."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.strings.unicode import decoded_at_once, decoded_in_turn

TEXTS = ["", "abc", "naïve", "漢字 and 🎉🎉", "\x00\x1f~", "é" * 40, "\uffff\U0010ffff", ""]


def attributes(**changed: Any) -> Any:
    plain = {
        "input_encoding": "UTF-8", "errors": "replace", "replacement_char": 0xFFFD,
        "replace_control_characters": False,
    }  # fmt: skip
    return SimpleNamespace(**(plain | changed))


def test_texts_decoded_at_once_are_those_decoded_in_turn() -> None:
    for texts in ([], [b""], [text.encode() for text in TEXTS]):
        expected = decoded_in_turn(texts, attributes())
        found = decoded_at_once(texts, attributes())
        assert found is not None
        for one, other in zip(expected, found, strict=True):
            assert np.array_equal(one, other)
            assert getattr(one, "dtype", None) == getattr(other, "dtype", None)


@pytest.mark.parametrize(("texts", "how"), [
    ([b"ab", b"\xff"], attributes()),
    ([b"a\x01"], attributes(replace_control_characters=True)),
    ([b"\x00a"], attributes(input_encoding="UTF-16-BE")),
])  # fmt: skip
def test_what_is_replaced_or_no_utf8_is_decoded_in_turn(texts: list[bytes], how: Any) -> None:
    assert decoded_at_once(texts, how) is None


def test_starts_count_bytes() -> None:
    numbers, starts = tf.strings.unicode_decode_with_offsets(["é!", "", "漢x"], "UTF-8")

    assert numbers.to_list() == [[0xE9, 0x21], [], [0x6F22, 0x78]]
    assert starts.to_list() == [[0, 2], [], [0, 3]]
