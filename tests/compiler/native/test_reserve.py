"""Memory that calls gave back is there for the next ones: never for two at once, never too much."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.compiler.native import shared
from tensormill.compiler.native.memory import reserve, reserve_words
from tensormill.compiler.native.records import BINS, RESERVE
from tensormill.function.traces import memory_release
from tests.compiler.native.functions import Compiled, Evaluated
from tests.compiler.processes import outcome, start

LARGE = reserve.LARGE
SIZES = [LARGE * (4 + step) // 4 << power for power in range(31) for step in range(4)][:BINS]
PERIOD = 1024


def room(count: int) -> int:
    """The bytes of the smallest block that has so many."""
    return next(size for size in SIZES if size >= count)


@dataclass
class Model:
    """What the reserve should know."""

    used: dict[int, int] = field(default_factory=dict[int, int])  # bytes by addresses
    kept: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])  # in order
    peaks: list[int] = field(default_factory=lambda: [0, 0])
    given: int = 0

    @property
    def needed(self) -> int:
        return sum(self.used.values())

    @property
    def held(self) -> int:
        return self.needed + sum(size for _, size in self.kept)

    def take(self, address: int, size: int) -> None:
        """Kept blocks of a size are used first, the last one to be given back before others."""
        last = [one for one in self.kept if one[1] == size][-1:]
        assert not last or last == [(address, size)]
        self.kept = [one for one in self.kept if one not in last]
        assert all(at + its <= address or address + size <= at for at, its in self.used.items())
        self.used[address] = size
        self.peaks[-1] = max(self.peaks[-1], self.needed)

    def give(self, address: int) -> None:
        size = self.used.pop(address)
        self.kept.append((address, size))
        self.given += 1
        if self.given % PERIOD == 0:
            self.peaks = [self.peaks[-1], self.needed]
        self.drop(2 * max(self.peaks))

    def drop(self, limit: int) -> None:
        """First of the sizes of which none was given back for the longest time."""
        while self.held > limit and self.kept:
            last = {size: number for number, (_, size) in enumerate(self.kept)}
            del self.kept[min(last.values())]


def words(machine: Evaluated) -> dict[str, Any]:
    return RESERVE.at(machine.memory.functions()["tm_lock_reserve"]())


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.integers(1, 20 * LARGE)),
        st.tuples(st.just("pass"), st.integers(LARGE, 20 * LARGE)),
        st.tuples(st.just("give"), st.integers(0, 9)),
        st.tuples(st.just("drop"), st.integers(0, 20 * LARGE)),
    ),
    max_size=20,
)


@pytest.mark.sampled
@settings(max_examples=60, deadline=None)
@given(STEPS, st.integers(PERIOD - 30, PERIOD - 1))
def test_blocks_are_kept_and_used_as_the_rule_says(
    steps: list[tuple[str, int]], given_before: int
) -> None:
    machine, model = Evaluated(), Model(given=given_before)
    at = machine.memory.functions()["tm_lock_reserve"]()
    machine.memory.bytes_at(at, RESERVE.bytes).view(RESERVE.dtype)["given"] = given_before
    small: list[int] = []
    for step, number in steps:
        if step == "take" and number < LARGE:
            small.append(machine("tm_take", number))
        elif step == "take":
            model.take(machine("tm_take", number), room(number))
        elif step == "pass":
            model.take(address := machine("tm_take", number), room(number))
            machine("tm_give", address, number)
            model.give(address)
        elif step == "drop":
            machine("tm_drop_reserve", number)
            model.drop(number)
        elif model.used:
            address = list(model.used)[number % len(model.used)]
            machine("tm_give", address, model.used[address])
            model.give(address)
        found = words(machine)
        assert (found["needed"], found["held"]) == (model.needed, model.held)
        assert machine.memory.blocks == len(model.used) + len(model.kept) + len(small)


@pytest.mark.parametrize("machine", [Evaluated, Compiled])
def test_sizes_are_four_from_a_power_of_two_to_the_next(
    machine: type[Evaluated | Compiled],
) -> None:
    bins = machine()
    for number, size in [*enumerate(SIZES[:120])][::7]:
        assert bins("tm_room", number) == size
        assert bins("tm_bin", size) == number
        assert bins("tm_bin", size - 1) == number
        assert bins("tm_bin", size + 1) == number + 1


@pytest.mark.parametrize("machine", [Evaluated, Compiled])
def test_more_than_there_is_leaves_no_trace(machine: type[Evaluated | Compiled]) -> None:
    asked = machine()
    before = reserve_words.held()

    assert asked("tm_take", 1 << 46) == 0
    assert asked("tm_take", (1 << 46) + 1) == 0
    assert reserve_words.held() <= before  # what was kept may have gone
    assert RESERVE.at(reserve_words.address())["most"] < 1 << 46


@pytest.fixture
def native() -> Iterator[Compiled]:
    """With a reserve that has nothing, and knows of nothing before."""
    machine = Compiled()
    shared.empty_reserve()
    assert reserve_words.held() == 0
    ctypes.memset(reserve_words.address(), 0, RESERVE.bytes)
    yield machine
    shared.empty_reserve()


def test_what_is_given_back_is_what_is_taken_next(native: Compiled) -> None:
    first = native("tm_take", 3 * LARGE)
    native("tm_give", first, 3 * LARGE)

    assert native("tm_take", 3 * LARGE - 1) == first
    native("tm_give", first, 3 * LARGE - 1)


def test_what_is_not_wanted_for_two_periods_goes(native: Compiled) -> None:
    native("tm_give", native("tm_take", 100 * LARGE), 100 * LARGE)
    assert reserve_words.held() >= 100 * LARGE

    for _ in range(2 * PERIOD):
        native("tm_give", native("tm_take", LARGE), LARGE)

    assert reserve_words.held() < 100 * LARGE


def test_what_bins_keep_is_at_most_twice_what_was_needed(native: Compiled) -> None:
    sizes = SIZES[:20]
    for size in sizes:
        native("tm_give", native("tm_take", size), size)

    assert sum(sizes) > 4 * max(sizes)
    assert reserve_words.held() <= 2 * max(sizes)


def test_who_comes_waits_until_nobody_is_at_it(native: Compiled) -> None:
    busy = ctypes.c_int64.from_address(reserve_words.address() + RESERVE.fields["busy"].offset)
    taken: list[int] = []
    busy.value = 1
    thread = threading.Thread(target=lambda: taken.append(native("tm_take", LARGE)))
    thread.start()
    thread.join(0.05)
    assert not taken

    busy.value = 0

    thread.join()
    native("tm_give", taken[0], LARGE)


def test_threads_never_get_the_same_block(native: Compiled) -> None:
    broken: list[int] = []
    before = RESERVE.at(reserve_words.address())["needed"]

    def work(mark: int) -> None:
        for turn in range(300):
            size = LARGE * (1 + turn % 3)
            block = native("tm_take", size)
            ctypes.memset(block, mark, 4096)
            if ctypes.string_at(block, 4096) != bytes([mark]) * 4096:
                broken.append(mark)
            native("tm_give", block, size)

    threads = [threading.Thread(target=work, args=(mark,)) for mark in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not broken
    assert RESERVE.at(reserve_words.address())["needed"] == before


@tf.function
def in_between(x: tf.Tensor) -> tf.Tensor:
    """Products are stored: 8 MB each."""
    y = tf.matmul(x, x)
    return tf.reduce_sum(tf.matmul(y, y) + y)


@pytest.mark.sampled(among="threads and interrupts")
def test_a_second_call_needs_no_memory_of_the_system() -> None:
    x = tf.constant(np.eye(1448, dtype=np.float32))
    assert float(in_between(x)) == 2 * 1448
    assert float(in_between(x)) == 2 * 1448
    before = RESERVE.at(reserve_words.address())

    assert float(in_between(x)) == 2 * 1448

    after = RESERVE.at(reserve_words.address())
    assert after["made"] == before["made"]
    assert after["given"] > before["given"]


def test_what_is_kept_goes_when_much_was_dropped() -> None:
    in_between(tf.constant(np.eye(1448, dtype=np.float32)))
    assert reserve_words.held() > 1448 * 1448 * 4

    memory_release._give_back()

    assert reserve_words.held() == 0


def test_who_gives_back_what_is_kept_does_not_wait_for_who_compiles() -> None:
    """It may be a collection of cycles, in a thread that has what the other one waits for."""
    in_between(tf.constant(np.eye(1448, dtype=np.float32)))
    thread = threading.Thread(target=memory_release._give_back)

    with shared._lock():
        thread.start()
        thread.join(10)
        was_done = not thread.is_alive()

    thread.join()
    assert was_done


@pytest.mark.sampled(among="threads and interrupts")
def test_a_forked_child_begins_with_nothing() -> None:
    program = """
import os
import numpy as np
import tensormill as tf
from tensormill.compiler.native.memory import reserve_words

product = tf.function(lambda x: tf.reduce_sum(tf.matmul(x, x)))
x = tf.constant(np.eye(300, dtype=np.float32))
assert float(product(x)) == 300
assert reserve_words.held() > 0
if os.fork() == 0:
    held = reserve_words.held()
    os._exit(0 if held == 0 and float(product(x)) == 300 else 1)
os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    code, _, errors = outcome(start(program))

    assert code == 0, errors
