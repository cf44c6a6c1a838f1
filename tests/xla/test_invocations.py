"""Programs are called with their variables: plainly, and as is written out for those variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import jax.numpy as jnp
import numpy as np
import pytest

import tensormill as tf
from tensormill.core.specs import TensorSpec
from tensormill.eager.storage import Storage, away_at
from tensormill.xla.execution.invocation import Invocation


class OneProgram:
    """A program that adds what it reads, and its operand, to what it writes; `fail` may refuse."""

    count, read, donated, places = 1, (0,), (1, 2), (None, None, None)
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


@each_way
def test_a_call_begins_again_where_what_it_reads_was_taken(way: Any) -> None:
    storages = three()
    left = [2]

    def fail() -> None:
        if left[0]:
            left[0] -= 1
            storages[0].array.device_array.delete()
            storages[0].array = away_at(jnp.full(2, 2.0))
            raise RuntimeError("Array has been deleted")

    call = way(Invocation(cast(Any, OneProgram(fail, (1, 2))), storages))

    call(jnp.ones(2))

    assert [one.read().tolist() for one in storages] == [[2.0, 2.0], [13.0, 13.0], [103.0, 103.0]]


@each_way
def test_a_call_that_never_gets_what_it_reads_is_refused(way: Any) -> None:
    storages = three()

    def fail() -> None:
        storages[0].array.device_array.delete()
        storages[0].array = away_at(jnp.ones(2))
        raise RuntimeError("Array has been deleted")

    with pytest.raises(tf.errors.InternalError, match="add: other threads change its variables"):
        way(Invocation(cast(Any, OneProgram(fail, (1, 2))), storages))(jnp.ones(2))

    assert storages[1].read().tolist() == [10.0, 10.0]
