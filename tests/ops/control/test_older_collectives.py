"""Exchanges by groups that attributes say, and by communicators, for a process that is alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf

RAW = tf.raw_ops
KEYS: dict[str, Any] = {"group_size": 1, "group_key": 1, "instance_key": 1}
NO_GROUPS = tf.zeros([0, 0], tf.int32)
X = tf.constant([[1.0, 2.0]])


def reduced(x: Any, **told: Any) -> Any:
    given = {"merge_op": "Add", "final_op": "Div", "subdiv_offsets": [0]} | KEYS | told
    return RAW.CollectiveReduce(input=x, **given)


def communicator(rank: int = 0, size: int = 1) -> Any:
    return RAW.CollectiveInitializeCommunicator(group_key=1, rank=rank, group_size=size)


def of_communicator(x: Any) -> Any:
    group = {"communicator": communicator(), "group_assignment": NO_GROUPS}
    found = RAW.CollectiveReduceV3(input=x, reduction="Max", **group)
    return RAW.CollectiveAllToAllV3(input=found, **group)


ALONE: list[Callable[[Any], Any]] = [
    reduced,
    of_communicator,
    lambda x: RAW.CollectiveGather(input=x, shape=[1, 2], **KEYS),
    lambda x: RAW.CollectiveBcastSend(input=x, shape=[1, 2], **KEYS),
    lambda x: RAW.CollectiveAllToAllV2(input=x, ordering_token=[], **KEYS),
]


@pytest.mark.parametrize("call", ALONE)
def test_a_process_alone_has_what_all_have(call: Any) -> None:
    assert [[1.0, 2.0]] == call(X).numpy().tolist() == tf.function(call)(X).numpy().tolist()


@pytest.mark.parametrize("call", ALONE)
def test_there_is_no_gradient(call: Any) -> None:
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = call(X)

    with pytest.raises(LookupError, match="Collective"):
        tape.gradient(y, X)


def test_groups_are_rows_of_numbers_of_devices() -> None:
    def group(device: Any) -> list[int]:
        given = {"group_assignment": [[0, 3, 1], [2, 4, 5]], "base_key": 7}
        return [*map(int, RAW.CollectiveAssignGroupV2(device_index=device, **given))]

    assert [[3, 7], [3, 8]] == [group(3), group(4)]


def receives(**_: Any) -> Any:
    return RAW.CollectiveBcastRecvV2(shape=tf.constant([2]), T=tf.float32, **KEYS)


def assigned(groups: Any, device: int = 0) -> Any:
    return RAW.CollectiveAssignGroupV2(group_assignment=groups, device_index=device, base_key=1)


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no group": (lambda: reduced(X, group_size=0), tf.errors.InvalidArgumentError, "got 0"),
    "others": (lambda: reduced(X, group_size=2), tf.errors.FailedPreconditionError, "alone"),
    "scalar": (
        lambda: RAW.CollectiveGather(input=1.0, shape=[], **KEYS),
        tf.errors.InvalidArgumentError, "rank",
    ),
    "another shape": (
        lambda: RAW.CollectiveBcastSend(input=X, shape=[2], **KEYS),
        tf.errors.InternalError, "Declared shape",
    ),
    "no shape": (
        lambda: RAW.CollectiveBcastSend(input=X, shape=[None, 2], **KEYS),
        tf.errors.InvalidArgumentError, "fully defined",
    ),
    "nobody sends": (
        lambda: RAW.CollectiveBcastRecv(T=tf.float32, shape=[2], **KEYS),
        tf.errors.InternalError, "no source",
    ),
    "nobody sends, V2": (receives, tf.errors.InternalError, "no source"),
    "no row": (
        lambda: RAW.CollectiveAllToAllV2(input=[1.0, 2.0], ordering_token=[], **KEYS),
        tf.errors.InvalidArgumentError, r"size \(2\)",
    ),
    "rank": (lambda: communicator(1), tf.errors.InvalidArgumentError, "rank must be less"),
    "negative rank": (lambda: communicator(-1), tf.errors.InvalidArgumentError, "non-negative"),
    "size": (lambda: communicator(0, 0), tf.errors.InvalidArgumentError, "positive"),
    "other processes": (lambda: communicator(0, 2), tf.errors.FailedPreconditionError, "alone"),
    "groups": (
        lambda: RAW.CollectiveReduceV3(
            input=X, communicator=communicator(), group_assignment=[[0]], reduction="Add"
        ),
        tf.errors.UnimplementedError, "Group assignments",
    ),
    "no communicator": (
        lambda: RAW.CollectiveReduceV3(
            input=X, communicator=RAW.MutexV2(), group_assignment=NO_GROUPS, reduction="Add"
        ),
        tf.errors.InvalidArgumentError, "communicator",
    ),
    "not there": (lambda: assigned([[0]], 1), tf.errors.InvalidArgumentError, "not found"),
    "no device": (lambda: assigned([[2, 0]]), tf.errors.InvalidArgumentError, "Not all items"),
    "no matrix": (lambda: assigned([0]), tf.errors.InvalidArgumentError, "2-d"),
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_no_exchange_is_refused(why: str) -> None:
    call, kind, words = REFUSED[why]

    for run in (call, tf.function(call)):
        with pytest.raises(kind, match=words):
            run()
