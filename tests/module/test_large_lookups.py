"""Many keys are looked for natively in tables that change, and found as their dict has them."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.ops.state import lookup, table_arrays
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
    for some in np.split(np.arange(count), 2):  # many at once would be arrays from the beginning
        table.insert(some, some)
    asked = np.arange(MANY_KEYS)
    made: list[bool] = []
    for _ in range(TURNS + 1):
        assert asked.tolist() == table.find(asked, np.int64(-1)).tolist()
        made.append(table.index is not None)

    assert made == [False] * (TURNS - 1) + [True] * 2


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["insert", "insert", "remove", "find", "export"]),
        st.lists(st.integers(-9, 40), max_size=25),
    ),
    max_size=12,
)


def outcomes(steps: Any, key: Any, value: Any, shape: tuple[int, ...], many: int) -> list[Any]:
    """What a table says after each step, if so many keys are many."""
    table, count, found = HashTable(key, value, shape), 0, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "MANY_KEYS", many)
        for what, numbers in steps:
            keys = np.array(numbers, key.as_numpy_dtype)
            values = np.arange(count, count + keys.size).reshape(-1, *[1] * len(shape))
            values = np.broadcast_to(values, (*keys.shape, *shape)).astype(value.as_numpy_dtype)
            count += keys.size
            if what == "insert":
                table.insert(keys, values)
            elif what == "remove":
                table.remove(keys)
            elif what == "find":
                found.append(table.find(keys, -values).tolist())
            else:
                found.append([one.tolist() for one in table.exported()])
            found.append(table.size)
    return found


@settings(deadline=None, max_examples=60)
@given(STEPS, st.sampled_from([tf.int64, tf.int32]), st.sampled_from([tf.float32, tf.int64]),
       st.sampled_from([(), (2,)]))  # fmt: skip
def test_arrays_of_integers_do_what_a_dict_does(
    steps: Any, key: Any, value: Any, shape: tuple[int, ...]
) -> None:
    as_dict = outcomes(steps, key, value, shape, 10**9)
    assert as_dict == outcomes(steps, key, value, shape, 1)
    assert as_dict == outcomes(steps, key, value, shape, 10)


def test_arrays_grow_with_their_keys() -> None:
    table, twin = HashTable(tf.int64, tf.int64), dict[int, int]()
    random = np.random.default_rng(0)
    for most in (1, 10**3, 10**4, 2**62):
        keys = random.integers(-most, most, 3000)
        values = random.integers(0, 99, 3000)
        table.insert(keys, values)
        twin.update(zip(keys.tolist(), values.tolist(), strict=True))

        exported = table.exported()
        assert [list(twin), list(twin.values())] == [one.tolist() for one in exported]
        assert [twin.get(one, -5) for one in keys.tolist()] == table.find(keys, -5).tolist()
    assert twin == table.entries


def test_an_interrupted_insert_leaves_what_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    table, keys = HashTable(tf.int64, tf.int64), np.arange(COUNT)
    table.insert(keys, keys)
    numbers = table_arrays.IntegerEntries.numbers
    calls = itertools.count()

    def interrupted(entries: Any, wanted: Any) -> Any:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return numbers(entries, wanted)

    monkeypatch.setattr(table_arrays.IntegerEntries, "numbers", interrupted)
    with pytest.raises(KeyboardInterrupt):
        table.insert(keys + 100, keys)
    monkeypatch.undo()

    assert table.size == COUNT
    assert [*keys[:COUNT].tolist(), *[-1] * 100] == table.find(
        np.arange(COUNT + 100), np.int64(-1)
    ).tolist()


def test_refused_keys_change_nothing() -> None:
    table = made("dense", "int64", "int64")
    keys = np.arange(COUNT)
    table.insert(keys, keys)

    with pytest.raises(tf.errors.InvalidArgumentError, match="Using the empty_key"):
        table.insert(keys - 1, keys)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected shape"):
        table.insert(keys, np.zeros((COUNT, 2), np.int64))
    assert keys.tolist() == table.lookup(tf.constant(keys)).numpy().tolist()


def test_threads_insert_into_one_table() -> None:
    table = HashTable(tf.int64, tf.int64)

    def insert(first: int) -> None:
        for k in range(20):
            keys = np.arange(COUNT) + (first + k) * COUNT
            table.insert(keys, keys)

    threads = [threading.Thread(target=insert, args=(20 * k,)) for k in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    keys = np.arange(60 * COUNT)
    assert keys.tolist() == table.find(keys, np.int64(-1)).tolist()


def test_no_thread_sees_the_size_of_half_an_insert(monkeypatch: pytest.MonkeyPatch) -> None:
    table, seen = HashTable(tf.int64, tf.int64), list[int]()
    table.insert(np.arange(COUNT), np.arange(COUNT))
    asking = threading.Thread(target=lambda: seen.append(table.size))
    numbers = table_arrays.IntegerEntries.numbers
    calls = itertools.count()

    def asked_meanwhile(entries: Any, wanted: Any) -> Any:
        if next(calls) == 1:  # keys that are there twice are counted twice
            asking.start()
            asking.join(0.1)  # who waits for the insert is not done by then
        return numbers(entries, wanted)

    monkeypatch.setattr(table_arrays.IntegerEntries, "numbers", asked_meanwhile)
    keys = np.repeat(np.arange(10) + COUNT, COUNT)
    table.insert(keys, keys)
    asking.join()

    assert seen == [COUNT + 10]
