"""Texts in encodings of one size of characters are decoded natively as by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.ops.strings.unicode import UnicodeDecodeWithOffsets, UnicodeTranscode

ENCODINGS = [
    "ISO-8859-1",
    "latin1",
    "cp1252",
    "cp932",
    "KOI8-R",
    "US-ASCII",
    "UTF-16-BE",
    "UTF-16LE",
]
TEXTS = st.text("aé€Я語😀\n\x85", max_size=6)


def given_in(encoding: str) -> st.SearchStrategy[bytes]:
    return TEXTS.map(lambda text: text.encode(encoding, "replace")) | st.binary(max_size=5)


def outcome(function: Any) -> Any:
    try:
        return [one.tolist() for one in map(np.asarray, function())]
    except tf.errors.InvalidArgumentError:
        return tf.errors.InvalidArgumentError


@pytest.mark.parametrize("controls", [False, True])
@pytest.mark.parametrize("errors", ["replace", "ignore", "strict"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_characters_are_those_of_the_kernel(
    encoding: str, errors: str, controls: bool, data: Any
) -> None:
    words = data.draw(st.lists(given_in(encoding), min_size=1, max_size=5))
    how = dict(input_encoding=encoding, errors=errors, replace_control_characters=controls)
    decode, transcode = decoding(encoding, errors, controls)
    texts = np.array(words, object)

    expected = outcome(lambda: UnicodeDecodeWithOffsets(texts, **how).eager(np))
    assert outcome(lambda: decode(tf.constant(words))) == expected
    other = UnicodeTranscode(texts, output_encoding="UTF-8", **how)
    assert outcome(lambda: [transcode(tf.constant(words))]) == outcome(lambda: [other.eager(np)])


MADE: dict[tuple[Any, ...], Any] = {}


def decoding(*how: Any) -> Any:
    """The compiled functions, one for all texts."""
    if how not in MADE:
        encoding, errors, controls = how
        options = dict(
            input_encoding=encoding, errors=errors, replace_control_characters=controls,
            replacement_char=0xFFFD,
        )  # fmt: skip
        raw, spec = tf.raw_ops, [tf.TensorSpec([None], tf.string)]
        MADE[how] = (
            tf.function(lambda x: tuple(raw.UnicodeDecodeWithOffsets(input=x, **options)), spec),
            tf.function(
                lambda x: raw.UnicodeTranscode(input=x, output_encoding="UTF-8", **options), spec
            ),
        )
    return MADE[how]


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "UTF-16-BE"])
def test_many_texts_are_decoded_eagerly_as_few_are(encoding: str) -> None:
    words = [one.encode(encoding, "replace") for one in ("Grüße", "", "x", "\x00é")]
    one = tf.strings.unicode_decode(words, encoding)

    many = tf.strings.unicode_decode(words * 300, encoding)

    assert many.to_list() == one.to_list() * 300
