"""Few filters: the sums of `native/windows/convolutions.py`, by vectors of what windows see."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.loops.ir import NativeFunction
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.native import library
from tensormill.compiler.native.windows.convolutions import CHUNK, functions
from tensormill.compiler.native.windows.few_filters import functions as few_functions
from tensormill.compiler.native.windows.few_filters import lanes
from tests.compiler.native.functions import Compiled, Evaluated
from tests.compiler.native.test_convolutions import (
    DTYPES,
    TILES,
    expected_gradient,
    moved,
    whole_numbers,
)

Array = np.ndarray[Any, Any]


@cache
def made(tile: int) -> tuple[NativeFunction, ...]:
    return tuple(map(parse_function, library.sources(few_functions(tile)).values()))


@pytest.mark.sampled
@settings(max_examples=6, deadline=None)
@pytest.mark.parametrize("function", ["tm_convolve_few", "tm_convolve_few_image"])
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("short", DTYPES)
@given(
    windows=st.integers(0, 14), taps=st.integers(0, 3), more=st.integers(0, 19),
    filters=st.integers(1, 3), groups=st.integers(1, 2), seed=st.integers(0, 99),
)  # fmt: skip
def test_windows_meet_few_filters(
    short: str,
    tile: int,
    function: str,
    windows: int,
    taps: int,
    more: int,
    filters: int,
    groups: int,
    seed: int,
):
    random, dtype, run = np.random.default_rng(seed), np.dtype(DTYPES[short]), lanes(short) + more
    x = whole_numbers(random, 80).astype(dtype)
    weights = whole_numbers(random, groups, filters, taps, run).astype(dtype)
    pixels, tap_places = random.integers(0, 20, windows), random.integers(0, 10, taps)
    places = random.permutation(windows)
    expected = np.full((windows, groups, filters), -1, dtype)
    for window, group in np.ndindex(windows, groups):
        begin = pixels[window] + group * 4 + tap_places[:, None] + np.arange(run)
        expected[places[window], group] = np.tensordot(weights[group], x[begin], 2)

    size, row = dtype.itemsize, groups * filters * dtype.itemsize
    numbers = [windows, taps, run, filters, groups, 4 * size]
    for machine in (Evaluated(made(tile)), Compiled(made(tile))):
        found = np.full_like(expected, -1)
        arrays = [x, weights, found, pixels * size, places * row, tap_places * size]
        machine(f"{function}_{short}", machine.frame, *map(machine.room, arrays), *numbers)
        np.testing.assert_array_equal(expected, found)


@pytest.mark.sampled
@settings(max_examples=6, deadline=None)
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("short", DTYPES)
@given(
    windows=st.integers(0, 14), taps=st.integers(0, 3), more=st.integers(0, 19),
    filters=st.integers(1, 3), groups=st.integers(1, 2), parts=st.integers(1, 3),
)  # fmt: skip
def test_few_filters_get_their_gradient(
    short: str, tile: int, windows: int, taps: int, more: int, filters: int, groups: int, parts: int
):
    random, dtype, run = (
        np.random.default_rng(windows),
        np.dtype(DTYPES[short]),
        lanes(short) + more,
    )
    x = whole_numbers(random, 80).astype(dtype)
    dy = whole_numbers(random, windows, groups, filters).astype(dtype)
    starts = random.integers(0, 10, taps)
    pixels, rows = random.integers(0, 20, windows), (starts[:, None] + np.arange(run)).ravel()

    size = dtype.itemsize
    room, places = moved(dy, random)
    numbers = [windows, taps * run, filters, groups, 4 * size, parts, run]
    for machine in (Evaluated(made(tile)), Compiled(made(tile))):
        sums = np.zeros((parts, taps * run, groups, filters), dtype)
        arrays = [x, room, sums, pixels * size, places, rows * size]
        machine(f"tm_filter_few_{short}", machine.frame, *map(machine.room, arrays), *numbers)
        np.testing.assert_array_equal(expected_gradient(x, dy, pixels, rows), sums.sum(0))


# Of a run that is no whole number of vectors, the last one has rows of the one before, which may
# be in another tile, whose sums of earlier windows lie in memory.
@pytest.mark.sampled
@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("run", [37, 65, 97, 100, 200])
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("short", DTYPES)
def test_a_gradient_has_the_bits_of_that_for_many_filters(
    short: str, tile: int, run: int, parts: int
):
    windows, filters, dtype = 20 * CHUNK + 3, 2, np.dtype(DTYPES[short])
    random, size = np.random.default_rng(0), dtype.itemsize
    x = random.standard_normal(500).astype(dtype)
    dy = random.standard_normal((windows, filters)).astype(dtype)
    pixels, places = random.integers(0, 100, windows) * size, np.arange(windows) * filters * size
    wide = tuple(map(parse_function, library.sources(functions(short, tile)).values()))
    for taps in (1, 3, 5):
        rows = (random.integers(0, 100, taps)[:, None] + np.arange(run)).ravel() * size
        numbers = [windows, taps * run, filters, 1, 0, parts]
        found: list[Array] = []
        for made_of, name, more in ((wide, "gradient", []), (made(tile), "few", [run])):
            machine, sums = Compiled(made_of), np.zeros((parts, taps * run, filters), dtype)
            room = map(machine.room, [x, dy, sums, pixels, places, rows])
            machine(f"tm_filter_{name}_{short}", machine.frame, *room, *numbers, *more)
            found.append(sums)

        np.testing.assert_array_equal(found[0], found[1])
