"""Variables that programs take: what each one has is right, whoever else uses them."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.eager.storage import Storage

ONES = tf.constant([1.0, 1.0])


@pytest.fixture(autouse=True)
def _on_xla() -> Iterator[None]:
    with backends.using("xla"):
        yield


def variables(count: int = 4) -> list[tf.Variable]:
    return [tf.Variable([float(number), 0.0]) for number in range(count)]


def adding_to(chosen: Sequence[tf.Variable]) -> Callable[[Any], Any]:
    @tf.function
    def add(x: Any) -> Any:
        for one in chosen:
            one.assign_add(x)
        return x * 2.0

    return add


def reading(chosen: Sequence[tf.Variable]) -> Callable[[], Any]:
    return tf.function(lambda: tf.stack([one[0] for one in chosen]))


def firsts(chosen: Sequence[tf.Variable]) -> list[float]:
    return [float(one.numpy()[0]) for one in chosen]


def test_they_are_taken_without_a_call_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    own = variables()
    add, read = adding_to(own), reading(own)
    for _ in range(3):
        add(ONES)
        read()

    def fail(*_: Any) -> None:
        raise AssertionError

    with monkeypatch.context() as patch:
        for name in ("moved", "lend_there", "settled"):
            patch.setattr(Storage, name, fail)
        add(ONES)
        assert read().numpy().tolist() == [4.0, 5.0, 6.0, 7.0]
        add(ONES)


def test_variables_that_are_only_read_are_taken_without_a_call_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = reading(variables())
    for _ in range(4):
        read()

    with monkeypatch.context() as patch:
        patch.setattr(Storage, "moved", None)
        assert read().numpy().tolist() == [0.0, 1.0, 2.0, 3.0]


def test_other_shapes_of_operands_take_the_same_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    own = variables()

    @tf.function(reduce_retracing=True)
    def add(x: Any) -> Any:
        for one in own:
            one.assign_add(tf.ones(2) * tf.reduce_sum(x))
        return x * 2.0

    batches = [tf.ones(3), tf.ones(2), tf.ones(3), tf.ones(2)]
    for _ in range(3):
        for one in batches:
            add(one)

    with monkeypatch.context() as patch:
        patch.setattr(Storage, "lend_there", None)
        for one in batches:
            add(one)
    assert firsts(own) == [40.0, 41.0, 42.0, 43.0]


def test_programs_that_share_a_part_of_them_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    own = variables()
    ways = [adding_to(own), adding_to(own[1:3]), adding_to(own[:2])]
    read = reading(own[::-1])
    for number in range(4):
        if number == 2:  # by now they need no calls for each
            monkeypatch.setattr(Storage, "lend_there", None)
        for way in ways:
            way(ONES)
        read()

    assert firsts(own) == [8.0, 13.0, 10.0, 7.0]
    assert read().numpy().tolist() == [7.0, 10.0, 13.0, 8.0]


def test_what_is_assigned_between_calls_is_seen_by_the_next() -> None:
    own = variables()
    add, read = adding_to(own), reading(own)
    for number in range(5):
        own[number % 3].assign([100.0 * number, 0.0])
        add(ONES)
        own[number % 2].assign_add([0.5, 0.0])
        assert read().numpy().tolist() == firsts(own)

    assert firsts(own) == [302.5, 401.0, 203.0, 8.0]


def test_a_copy_is_made_once_between_two_changes() -> None:
    own = variables()
    add = adding_to(own)
    storage = own[0]._storage
    for number in range(1, 5):
        add(ONES)
        copy = storage.read()
        assert copy is storage.read()
        assert copy.tolist() == [number, number]


def test_memory_of_a_device_goes_with_the_value_that_was_there() -> None:
    own = variables()
    add = adding_to(own)
    for _ in range(3):
        add(ONES)
    on_device = weakref.ref(own[0]._storage.array.device_array)

    own[0].assign([1.0, 2.0])

    assert on_device() is None
    add(ONES)
    assert firsts(own) == [2.0, 5.0, 6.0, 7.0]


def test_each_thread_finds_what_all_did() -> None:
    own = variables(6)
    every, some, read = adding_to(own), adding_to(own[1:4]), reading(own)
    found: list[Any] = []

    def follow() -> None:
        before = np.zeros(6)
        for _ in range(200):
            now = read().numpy()
            later = np.array(firsts(own))
            found.append((before <= now).all() and (now <= later).all())
            before = later

    def eager() -> None:
        for number in range(200):
            own[number % 6].assign_add(ONES)

    works: list[Callable[[], Any]] = [
        lambda: [every(ONES) for _ in range(200)],
        lambda: [every(ONES) for _ in range(200)],
        lambda: [some(ONES) for _ in range(200)],
        eager,
        follow,
    ]
    threads = [threading.Thread(target=work) for work in works]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.setswitchinterval(interval)

    eagerly = [34, 34, 33, 33, 33, 33]
    added = [400 + (200 if 1 <= k < 4 else 0) + eagerly[k] + k for k in range(6)]
    assert firsts(own) == added
    assert len(found) == 200
    assert all(found)


def test_a_variable_without_a_value_is_named() -> None:
    own = variables()
    add, read = adding_to(own), reading(own)
    for _ in range(3):
        add(ONES)
        read()
    own[2]._storage.array = None

    for way in (lambda: add(ONES), read):
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized"):
            way()
    own[2].assign(ONES)
    add(ONES)

    assert firsts(own[2:]) == [2.0, 7.0]


def test_what_a_program_took_before_it_failed_is_gone_and_the_rest_stays() -> None:
    own = variables()
    add = adding_to(own)
    for _ in range(3):
        add(ONES)
    own[1]._storage.array.device_array.delete()

    with pytest.raises(RuntimeError, match="deleted"):
        add(ONES)

    with pytest.raises(tf.errors.FailedPreconditionError, match="had taken its value"):
        own[1].numpy()
    assert firsts([own[0], *own[2:]]) == [3.0, 5.0, 6.0]
    own[1].assign(jnp.ones(2))
    add(ONES)
    assert firsts(own) == [4.0, 2.0, 6.0, 7.0]
