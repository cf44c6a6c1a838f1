"""Programs are called with their variables: plainly, and by native code."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import jax.numpy as jnp
import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.calling import object_layouts
from tensormill.core.specs import TensorSpec
from tensormill.eager.storage import Away, Storage
from tensormill.xla.execution.invocation import Invocation


class OneProgram:
    """A program that adds what it reads, and its operand, to what it writes; `fail` may refuse."""

    count, read, donated, places = 1, (0,), (1, 2), (None, None, None)
    changes_elsewhere = False
    part = SimpleNamespace(operations=[SimpleNamespace(name="add")])

    def __init__(self, fail: Callable[[], None], order: tuple[int, ...]) -> None:
        self.fail, self.written = fail, order

    def slots_of(self, storages: Sequence[Any]) -> Sequence[Any]:
        return storages

    def call(self, first: Any, second: Any, read: Any, operand: Any) -> Any:
        self.fail()
        donated = {1: first + read + operand, 2: second + read + operand}
        return [operand, *(donated[k] for k in self.written)]


WAYS = {"plainly": lambda one: one, "quickly": lambda one: one.quick()}
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def three() -> list[Storage]:
    spec = TensorSpec([2], tf.float32)
    return [Storage(np.full(2, number, np.float32), spec) for number in (1, 10, 100)]


@each_way
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_call_changes_what_its_program_writes(way: Any, order: tuple[int, ...]) -> None:
    storages = three()
    call = way(Invocation(cast(Any, OneProgram(lambda: None, order)), storages))

    call(jnp.full(2, 0.5))
    results = call(jnp.full(2, 0.5))

    assert np.asarray(results[0]).tolist() == [0.5, 0.5]
    assert [one.read().tolist() for one in storages] == [[1.0, 1.0], [13.0, 13.0], [103.0, 103.0]]


@each_way
@pytest.mark.parametrize("error", [ValueError, RuntimeError, KeyboardInterrupt])
def test_what_a_failed_call_was_lent_is_given_back(way: Any, error: type[BaseException]) -> None:
    def fail() -> None:
        raise error

    storages = three()
    call = way(Invocation(cast(Any, OneProgram(fail, (1, 2))), storages))

    for _ in range(2):
        with pytest.raises(error):
            call(jnp.ones(2))

    assert [one.read().tolist() for one in storages] == [[1.0, 1.0], [10.0, 10.0], [100.0, 100.0]]


class TakingProgram(OneProgram):
    """A program that fails when it has taken the first variable that it changes."""

    def call(self, first: Any, *others: Any) -> Any:
        self.fail()
        first.delete()
        raise RuntimeError("no memory")


@each_way
def test_a_variable_that_a_failed_program_has_taken_says_so(way: Any) -> None:
    storages, begun = three(), list[bool]()
    call = way(Invocation(cast(Any, TakingProgram(lambda: begun.append(True), (1, 2))), storages))

    for _ in range(2):
        storages[1].write(np.zeros(2, np.float32))
        with pytest.raises(RuntimeError, match="no memory"):
            call(jnp.ones(2))

    with pytest.raises(tf.errors.FailedPreconditionError, match="had taken its value; assign"):
        storages[1].read()
    assert [len(begun), *storages[2].read().tolist()] == [2, 100.0, 100.0]


@each_way
def test_a_call_begins_again_where_what_it_reads_was_taken(way: Any) -> None:
    storages = three()
    left = [2]

    def fail() -> None:
        if left[0]:
            left[0] -= 1
            storages[0].array.device_array.delete()
            storages[0].array = Away(jnp.full(2, 2.0))
            raise RuntimeError("Array has been deleted")

    call = way(Invocation(cast(Any, OneProgram(fail, (1, 2))), storages))

    call(jnp.ones(2))

    assert [one.read().tolist() for one in storages] == [[2.0, 2.0], [13.0, 13.0], [103.0, 103.0]]


@each_way
def test_a_call_that_never_gets_what_it_reads_is_refused(way: Any) -> None:
    storages = three()

    def fail() -> None:
        storages[0].array.device_array.delete()
        storages[0].array = Away(jnp.ones(2))
        raise RuntimeError("Array has been deleted")

    with pytest.raises(tf.errors.InternalError, match="add: other threads change its variables"):
        way(Invocation(cast(Any, OneProgram(fail, (1, 2))), storages))(jnp.ones(2))

    assert storages[1].read().tolist() == [10.0, 10.0]


def after_a_first_call(fail: Callable[[], None]) -> tuple[list[Storage], Callable[[Any], Any]]:
    """Variables that are on the device, and what calls a program with them natively."""
    storages, begun = three(), list[bool]()

    def refuse() -> None:
        if begun:
            fail()

    call = Invocation(cast(Any, OneProgram(refuse, (1, 2))), storages).quick()
    call(jnp.zeros(2))
    begun.append(True)
    return storages, call


def values(storages: Sequence[Storage]) -> list[float]:
    return [float(one.read()[0]) for one in storages]


@pytest.mark.parametrize("error", [ValueError, RuntimeError, KeyboardInterrupt])
def test_native_code_raises_what_a_program_does_and_gives_back_what_it_lent(error: Any) -> None:
    def fail() -> None:
        raise error("no")

    storages, call = after_a_first_call(fail)

    for _ in range(2):
        with pytest.raises(error, match="no") as raised:
            call(jnp.ones(2))
        assert "fail" in [one.name for one in traceback.extract_tb(raised.tb)]

    assert values(storages) == [1.0, 11.0, 101.0]
    assert [one.lent() for one in storages] == [None] * 3


def test_native_code_begins_again_where_what_it_reads_was_taken() -> None:
    left = [2]

    def fail() -> None:
        if left[0]:
            left[0] -= 1
            storages[0].array.device_array.delete()
            storages[0].array = Away(jnp.full(2, 2.0))
            raise RuntimeError("Array has been deleted")

    storages, call = after_a_first_call(fail)

    call(jnp.ones(2))

    assert values(storages) == [2.0, 14.0, 104.0]


def test_while_a_program_runs_what_it_changes_is_lent_to_its_thread() -> None:
    seen: list[Any] = []

    def look() -> None:
        seen.append([None if (lent := one.lent()) is None else lent.thread for one in storages])

    storages, call = after_a_first_call(look)

    call(jnp.ones(2))

    this = threading.get_ident()
    assert seen == [[None, this, this]]
    assert [one.lent() for one in storages] == [None] * 3


def test_programs_of_overlapping_variables_lend_one_by_one_only_the_first_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    storages = three()
    orders = storages, [storages[1], storages[0], storages[2]]
    calls = [Invocation(cast(Any, OneProgram(lambda: None, (1, 2))), one).quick() for one in orders]
    for call in calls:
        call(jnp.zeros(2))

    monkeypatch.setattr(Storage, "lend_there", None)
    for call in calls:
        call(jnp.ones(2))

    assert values(storages) == [37.0, 24.0, 150.0]


@pytest.mark.parametrize("fails", [False, True])
def test_native_code_keeps_no_references(fails: bool) -> None:
    def fail() -> None:
        if fails:
            raise ValueError

    storages, call = after_a_first_call(fail)
    operand = jnp.ones(2)

    def counts() -> list[int]:
        aways = [one.array for one in storages]
        arrays = [one.device_array for one in aways]
        return [sys.getrefcount(one) for one in (operand, call, *aways, *arrays)]

    before = counts()
    for _ in range(10):
        try:
            call(operand)
        except ValueError:
            pass

    assert counts() == before


def test_where_objects_are_unknown_variables_are_lent_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(object_layouts, "are_known", lambda: False)
    storages, call = after_a_first_call(lambda: None)

    call(jnp.ones(2))

    assert values(storages) == [1.0, 13.0, 103.0]
