"""Eager operations on many strings are native code, and say what their kernels say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.core import native_operations
from tensormill.core.native_operations import TEXTS
from tests import native_calls

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "lower": tf.strings.lower,
    "upper in UTF-8": lambda x: tf.strings.upper(x, "utf-8"),
    "strip": tf.strings.strip,
    "length": tf.strings.length,
    "length in characters": lambda x: tf.strings.length(x, "UTF8_CHAR"),
    "substr": lambda x: tf.strings.substr(x, 0, 3),
    "hash": lambda x: tf.strings.to_hash_bucket_fast(x, 1000),
    "strong hash": lambda x: tf.strings.to_hash_bucket_strong(x, 1000, [3, 4]),
    "replace": lambda x: tf.strings.regex_replace(x, "[aeiou]+", "<\\0>"),
    "match": lambda x: tf.strings.regex_full_match(x, "[0-9a-c ]*"),
    "decode": lambda x: tf.strings.unicode_decode(x, "UTF-8"),
    "transcode": lambda x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE"),
    "base64": tf.io.encode_base64,
    "bytes of one length": lambda x: tf.io.decode_raw(x, tf.uint16, fixed_length=6),
    "split": tf.strings.split,
    "numbers": lambda x: tf.strings.to_number(tf.strings.regex_replace(x, "[^0-9]|^$", "1")),
    "join by number": lambda x: tf.strings.unsorted_segment_join(x, tf.range(tf.size(x)) % 7, 7),
}
WORDS = st.text(max_size=6).map(str.encode) | st.text("abc 019", max_size=9).map(str.encode)


def parts(result: Any) -> list[Any]:
    return [one.numpy() for one in tf.nest.flatten(result, expand_composites=True)]


@pytest.mark.parametrize("name", FUNCTIONS)
@given(words=st.lists(WORDS, min_size=1, max_size=20))
@settings(max_examples=15, deadline=None)
def test_many_strings_are_treated_as_few_are(name: str, words: list[bytes]) -> None:
    many = tf.constant(words * (TEXTS // len(words) + 1))
    found = parts(FUNCTIONS[name](many))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(native_operations, "_native", lambda: native_operations.nowhere)
        expected = parts(FUNCTIONS[name](many))

    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_bytes_of_one_length_are_cut_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    names = native_calls.noted(monkeypatch)

    found = tf.io.decode_raw([b"abc"] * TEXTS, tf.uint8, fixed_length=2)

    assert found.numpy().tolist() == [[97, 98]] * TEXTS
    assert names == ["DecodePaddedRaw"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be greater than zero"):
        tf.io.decode_raw([b"abc"] * TEXTS, tf.uint8, fixed_length=0)


def test_what_native_code_doubts_is_the_kernels_also_eagerly() -> None:
    strings = tf.constant([b"0x1p3", b"12.5", b"-inf"] * TEXTS)

    np.testing.assert_array_equal(tf.strings.to_number(strings), [8, 12.5, -np.inf] * TEXTS)


def test_errors_of_many_strings_are_the_kernels() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert"):
        tf.strings.to_number([b"1"] * TEXTS + [b"no number"])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.io.decode_base64([b"AAAA"] * TEXTS + [b"?"])
