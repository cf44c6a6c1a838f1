"""Maps from tensors to tensors are values, in functions as well."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

RAW: Any = tf.raw_ops
compiled_or_not = pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])


def inserted(handle: Any, key: Any, value: Any) -> Any:
    return RAW.TensorMapInsert(input_handle=handle, key=key, value=value)


def looked_up(handle: Any, key: Any, dtype: Any = tf.int32) -> Any:
    return RAW.TensorMapLookup(input_handle=handle, key=key, value_dtype=dtype)


def size(handle: Any) -> Any:
    return RAW.TensorMapSize(input_handle=handle)


@compiled_or_not
def test_what_is_inserted_is_in_another_map(compiled: bool) -> None:
    def run(key: Any) -> Any:
        empty = RAW.EmptyTensorMap()
        one = inserted(empty, key, [1.0, 2.0])
        two = inserted(inserted(one, key + 1, 7), "name", 8)
        less = RAW.TensorMapErase(input_handle=two, key=key, value_dtype=tf.float32)
        has = [RAW.TensorMapHasKey(input_handle=less, key=one) for one in (key, key + 1, [2])]
        return size(empty), size(two), size(less), *has, looked_up(one, key, tf.float32)

    *found, value = (tf.function(run) if compiled else run)(tf.constant(1))
    assert [0, 3, 2, False, True, False] == [one.numpy() for one in found]
    assert [1.0, 2.0] == value.numpy().tolist()


def test_loops_and_branches_carry_maps() -> None:
    @tf.function
    def squares(count: Any, more: Any) -> Any:
        found = RAW.EmptyTensorMap()
        for k in tf.range(count):
            found = inserted(found, k, k * k)
        if more:
            found = inserted(found, -1, 100)
        keys = RAW.TensorMapStackKeys(input_handle=found, key_dtype=tf.int32)
        return keys, looked_up(found, count - 1)

    keys, last = squares(tf.constant(4), tf.constant(True))
    assert [0, 1, 2, 3, -1] == keys.numpy().tolist()
    assert 9 == int(last)


@compiled_or_not
def test_what_is_not_in_a_map_is_refused(compiled: bool) -> None:
    decorate: Any = tf.function if compiled else lambda call: call
    one = inserted(RAW.EmptyTensorMap(), 1, 2)
    mixed = inserted(one, [1], 2)
    calls: list[tuple[Any, str]] = [
        (lambda: looked_up(one, 5), 'Could not find key "5"'),
        (lambda: looked_up(one, 1, tf.float32), "has dtype int32, and not float32"),
        (
            lambda: RAW.TensorMapErase(input_handle=one, key=5, value_dtype=tf.int32),
            'Could not find key "5"',
        ),
        (lambda: RAW.TensorMapStackKeys(input_handle=mixed, key_dtype=tf.int32), "one shape|shape"),
        (
            lambda: RAW.TensorMapStackKeys(input_handle=RAW.EmptyTensorMap(), key_dtype=tf.int32),
            "is empty",
        ),
    ]
    for call, message in calls:
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            decorate(call)()
