"""Functions look for keys of tables that are filled once natively, and find what tables find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.ops.state.table_index import hashes_of_integers, slots_of
from tests.fuzz.limits import EXAMPLES

TEXTS = st.lists(st.text("ab\0é", max_size=20).map(str.encode), max_size=20)
NUMBERS = st.lists(st.integers(-(2**31), 2**31 - 1) | st.integers(0, 5), max_size=20)
DEFAULTS = {"string": "?", "int64": -1, "float32": 0.5, "bool": True}


def table(keys: Any, values: Any, default: Any) -> Any:
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), default)


def values_of(dtype: str, count: int) -> Any:
    numbers = tf.range(count)
    return tf.as_string(numbers) if dtype == "string" else tf.cast(numbers * 3, dtype)


def callbacks(function: Any) -> Any:
    return function.get_concrete_function().callee.executable.callbacks


@pytest.mark.sampled
@pytest.mark.parametrize("values", DEFAULTS)
@pytest.mark.parametrize("keys", ["string", "int32", "int64"])
def test_keys_are_found_as_tables_find_them(keys: str, values: str) -> None:
    @settings(max_examples=EXAMPLES or 5, deadline=None)
    @given(*([TEXTS, TEXTS] if keys == "string" else [NUMBERS, NUMBERS]))
    def agree(there: Any, wanted: Any) -> None:
        there = sorted(set(there))
        known = tf.constant(there, keys, [len(there)])
        it = table(known, values_of(values, len(there)), DEFAULTS[values])
        asked = tf.constant([*wanted, *there], keys, [len(wanted) + len(there)])
        found = tf.function(lambda: (it.lookup(asked), it.size()))
        given_, size = found()

        assert it.lookup(asked).numpy().tolist() == given_.numpy().tolist()
        assert len(there) == size.numpy()
        assert callbacks(found) == ()

    agree()


def test_text_becomes_numbers_without_python() -> None:
    it = table(tf.constant(["a", "b"]), tf.constant([2, 3], tf.int64), 1)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def numbers(texts: Any) -> Any:
        words = tf.strings.split(tf.strings.lower(texts))
        return tf.ragged.map_flat_values(it.lookup, words).to_tensor(0, shape=[None, 3])

    assert numbers(["a B", "", "x a b b"]).numpy().tolist() == [[2, 3, 0], [0, 0, 0], [1, 2, 3]]
    assert callbacks(numbers) == ()


def test_a_table_is_asked_again_once_it_is_filled() -> None:
    handle = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)

    @tf.function
    def found() -> Any:
        default = tf.constant(-1, tf.int64)
        return tf.raw_ops.LookupTableFindV2(table_handle=handle, keys=["a"], default_value=default)

    with pytest.raises(tf.errors.FailedPreconditionError, match="not initialized"):
        found()
    tf.raw_ops.InitializeTableV2(table_handle=handle, keys=["a"], values=tf.constant([7], tf.int64))
    assert found().numpy().tolist() == [7]


def test_tables_that_change_are_asked_when_it_is_their_turn() -> None:
    changing = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)

    @tf.function
    def before_and_after() -> Any:
        before = changing.lookup(tf.constant(["a"]))
        changing.insert(tf.constant(["a"]), tf.constant([1], tf.int64))
        return before, changing.lookup(tf.constant(["a"]))

    assert [one.numpy().tolist() for one in before_and_after()] == [[-1], [1]]


def test_branches_and_loops_ask_tables_too() -> None:
    it = table(tf.constant([1, 2]), tf.constant(["one", "two"]), "none")

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def said(numbers: Any) -> Any:
        text = tf.constant("")
        for number in numbers:
            text = tf.strings.join([text, it.lookup(number) if number > 0 else "-"], " ")
        return text

    assert said(tf.constant([1, 0, 3, 2])).numpy() == b" one - none two"
    assert callbacks(said) == ()


def test_functions_branches_and_loops_in_each_other_ask_tables_without_python() -> None:
    numbers = table(tf.constant(["a", "b"]), tf.constant([2, 3], tf.int64), -1)
    names = table(tf.constant([2, 3], tf.int64), tf.constant(["two", "three"]), "none")

    @tf.function
    def named(text: Any) -> Any:
        number = numbers.lookup(text)
        return number, names.lookup(number)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string), tf.TensorSpec([], tf.bool)])
    def total(texts: Any, is_wanted: Any) -> Any:
        found, said = tf.constant(0, tf.int64), tf.constant("")
        for text in texts:
            if is_wanted:
                k = tf.constant(0)
                while k < 2:
                    number, name = named(tf.strings.lower(text))
                    found, said, k = found + number, tf.strings.join([said, name]), k + 1
            else:
                found -= names.size()
        return found, said

    assert [one.numpy() for one in total(["a", "B", "x"], True)] == [8, b"twotwothreethreenonenone"]
    assert [one.numpy() for one in total(["a", "B", "x"], False)] == [-6, b""]
    assert callbacks(total) == ()


def test_a_branch_that_is_not_taken_asks_no_table() -> None:
    handle = tf.raw_ops.HashTableV2(key_dtype=tf.int64, value_dtype=tf.int64)

    @tf.function
    def found(key: Any, is_wanted: Any) -> Any:
        if is_wanted:
            return tf.raw_ops.LookupTableFindV2(
                table_handle=handle, keys=key, default_value=tf.constant(-1, tf.int64)
            )
        return key

    key, yes, no = tf.constant([5], tf.int64), tf.constant(True), tf.constant(False)
    assert found(key, no).numpy().tolist() == [5]
    with pytest.raises(tf.errors.FailedPreconditionError, match="not initialized"):
        found(key, yes)
    tf.raw_ops.InitializeTableV2(table_handle=handle, keys=key, values=key + 1)
    assert found(key, yes).numpy().tolist() == [6]


def test_nothing_is_removed_from_a_table_that_is_filled_once() -> None:
    it = table(tf.constant(["a"]), tf.constant([1]), 0)

    with pytest.raises(tf.errors.UnimplementedError, match="filled once"):
        tf.raw_ops.LookupTableRemoveV2(table_handle=it.resource_handle, keys=["a"])
    assert it.lookup(tf.constant("a")).numpy() == 1


def test_entries_of_one_hash_have_slots_of_their_own() -> None:
    slots = slots_of(np.zeros(5, np.uint64))

    assert sorted(slots[:5].tolist()) == [0, 1, 2, 3, 4]
    assert set(slots[5:].tolist()) == {-1}
    assert len(set(hashes_of_integers(np.arange(100)).tolist())) == 100
