"""Calls that make rows of strings, written for TensorFlow and for us alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from .call import Call


def texts(*values: Any) -> Any:
    """Strings as an array of bytes."""
    plain = np.array(values)
    found = np.empty(plain.shape, object)
    for place in np.ndindex(plain.shape):
        found[place] = str(plain[place]).encode()
    return found


def rows(found: Any) -> list[Any]:
    """A ragged tensor as dense ones."""
    return [found.flat_values, *found.nested_row_splits]


def both(found: Any, other: Any) -> list[Any]:
    return [*rows(found), *rows(other)]


WORDS = texts("a b  c", "", "x")
LIST = texts("a,b,,c", "")
MATRIX = texts(["a b", "c"], ["d e f", ""])
LETTERS = texts(["a", "b", "c"], ["d", "e", "f"])

CALLS: dict[str, Call] = {
    "to_hash_bucket": (
        lambda tf, x: tf.strings.to_hash_bucket(x, 1000003),
        [texts("", "a", "ab", "abcdefg", "abcdefgh", "é" * 40, *map(str, range(30)))],
    ),
    "to_hash_bucket of no buckets": (lambda tf, x: tf.strings.to_hash_bucket(x, 0), [WORDS]),
    "unicode_script": (
        lambda tf, x: tf.strings.unicode_script(x),
        [np.array([[1041, 97, 0x3042, 0x10FFFF, -1], [0x378, 0x300, 48, 0x1F600, 0x110000]], "i")],
    ),
    "unicode_script of many": (
        lambda tf, x: tf.strings.unicode_script(x), [np.arange(32, 0x600, 3).astype("i")],
    ),
    "fingerprint of texts": (lambda tf, x: tf.fingerprint(x), [WORDS]),
    "fingerprint of rows of texts": (lambda tf, x: tf.fingerprint(x), [MATRIX]),
    "fingerprint of columns of texts": (lambda tf, x: tf.fingerprint(x[:, tf.newaxis]), [WORDS]),
    "fingerprint of numbers": (lambda tf, x: tf.fingerprint(x), [np.arange(60.0).reshape(2, 30)]),
    "fingerprint of no texts": (lambda tf, x: tf.fingerprint(x[:0]), [WORDS]),
    "fingerprint of nothing": (lambda tf, x: tf.fingerprint(x), [np.zeros([2, 0], "f")]),
    "fingerprint of a scalar": (lambda tf, x: tf.fingerprint(x), [np.int32(1)]),
    "strings.split": (lambda tf, x: rows(tf.strings.split(x)), [WORDS]),
    "strings.split by commas": (lambda tf, x: rows(tf.strings.split(x, ",")), [LIST]),
    "strings.split once": (lambda tf, x: rows(tf.strings.split(x, ",", 1)), [LIST]),
    "strings.split of a scalar": (lambda tf, x: tf.strings.split(x[0]), [WORDS]),
    "strings.split of a matrix": (lambda tf, x: rows(tf.strings.split(x)), [MATRIX]),
    "strings.split of rank 3": (
        lambda tf, x: rows(tf.strings.split(x[None])), [MATRIX],
    ),
    "bytes_split of rank 3": (lambda tf, x: rows(tf.strings.bytes_split(x[None])), [MATRIX]),
    "unicode_decode of rank 3": (
        lambda tf, x: rows(tf.strings.unicode_decode(x[:, None], "UTF-8")), [MATRIX],
    ),
    "ngrams of rank 3": (lambda tf, x: tf.strings.ngrams(x[None], 2), [LETTERS]),
    "strings.split of any rank": (
        lambda tf, x: rows(
            tf.function(tf.strings.split, input_signature=[tf.TensorSpec(None, tf.string)])(x)
        ),
        [WORDS],
    ),
    "unsorted_segment_join of empty strings": (
        lambda tf, x: tf.strings.unsorted_segment_join(x, [0, 0, 0, 1, 1], 3, "-"),
        [texts("", "a", "", "", "b")],
    ),
    "decode_raw of no strings": (
        lambda tf, x: tf.io.decode_raw(x[:0], tf.int16, fixed_length=4), [MATRIX],
    ),
    "strings.split of rows": (
        lambda tf, x: rows(tf.strings.split(tf.strings.split(x, ","))), [LIST],
    ),
    "bytes_split": (lambda tf, x: rows(tf.strings.bytes_split(x)), [texts("héy", "", "a b")]),
    "bytes_split of a scalar": (lambda tf, x: tf.strings.bytes_split(x[0]), [WORDS]),
    "bytes_split of a matrix": (lambda tf, x: rows(tf.strings.bytes_split(x)), [MATRIX]),
    "bytes_split of rows": (
        lambda tf, x: rows(tf.strings.bytes_split(tf.strings.split(x))), [WORDS],
    ),
    "unicode_split": (lambda tf, x: rows(tf.strings.unicode_split(x, "UTF-8")), [texts("héy", "")]),
    "unicode_split of wrong bytes": (
        lambda tf, x: rows(tf.strings.unicode_split(x + b"\xff", "UTF-8")), [texts("a", "b")],
    ),
    "unicode_split of a scalar": (lambda tf, x: tf.strings.unicode_split(x[0], "UTF-8"), [WORDS]),
    "unicode_split of another encoding": (
        lambda tf, x: rows(tf.strings.unicode_split(x, "UTF-16-BE")), [texts("abc", "")],
    ),
    "unicode_split_with_offsets": (
        lambda tf, x: both(*tf.strings.unicode_split_with_offsets(x, "UTF-8")),
        [texts("héy", "🎈a")],
    ),
    "unicode_decode": (
        lambda tf, x: rows(tf.strings.unicode_decode(x, "UTF-8")), [texts("hé", "")],
    ),
    "unicode_decode of a scalar": (lambda tf, x: tf.strings.unicode_decode(x[0], "UTF-8"), [WORDS]),
    "unicode_decode of a matrix": (
        lambda tf, x: rows(tf.strings.unicode_decode(x, "UTF-8")), [MATRIX],
    ),
    "unicode_decode of wrong bytes": (
        lambda tf, x: rows(
            tf.strings.unicode_decode(b"\xe2\x82" + x, "UTF-8", replacement_char=63)
        ),
        [texts("a", "b")],
    ),
    "unicode_decode, control characters": (
        lambda tf, x: rows(
            tf.strings.unicode_decode(x, "UTF-8", "ignore", 63, replace_control_characters=True)
        ),
        [texts("a\x01b", "\n")],
    ),
    "unicode_decode_with_offsets of a scalar": (
        lambda tf, x: list(tf.strings.unicode_decode_with_offsets(x[0], "UTF-8")), [texts("é🎈a")],
    ),
    "unicode_encode": (
        lambda tf, x: tf.strings.unicode_encode(x, "UTF-16-BE"),
        [np.array([[97, 233], [0x1F388, -1]], np.int32)],
    ),
    "unicode_encode of a vector": (
        lambda tf, x: tf.strings.unicode_encode(x, "UTF-8", "ignore"),
        [np.array([97, 0xD800, 98, 0x110000], np.int32)],
    ),
    "unicode_encode of rows": (
        lambda tf, x: tf.strings.unicode_encode(tf.strings.unicode_decode(x, "UTF-8") + 1, "UTF-8"),
        [texts("abc", "", "é")],
    ),
    "unicode_transcode": (
        lambda tf, x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-32-BE"), [texts(["é", "a"])],
    ),
    "unicode_transcode of Latin": (
        lambda tf, x: tf.strings.unicode_transcode(x + b"\xe9", "latin1", "UTF-8"), [texts("a")],
    ),
    "regex_replace of rows": (
        lambda tf, x: rows(tf.strings.regex_replace(tf.strings.split(x), "b|d", "-")), [WORDS],
    ),
    "regex_full_match of rows": (
        lambda tf, x: rows(tf.strings.regex_full_match(tf.strings.split(x), "[ac]")), [WORDS],
    ),
    "substr of rows": (
        lambda tf, x: rows(tf.strings.substr(tf.strings.split(x), 0, 1)), [texts("ab cd", "", "e")],
    ),
    "to_hash_bucket_fast of rows": (
        lambda tf, x: rows(tf.strings.to_hash_bucket_fast(tf.strings.split(x), 10)), [WORDS],
    ),
    "to_hash_bucket_strong of rows": (
        lambda tf, x: rows(tf.strings.to_hash_bucket_strong(tf.strings.split(x), 10, [1, 2])),
        [WORDS],
    ),
    "join of rows": (
        lambda tf, x: rows(tf.strings.join(["x", tf.strings.split(x), tf.strings.split(x)], "-")),
        [WORDS],
    ),
    "reduce_join of an axis that is none": (
        lambda tf, x: tf.strings.reduce_join(x, 7), [WORDS],
    ),
    "substr of places without lengths": (
        lambda tf, x: tf.strings.substr(x, [0, 1], 1), [WORDS[:1]],
    ),
    "reduce_join of nothing": (
        lambda tf, x: [
            tf.strings.reduce_join(x[:rows, :columns], axis, separator="+")
            for rows, columns in ((0, 0), (2, 0), (0, 1))
            for axis in (0, -1, [])
        ],
        [MATRIX],
    ),
    "reduce_join of rows": (
        lambda tf, x: tf.strings.reduce_join(tf.strings.split(x), axis=-1, separator="+"), [WORDS],
    ),
    "reduce_join of deep rows": (
        lambda tf, x: rows(tf.strings.reduce_join(tf.strings.split(x), axis=2, separator="+")),
        [MATRIX],
    ),
    "rows equal to a string": (lambda tf, x: rows(tf.strings.split(x) == "b"), [WORDS]),
    "rows unlike a string": (lambda tf, x: rows(tf.strings.split(x) != "b"), [WORDS]),
    "unsorted_segment_join": (
        lambda tf, x: tf.strings.unsorted_segment_join(x, [2, 0, 2], 4, ":"), [WORDS],
    ),
    "unsorted_segment_join of a matrix": (
        lambda tf, x: tf.strings.unsorted_segment_join(x, [1, 1], 2, "-"), [LETTERS],
    ),
    "ngrams": (lambda tf, x: tf.strings.ngrams(x, 2), [LETTERS]),
    "ngrams of a vector": (lambda tf, x: tf.strings.ngrams(x[0], [1, 2], "|"), [LETTERS]),
    "ngrams of rows": (lambda tf, x: rows(tf.strings.ngrams(tf.strings.split(x), 2)), [WORDS]),
    "ngrams, padded": (lambda tf, x: tf.strings.ngrams(x, 3, pad_values=("L", "R")), [LETTERS]),
    "ngrams, padded once": (
        lambda tf, x: tf.strings.ngrams(x, 3, pad_values="P", padding_width=1), [LETTERS],
    ),
    "ngrams of short rows": (
        lambda tf, x: tf.strings.ngrams(x, 5, preserve_short_sequences=True), [LETTERS],
    ),
}  # fmt: skip
