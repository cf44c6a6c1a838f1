"""Rows in order: evaluated and in machine code, both compared with NumPy's stable sort."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.native import library, orders
from tests.compiler.native.functions import Compiled, Evaluated

SIZES = st.integers(0, 30) | st.integers(100, 130)
LONG = 2500  # entries, of which digits have other bits; evaluating them takes seconds
HIGHEST = [0, 3, 2**11, 2**20, 2**32 - 1]


@cache
def machines() -> tuple[Evaluated, Compiled]:
    functions = tuple(map(parse_function, library.sources(orders.FUNCTIONS).values()))
    return Evaluated(functions), Compiled(functions)


def keys(count: int, highest: int, seed: int) -> Any:
    return np.random.default_rng(seed).integers(0, highest, count, np.uint64, endpoint=True)


def ordered(machine: Any, name: str, entries: Any) -> Any:
    rooms = (entries, np.zeros_like(entries), np.full(orders.ROOM, 7, np.uint64))
    machine(name, machine.frame, *map(machine.room, rooms), len(entries))
    return entries


def pairs(of: Any) -> Any:
    return (of << np.uint64(orders.HALF)) | np.arange(of.size, dtype=np.uint64)


def with_places(of: Any) -> Any:
    return np.stack([of, np.arange(of.size, dtype=np.uint64)], 1)


@pytest.mark.sampled
@pytest.mark.parametrize("highest", HIGHEST)
@settings(max_examples=10, deadline=None)
@given(SIZES, st.integers(0, 99))
def test_entries_are_in_the_order_of_their_keys(highest: int, count: int, seed: int) -> None:
    given_ = keys(count, highest, seed)
    places = np.argsort(given_, kind="stable").tolist()
    wide = given_ * np.uint64(2**31 + 1)
    for machine in machines():
        assert places == (ordered(machine, "tm_order_pairs", pairs(given_)) & orders.LOWER).tolist()
        assert places == ordered(machine, "tm_order_wide", with_places(wide))[:, 1].tolist()


@pytest.mark.parametrize("highest", HIGHEST)
def test_long_rows_are_in_the_order_of_their_keys(highest: int) -> None:
    given_ = keys(LONG, highest, 0)
    places, (_, machine) = np.argsort(given_, kind="stable").tolist(), machines()
    wide = given_ * np.uint64(2**31 + 1)

    assert places == (ordered(machine, "tm_order_pairs", pairs(given_)) & orders.LOWER).tolist()
    assert places == ordered(machine, "tm_order_wide", with_places(wide))[:, 1].tolist()


@pytest.mark.sampled
@pytest.mark.parametrize("highest", HIGHEST)
@settings(max_examples=10, deadline=None)
@given(st.integers(1, 130), st.integers(0, 130), st.integers(0, 99))
def test_the_first_entries_are_in_front(highest: int, count: int, wanted: int, seed: int) -> None:
    given_ = pairs(keys(count, highest, seed))
    wanted = min(wanted, count)
    for machine in machines():
        entries = given_.copy()
        rooms = machine.room(entries), machine.room(np.zeros(orders.ROOM, np.uint64))
        left = machine("tm_order_leading", machine.frame, *rooms, count, wanted)
        assert wanted <= left <= count
        assert np.sort(given_)[:wanted].tolist() == np.sort(entries[:left])[:wanted].tolist()
