"""Calls that make rows of strings, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


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


WORDS = texts("a b  c", "", "x")
LIST = texts("a,b,,c", "")
MATRIX = texts(["a b", "c"], ["d e f", ""])
LETTERS = texts(["a", "b", "c"], ["d", "e", "f"])

CALLS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "strings.split": (lambda tf, x: rows(tf.strings.split(x)), [WORDS]),
    "strings.split by commas": (lambda tf, x: rows(tf.strings.split(x, ",")), [LIST]),
    "strings.split once": (lambda tf, x: rows(tf.strings.split(x, ",", 1)), [LIST]),
    "strings.split of a scalar": (lambda tf, x: tf.strings.split(x[0]), [WORDS]),
    "strings.split of a matrix": (lambda tf, x: rows(tf.strings.split(x)), [MATRIX]),
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
GRADIENTS: dict[str, tuple[Callable[..., Any], list[Any]]] = {}
