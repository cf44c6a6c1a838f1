"""Crosses of columns: what is no column is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.sparse import crosses

WORDS = tf.constant([["a"], ["b"]])
SPARSE = tf.sparse.from_dense([["c"], ["d"]])
EVERY = [tf.sparse.cross, tf.sparse.cross_hashed, tf.ragged.cross, tf.ragged.cross_hashed]


@pytest.mark.parametrize("inputs", [SPARSE, None, {"a": WORDS}], ids=["a tensor", "None", "a dict"])
@pytest.mark.parametrize("cross", EVERY)
def test_inputs_are_a_list(cross: Any, inputs: Any) -> None:
    with pytest.raises(TypeError, match="must be a list"):
        cross(inputs)


@pytest.mark.parametrize("one", [[["a"]], np.ones([1, 1]), tf.ragged.constant([["a"]])])
def test_sparse_crosses_take_tensors_only(one: Any) -> None:
    with pytest.raises(TypeError, match="must be tensors or SparseTensors"):
        tf.sparse.cross([SPARSE, one])


@pytest.mark.parametrize("one", [tf.constant(["a", "b"]), tf.sparse.expand_dims(SPARSE, -1)])
@pytest.mark.parametrize("cross", EVERY)
def test_inputs_are_matrices(cross: Any, one: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="matri"):
        cross([SPARSE, one])
    with pytest.raises(tf.errors.InvalidArgumentError, match="matri"):
        tf.function(lambda: cross([SPARSE, one]).values)()


@pytest.mark.parametrize("one", [tf.constant([["a"]]), tf.sparse.from_dense([["a"]])])
@pytest.mark.parametrize("cross", EVERY)
def test_inputs_have_as_many_rows(cross: Any, one: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"batch of 1 rows, the first has 2"):
        cross([WORDS, one] if "sparse" not in cross.__module__ else [SPARSE, one])


def test_ragged_crosses_take_texts_and_integers() -> None:
    for values in (tf.constant([[1.5]]), tf.constant([[True]])):
        with pytest.raises(ValueError, match=r"Unexpected dtype for inputs\[1\]"):
            tf.ragged.cross([WORDS, values])


@pytest.mark.parametrize("cross", [tf.sparse.cross_hashed, tf.ragged.cross_hashed])
def test_hashes_need_buckets_and_a_key_of_64_bits(cross: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="minimum 0, not -1"):
        cross([WORDS], num_buckets=-1)
    with pytest.raises(OverflowError, match="64 bits"):
        cross([WORDS], hash_key=2**63)


def test_rows_out_of_order_belong_to_their_rows() -> None:
    mixed = tf.SparseTensor([[1, 0], [0, 0], [1, 1]], ["y", "x", "z"], [2, 2])

    crossed = tf.sparse.cross([mixed, WORDS], separator="")

    assert [b"xa", b"yb", b"zb"] == crossed.values.numpy().tolist()


def test_indices_outside_and_splits_of_nothing_are_refused() -> None:
    places, shape = tf.constant([[5, 0]], tf.int64), tf.constant([2, 2], tf.int64)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"not in \[0, 2\)"):
        tf.sparse.cross([tf.SparseTensor(places, ["x"], shape), WORDS])
    wrong = tf.RaggedTensor.from_row_splits(["a", "b"], [0, 1, 9], validate=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="do not divide 2 values"):
        tf.ragged.cross([wrong, WORDS])


def test_more_combinations_than_memory_holds_are_refused() -> None:
    wide = tf.zeros([1, 2**10], tf.int64)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="more combinations"):
        tf.sparse.cross_hashed([wide] * 7)


@pytest.mark.parametrize("count", [1, 63, 64, 500])
def test_many_texts_are_hashed_like_few(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [[f"word {k}" * (k % 7), "x" * k] for k in range(count)]
    inputs = [tf.sparse.from_dense(words), tf.constant(words)]

    found = tf.sparse.cross_hashed(inputs, num_buckets=10**6).values.numpy().tolist()
    monkeypatch.setattr(crosses, "MANY_TEXTS", 10**9)
    assert tf.sparse.cross_hashed(inputs, num_buckets=10**6).values.numpy().tolist() == found
