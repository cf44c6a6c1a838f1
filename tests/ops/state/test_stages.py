"""Tensors that wait by name: TensorFlow 2.21 gives the same for the same calls."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import tensormill as tf

RAW = tf.raw_ops
ONE, TWO = np.float32(1), np.int64(2)


def told(name: str, *kinds: tf.DType) -> dict[str, Any]:
    return {"shared_name": name, "dtypes": [*(kinds or (tf.float32, tf.int64))]}


def numbers(tensors: Any) -> list[Any]:
    return [one.numpy().tolist() for one in tensors]


def test_what_came_first_is_taken_first() -> None:
    here = told("in order")
    for number in (1, 3):
        RAW.Stage(values=[np.float32(number), np.int64(number + 1)], shared_name="in order")

    assert 2 == int(RAW.StageSize(**here))
    assert [3.0, 4] == numbers(RAW.StagePeek(index=1, **here))
    assert [1.0, 2] == numbers(RAW.Unstage(**here))
    assert 1 == int(RAW.StageSize(**here))
    RAW.StageClear(**here)
    assert 0 == int(RAW.StageSize(**here))


@pytest.mark.parametrize("kind", ["Map", "OrderedMap"])
def test_entries_have_keys_and_may_come_in_parts(kind: str) -> None:
    here = told("by keys")

    def call(name: str, **given: Any) -> Any:
        return getattr(RAW, kind + name)(**{**here, **given})

    call("Stage", key=5, indices=[0, 1], values=[ONE, TWO])
    call("Stage", key=3, indices=[0, 1], values=[np.float32(3), np.int64(4)])
    call("Stage", key=9, indices=[1], values=[TWO])

    assert [2, 1] == numbers([call("Size"), call("IncompleteSize")])
    assert [1.0, 2] == numbers(call("Peek", key=5, indices=[0, 1]))
    assert [2] == numbers(call("Unstage", key=5, indices=[1], dtypes=[tf.int64]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="no tensor at index 1 of 5"):
        call("Unstage", key=5, indices=[1], dtypes=[tf.int64])
    assert [1.0] == numbers(call("Unstage", key=5, indices=[0], dtypes=[tf.float32]))
    call("Stage", key=9, indices=[0], values=[ONE])
    assert [2, 0] == numbers([call("Size"), call("IncompleteSize")])
    key, values = call("UnstageNoKey", indices=[0, 1])
    assert [3, [3.0, 4]] == [int(key), numbers(values)]
    call("Clear")
    assert 0 == int(call("Size"))


def test_wrong_tensors_are_refused() -> None:
    wrong = [
        ([0], [ONE, TWO], "1 indices for 2 values"),
        ([0, 2], [ONE, TWO], "no tensor at index 2"),
        ([0, 1], [ONE, ONE], "the tensor at index 1 is float32, not int64"),
    ]
    for indices, values, message in wrong:
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            RAW.MapStage(key=1, indices=indices, values=values, **told("wrong"))
    part = {"key": 1, "indices": [0], "values": [ONE], **told("twice")}
    RAW.MapStage(**part)
    with pytest.raises(tf.errors.InvalidArgumentError, match="index 0 of 1 is there"):
        RAW.MapStage(**part)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="combined size of '12' bytes"):
        RAW.Stage(values=[np.zeros(3, np.float32)], shared_name="small", memory_limit=4)


def test_who_takes_waits_until_there_is_something() -> None:
    found: list[Any] = []
    taking = threading.Thread(
        target=lambda: found.extend(RAW.Unstage(**told("waiting", tf.float32)))
    )
    taking.start()
    RAW.Stage(values=[ONE], shared_name="waiting", capacity=1)
    taking.join()

    assert [1.0] == numbers(found)


def test_functions_put_and_take() -> None:
    @tf.function
    def run(x: Any) -> Any:
        RAW.Stage(values=[x], shared_name="traced")
        RAW.Stage(values=[x * 2], shared_name="traced")
        here = told("traced", tf.float32)
        return RAW.Unstage(**here)[0], RAW.StageSize(**here)

    assert [[1.0, 2.0], 1] == numbers(run(tf.constant([1.0, 2.0])))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_variable_tells_its_shape(compiled: bool) -> None:
    variable = tf.Variable(np.zeros((2, 3), np.float32), shape=[None, 3])

    def ask() -> Any:
        return RAW.VariableShape(input=variable.handle, out_type=tf.int64)

    ask = tf.function(ask) if compiled else ask
    assert [2, 3] == ask().numpy().tolist()
    variable.assign(np.zeros((5, 3), np.float32))
    assert [5, 3] == ask().numpy().tolist()
