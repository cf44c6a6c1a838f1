"""Many keys are looked for natively in tables that change, and found as their dict has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.state.lookup import MANY_KEYS, TURNS, HashTable

COUNT = 2 * MANY_KEYS
TABLE = tf.lookup.experimental


def keys_of(dtype: str, numbers: Any) -> Any:
    numbers = tf.constant(numbers, tf.int64)
    return tf.strings.join(["word", tf.as_string(numbers)]) if dtype == "string" else tf.cast(
        numbers, dtype
    )  # fmt: skip


def made(kind: str, key: str, value: str, shape: Any = ()) -> Any:
    default = tf.fill(shape, tf.cast(-1, value))
    if kind == "mutable":
        return TABLE.MutableHashTable(key, value, default)
    empty, deleted = keys_of(key, [-1, -2])
    return TABLE.DenseHashTable(key, value, default, empty, deleted)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("value", ["int64", "float32", "bfloat16"])
@pytest.mark.parametrize("key", ["string", "int64", "int32"])
@pytest.mark.parametrize("kind", ["mutable", "dense"])
def test_keys_are_found_after_each_change(kind: str, key: str, value: str, compiled: bool) -> None:
    table, random, known = made(kind, key, value), np.random.default_rng(0), dict[int, int]()
    find = tf.function(table.lookup) if compiled else table.lookup
    default = np.array(tf.cast(-1, value)).item()
    for turn in range(6):
        new = random.integers(0, 1000, 40 * turn)
        table.insert(keys_of(key, new), tf.cast(new % 50 + turn, value))
        known.update(zip(new.tolist(), (new % 50 + turn).tolist(), strict=True))
        gone = random.integers(0, 1000, 10)
        table.remove(keys_of(key, gone))
        known = {one: number for one, number in known.items() if one not in gone.tolist()}
        for _ in range(5):  # of which the later ones are native
            asked = random.integers(0, 1200, [COUNT // 2, 2])
            expected = [
                np.array(tf.cast(known[one], value)).item() if one in known else default
                for one in asked.reshape(-1).tolist()
            ]

            assert expected == np.reshape(find(keys_of(key, asked)), -1).tolist()
        assert len(known) == table.size().numpy()


@pytest.mark.parametrize("key", ["string", "int64"])
def test_values_may_be_vectors_and_defaults_as_many_as_keys(key: str) -> None:
    table = made("mutable", key, "float32", (3,))
    table.insert(keys_of(key, range(9)), tf.reshape(tf.range(27.0), [9, 3]))
    asked = np.arange(COUNT) % 12
    defaults = tf.random.stateless_uniform([COUNT, 3], [1, 2])
    expected = np.where(
        (asked < 9)[:, None], 3.0 * asked[:, None] + np.arange(3), defaults.numpy()
    ).astype(np.float32)
    find = tf.function(lambda keys, default: table.lookup(keys, default))
    for function in (find, table.lookup):
        found = function(keys_of(key, asked), defaults)

        assert expected.tolist() == found.numpy().tolist()


@pytest.mark.parametrize("key", ["string", "int64"])
def test_a_function_finds_what_it_has_inserted(key: str) -> None:
    table = made("mutable", key, "int64")

    @tf.function
    def before_and_after(keys: Any) -> Any:
        before = table.lookup(keys)
        table.insert(keys[:1], tf.constant([7], tf.int64))
        return tf.reduce_sum(before), tf.reduce_sum(table.lookup(keys)), table.size()

    keys = keys_of(key, [0] * COUNT)
    assert [one.numpy() for one in before_and_after(keys)] == [-COUNT, 7 * COUNT, 1]
    assert [one.numpy() for one in before_and_after(keys)] == [7 * COUNT, 7 * COUNT, 1]


@pytest.mark.parametrize("key", ["string", "int64"])
def test_keys_that_no_dense_table_has_are_refused_among_many(key: str) -> None:
    table = made("dense", key, "int64")
    for numbers, name in (([1] * COUNT + [-1], "empty_key"), ([-2] + [1] * COUNT, "deleted_key")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"Using the {name}"):
            tf.function(table.lookup)(keys_of(key, numbers))


def test_no_arrays_are_made_of_large_tables_for_few_keys() -> None:
    table, count = HashTable(tf.int64, tf.int64), MANY_KEYS
    table.insert(np.arange(count), np.arange(count))
    asked = np.arange(MANY_KEYS)
    made: list[bool] = []
    for _ in range(TURNS + 1):
        assert asked.tolist() == table.find(asked, np.int64(-1)).tolist()
        made.append(table.index is not None)

    assert made == [False] * (TURNS - 1) + [True] * 2
