"""Programs of tables, and of ragged and sparse tensors: `programs.py` has them all."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Rows:
    """A ragged argument."""

    rows: list[Any]
    dtype: str

    def of(self, tf: Any) -> Any:
        return tf.ragged.constant(self.rows, self.dtype)


@dataclass(frozen=True)
class Places:
    """A sparse argument."""

    indices: list[list[int]]
    values: list[float]
    shape: list[int]

    def of(self, tf: Any) -> Any:
        return tf.SparseTensor(self.indices, self.values, self.shape)


FILES = tempfile.TemporaryDirectory()
atexit.register(FILES.cleanup)

Call = tuple[str, tuple[Any, ...], dict[str, Any]]
Program = tuple[Any, Any]


def tables(tf: Any) -> Program:
    """Tables that are filled once, from tensors and from a file, and tables that change."""
    lookup, int64 = tf.lookup, tf.int64
    vocabulary = Path(FILES.name) / "words.txt"
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


def composites(tf: Any) -> Program:
    """Arguments and results that are ragged and sparse."""
    rows = tf.RaggedTensorSpec([None, None], tf.float32)
    deep = tf.RaggedTensorSpec([None, None, None], tf.int32)
    matrix = tf.SparseTensorSpec([None, 3], tf.float32)

    class Composites(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = tf.Variable(2.0)

        @tf.function(input_signature=[rows])
        def scaled(self, x: Any) -> Any:
            return x * self.scale, tf.reduce_sum(x, axis=1), x.to_tensor(-1.0)

        @tf.function(input_signature=[deep, tf.TensorSpec([], tf.int32)])
        def nested(self, x: Any, k: Any) -> Any:
            return {"sum": tf.reduce_sum(x, axis=2) + k, "inner": x.values, "rows": x[1:]}

        @tf.function(input_signature=[matrix, tf.TensorSpec([3, 2])])
        def sparse(self, x: Any, w: Any) -> Any:
            total = tf.sparse.add(x, x)
            product = tf.sparse.sparse_dense_matmul(x, w)
            return total, product, tf.sparse.reduce_sum(x, 1), tf.sparse.to_dense(x)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def words(self, x: Any) -> Any:
            found = tf.strings.split(x)
            return found, found.to_sparse(), tf.strings.length(found)

        @tf.function
        def either(self, x: Any, y: Any = None) -> Any:
            return x.to_tensor() if y is None else x + y

        @tf.function(input_signature=[tf.TensorSpec([3, 2]), tf.TensorSpec([None], tf.int32)])
        def slices(self, w: Any, k: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(w)
                total = tf.reduce_sum(tf.gather(w, k) ** 2)
            return tape.gradient(total, w)

    made = Composites()
    ragged = tf.ragged.constant([[1], [2, 3]])
    made.either(ragged)
    made.either(ragged, ragged)
    return made, {}


def branch_gradients(tf: Any) -> Program:
    """Gradients of branches, which need what the branch that ran has computed."""

    class Branches(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = tf.Variable(2.0)

        @tf.function(input_signature=[tf.TensorSpec([None, 4])])
        def step(self, x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.cond(
                    tf.reduce_sum(x) > 0.0,
                    lambda: tf.sin(x) * tf.exp(x) * self.scale,
                    lambda: tf.cos(x * self.scale),
                )
            return y, *tape.gradient(y, [x, self.scale])

        @tf.function(input_signature=[tf.TensorSpec([], tf.int32), tf.TensorSpec([None])])
        def slope(self, k: Any, x: Any) -> Any:
            def nested() -> Any:
                return tf.cond(x[0] > 0.0, lambda: x * x * x, lambda: tf.tanh(x))

            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.switch_case(k, [lambda: tf.sin(x) * x, lambda: tf.exp(x), nested])
            return tape.gradient(y, x)

    return Branches(), {}


PROGRAMS: tuple[Callable[[Any], Program], ...] = (tables, composites, branch_gradients)


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
    "composites": [
        ("scaled", (Rows([[1.0, 2.0], [], [3.0]], "float32"),), {}),
        ("nested", (Rows([[[1], [2, 3]], [[4]]], "int32"), np.array(10, np.int32)), {}),
        ("sparse", (Places([[0, 1], [1, 2]], [5.0, 7.0], [2, 3]), np.ones((3, 2), np.float32)), {}),
        ("words", (texts("a b", "", "c"),), {}),
        ("either", (Rows([[7], [8, 9]], "int32"),), {}),
        ("either", (Rows([[7], [8, 9]], "int32"), Rows([[1], [2, 3]], "int32")), {}),
        ("slices", (np.ones((3, 2), np.float32), np.array([0, 2, 0], np.int32)), {}),
    ],
    "branch_gradients": [
        *(("step", (sign * np.array([[0.1, 0.2, 0.3, 0.4]], np.float32),), {}) for sign in (1, -1)),
        *(
            ("slope", (np.array(k, np.int32), sign * np.array([0.5, 2.0], np.float32)), {})
            for k in (0, 1, 2)
            for sign in (1, -1)
        ),
    ],
}
