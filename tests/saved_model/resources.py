"""Programs of what functions use by handles: `programs.py` has them all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Call = tuple[str, tuple[Any, ...], dict[str, Any]]
Program = tuple[Any, Any]


def tables(tf: Any) -> Program:
    """Tables that are filled once, from tensors and from a file, and tables that change."""
    lookup, int64 = tf.lookup, tf.int64
    vocabulary = Path(tempfile.mkdtemp()) / "words.txt"
    vocabulary.write_text("red\ngreen\nblue\n")
    pairs = lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], int64))
    of_file = lookup.TextFileInitializer(str(vocabulary), tf.string, -2, int64, -1)

    class Tables(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fixed = lookup.StaticHashTable(pairs, -1)
            self.file = lookup.StaticHashTable(of_file, -1)
            self.words = lookup.StaticVocabularyTable(pairs, 2)
            self.vectors = lookup.experimental.MutableHashTable(tf.string, tf.float32, [0.0, 0.0])
            self.names = lookup.experimental.MutableHashTable(int64, tf.string, "?")
            self.dense = lookup.experimental.DenseHashTable(
                int64, tf.float32, 0.5, -1, -2, initial_num_buckets=8
            )
            self.texts = lookup.experimental.DenseHashTable(
                tf.string, int64, -1, "", "$", initial_num_buckets=8
            )
            self.vectors.insert(["x", "y"], [[1.0, 2.0], [3.0, 4.0]])
            self.names.insert(tf.constant([5, 6], int64), ["five", "six"])
            self.dense.insert(tf.constant([5, 13], int64), [50.0, 60.0])
            self.texts.insert(["one", "two", "three"], tf.constant([1, 2, 3], int64))

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def of_words(self, x: Any) -> Any:
            found = [one.lookup(x) for one in (self.fixed, self.file, self.words, self.vectors)]
            return [*found, self.texts.lookup(x), self.fixed.size(), self.words.size()]

        @tf.function(input_signature=[tf.TensorSpec([None], int64)])
        def of_numbers(self, x: Any) -> Any:
            return self.names.lookup(x), self.dense.lookup(x)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string), tf.TensorSpec([None, 2])])
        def put(self, keys: Any, values: Any) -> Any:
            self.vectors.insert(keys, values)
            self.vectors.remove(tf.constant(["x"]))
            return self.vectors.size(), self.vectors.lookup(keys)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def served(self, x: Any) -> Any:
            return {"number": self.file.lookup(x)}

    made = Tables()
    return made, made.served


PROGRAMS: tuple[Callable[[Any], Program], ...] = (tables,)


def texts(*values: str) -> Any:
    return np.array([value.encode() for value in values], object)


CALLS: dict[str, list[Call]] = {
    "tables": [
        ("of_words", (texts("a", "b", "red", "blue", "x", "three"),), {}),
        ("of_numbers", (np.array([5, 6, 13, 7], np.int64),), {}),
        ("put", (texts("q", "y"), np.array([[1.0, 2.0], [3.0, -4.0]], np.float32)), {}),
        ("of_words", (texts("q", "x"),), {}),
        ("signatures.serving_default", (), {"x": texts("green")}),
    ],
}
