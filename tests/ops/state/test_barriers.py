"""Barriers: tuples whose parts come by key. What is expected is what TensorFlow's sessions gave."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

RAW: Any = tf.raw_ops
FIRST = -(2**63)


def barrier() -> Any:
    return RAW.Barrier(component_types=[tf.float32, tf.int32], shapes=[[], [2]])


def insert(made: Any, component: int, **given: Any) -> None:
    kind = (tf.float32, tf.int32)[component]
    values = tf.constant([*given.values()], kind)
    RAW.BarrierInsertMany(handle=made, keys=[*given], values=values, component_index=component)


def sizes(made: Any) -> list[int]:
    found = RAW.BarrierReadySize(handle=made), RAW.BarrierIncompleteSize(handle=made)
    return [int(one) for one in found]


def taken(made: Any, count: int, **options: Any) -> Any:
    types = [tf.float32, tf.int32]
    found = RAW.BarrierTakeMany(handle=made, num_elements=count, component_types=types, **options)
    values = [one.numpy().tolist() for one in found.values]
    return found.indices.numpy().tolist(), found.keys.numpy().tolist(), values


def test_tuples_are_taken_in_the_order_in_which_they_got_whole() -> None:
    made = barrier()
    insert(made, 0, a=1, b=2, c=3)
    assert [0, 3] == sizes(made)
    insert(made, 1, b=[1, 2], a=[3, 4])
    assert [2, 1] == sizes(made)

    assert ([FIRST] * 2, [b"b", b"a"], [[2.0, 1.0], [[1, 2], [3, 4]]]) == taken(made, 2)
    assert ([], [], [[], []]) == taken(made, 0)
    insert(made, 0, a=5)
    insert(made, 1, c=[7, 8], a=[5, 5])
    assert ([FIRST, FIRST + 1], [b"c", b"a"]) == taken(made, 2)[:2]


def test_a_closed_barrier_takes_what_completes_its_tuples() -> None:
    made = barrier()
    insert(made, 0, a=1)
    RAW.BarrierClose(handle=made)

    with pytest.raises(tf.errors.CancelledError, match="brand new key: q"):
        insert(made, 0, q=1)
    insert(made, 1, a=[1, 2])
    with pytest.raises(tf.errors.OutOfRangeError, match=r"requested 5, total size 1"):
        taken(made, 5)
    assert [b"a"] == taken(made, 5, allow_small_batch=True)[1]
    with pytest.raises(tf.errors.OutOfRangeError):
        taken(made, 1, allow_small_batch=True)
    with pytest.raises(tf.errors.CancelledError, match="already closed"):
        RAW.BarrierClose(handle=made)
    RAW.BarrierClose(handle=made, cancel_pending_enqueues=True)
    with pytest.raises(tf.errors.CancelledError):
        insert(made, 1, a=[1, 2])


def test_wrong_parts_are_refused() -> None:
    made = barrier()
    insert(made, 0, a=1)

    refused = pytest.raises(tf.errors.InvalidArgumentError, match="already has a value")
    with refused:
        insert(made, 0, a=2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="one by one"):
        RAW.BarrierInsertMany(handle=made, keys=["x", "y"], values=[[1, 2]], component_index=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"2 is not in \[0, 2\)"):
        RAW.BarrierInsertMany(handle=made, keys=["x"], values=[1], component_index=2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32 with rows of shape"):
        RAW.BarrierInsertMany(handle=made, keys=["x"], values=[1], component_index=0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="component shapes must be specified"):
        RAW.Barrier(component_types=[tf.float32])


def test_sessions_have_barriers_of_their_own() -> None:
    with tf.Graph().as_default():
        made = RAW.Barrier(component_types=[tf.int32], shapes=[[]], name="b")
        put = RAW.BarrierInsertMany(handle=made, keys=["k"], values=[3], component_index=0)
        size = RAW.BarrierReadySize(handle=made)
        rows = RAW.BarrierTakeMany(handle=made, num_elements=1, component_types=[tf.int32])

        with tf.compat.v1.Session() as session:
            session.run(put)
            assert 1 == session.run(size)
            assert [b"k"] == session.run(rows.keys).tolist()
        with tf.compat.v1.Session() as session:
            assert 0 == session.run(size)
