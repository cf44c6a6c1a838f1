"""Dense tables whose keys are vectors; places and refusals as TensorFlow 2.21 has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

LONG = tf.int64


def made(**changes: Any) -> Any:
    usual: dict[str, Any] = {
        "key_dtype": LONG, "value_dtype": LONG, "default_value": -1,
        "empty_key": tf.constant([0, 0], LONG), "deleted_key": tf.constant([-1, -1], LONG),
        "initial_num_buckets": 4,
    }  # fmt: skip
    return tf.lookup.experimental.DenseHashTable(**(usual | changes))


def filled(**changes: Any) -> Any:
    table = made(**changes)
    table.insert(tf.constant([[1, 2], [3, 4], [5, 6]], LONG), tf.constant([1, 2, 3], LONG))
    return table


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_values_are_found_by_vectors(compiled: bool) -> None:
    table, keys = filled(), tf.constant([[3, 4], [1, 3], [5, 6]], LONG)
    find = tf.function(table.lookup) if compiled else table.lookup

    assert [2, -1, 3] == find(keys).numpy().tolist()
    table.remove(tf.constant([[3, 4], [9, 9]], LONG))
    assert [-1, -1, 3] == find(keys).numpy().tolist()
    assert 2 == table.size()


def test_functions_know_the_shape_of_what_is_found() -> None:
    table = made(default_value=tf.constant([-1, -2, -3], LONG))
    graph = tf.function(table.lookup).get_concrete_function(tf.TensorSpec([None, 2], LONG))
    keys, values = tf.function(table.export).get_concrete_function().structured_outputs

    assert [None, 3] == graph.structured_outputs.shape.as_list()
    assert ([None, 2], [None, 3]) == (keys.shape.as_list(), values.shape.as_list())


def test_places_are_those_of_tensorflow() -> None:
    grown = made()
    for number in range(5):
        grown.insert(tf.constant([[number + 1, number]], LONG), tf.constant([number], LONG))
    keys, values = filled().export()

    assert [[3, 4], [0, 0], [5, 6], [1, 2]] == keys.numpy().tolist()
    assert [[2], [0], [3], [1]] == values.numpy().tolist()
    assert [
        [0, 0], [1, 0], [3, 2], [2, 1], [5, 4], [0, 0], [0, 0], [4, 3],
    ] == grown.export()[0].numpy().tolist()  # fmt: skip


def test_vectors_of_texts_are_keys() -> None:
    blanks = tf.constant([["", ""], ["a", "b"]])
    table = made(key_dtype=tf.string, empty_key=blanks[0], deleted_key=blanks[1])
    table.insert(tf.constant([["x", "y"], ["z", ""]]), tf.constant([1, 2], LONG))

    assert [1, 2, -1] == table.lookup(
        tf.constant([["x", "y"], ["z", ""], ["q", "r"]])
    ).numpy().tolist()
    assert [
        [b"", b""], [b"", b""], [b"x", b"y"], [b"z", b""],
    ] == table.export()[0].numpy().tolist()  # fmt: skip


def test_many_vectors_are_found_as_a_dict_has_them() -> None:
    random = np.random.default_rng(0)
    keys = random.integers(1, 30, [2000, 2])
    known = dict(zip(map(tuple, keys.tolist()), range(2000), strict=True))
    table, asked = made(), random.integers(1, 40, [1000, 2])
    table.insert(tf.constant(keys), tf.range(2000, dtype=LONG))

    for _ in range(5):  # however often they are asked for
        found = table.lookup(tf.constant(asked)).numpy().tolist()
        assert [known.get(one, -1) for one in map(tuple, asked.tolist())] == found


def test_checkpoints_keep_vectors(tmp_path: Any) -> None:
    path = tf.train.Checkpoint(table=filled()).write(str(tmp_path / "kept"))
    table = made()
    tf.train.Checkpoint(table=table).read(path).assert_consumed()

    assert [2, -1] == table.lookup(tf.constant([[3, 4], [4, 3]], LONG)).numpy().tolist()


REFUSED: dict[str, tuple[str, Callable[[], Any]]] = {
    "a blank that is inserted": (
        "Using the empty_key as a table key",
        lambda: made().insert(tf.constant([[0, 0]], LONG), tf.constant([1], LONG)),
    ),
    "a blank that is looked for": (
        "Using the deleted_key as a table key",
        lambda: made().lookup(tf.constant([[1, 1], [-1, -1]], LONG)),
    ),
    "keys of another length": (
        r"Input key shape \[1, 3\] must end with the table's key shape \[2\]",
        lambda: made().lookup(tf.constant([[1, 1, 1]], LONG)),
    ),
    "one vector": (r"Input key shape \[2\]", lambda: made().lookup(tf.constant([3, 4], LONG))),
    "as many values as numbers": (
        r"Expected shape \[1\] for value, got \[1, 2\]",
        lambda: made().insert(tf.constant([[1, 2]], LONG), tf.constant([[1, 2]], LONG)),
    ),
    "blanks of two lengths": (
        r"must have same shape, got shapes: \[2\] and \[3\]",
        lambda: made(deleted_key=tf.constant([1, 2, 3], LONG)),
    ),
    "equal blanks": (
        "Empty and deleted keys cannot be equal",
        lambda: made(deleted_key=tf.constant([0, 0], LONG)),
    ),
    "matrices": (
        r"must be a scalar or a vector, got shape \[1, 2\]",
        lambda: made(empty_key=tf.constant([[0, 0]], LONG)),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_keys_are_refused(name: str) -> None:
    message, call = REFUSED[name]

    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()
