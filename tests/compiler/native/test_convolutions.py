"""Convolutions do evaluated what they do native, and both what their tables say."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.loops.externals import signature_of
from tensormill.compiler.loops.ir import NativeFunction
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.loops.text import function_text
from tensormill.compiler.loops.verify import verify_function
from tensormill.compiler.native import library
from tensormill.compiler.native.windows.convolutions import (
    CHUNK,
    FUNCTIONS,
    LANE_BYTES,
    ROWS_TOGETHER,
    TABLE_AXES,
    functions,
    tile_rows,
)
from tests.compiler.native.functions import Compiled, Evaluated

Array = np.ndarray[Any, Any]
DTYPES = {"f32": np.float32, "f64": np.float64}
TILES = [tile_rows(features) for features in ("+avx2", "+avx2,+avx512f")]


@cache
def made(short: str, tile: int) -> tuple[NativeFunction, ...]:
    sources = library.sources(functions(short, tile))
    return tuple(map(parse_function, sources.values()))


@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("short", DTYPES)
def test_the_text_makes_sense_and_is_read_back(short: str, tile: int):
    known = dict(library.SIGNATURES) | {one.name: signature_of(one) for one in made(short, tile)}

    for function in made(short, tile):
        printed = function_text(verify_function(function, known))
        assert function_text(parse_function(printed)) == printed


def whole_numbers(random: np.random.Generator, *shape: int) -> Array:
    """Their sums are exact, in whatever order."""
    return random.integers(-9, 9, shape)


def panels_of(filters: Array, lanes: int) -> Array:
    """[groups, taps, run, filters] as [groups, blocks, taps, run, lanes]."""
    groups, taps, run, count = filters.shape
    blocks = -(-count // lanes)
    padded = np.zeros((groups, taps, run, blocks * lanes), filters.dtype)
    padded[..., :count] = filters
    return padded.reshape(groups, taps, run, blocks, lanes).transpose(0, 3, 1, 2, 4).copy()


def run_both(
    short: str, tile: int, name: str, arrays: list[Array], out: int, numbers: list[int]
) -> list[Array]:
    found: list[Array] = []
    for machine in (Evaluated(made(short, tile)), Compiled(made(short, tile))):
        mine = [one.copy() for one in arrays]
        machine(f"{name}_{short}", machine.frame, *map(machine.room, mine), *numbers)
        found.append(mine[out])
    return found


SIZES = st.tuples(
    st.integers(0, 26), st.integers(0, 3), st.integers(0, 3), st.sampled_from([1, 7, 8, 16, 19]),
    st.integers(1, 2),
)  # fmt: skip


@pytest.mark.sampled
@settings(max_examples=6, deadline=None)
@pytest.mark.parametrize("function", ["tm_convolve", "tm_convolve_image"])
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("short", DTYPES)
@given(sizes=SIZES, seed=st.integers(0, 99))
def test_windows_meet_filters(
    short: str, tile: int, function: str, sizes: tuple[int, ...], seed: int
):
    windows, taps, run, filters, groups = sizes
    random, dtype = np.random.default_rng(seed), np.dtype(DTYPES[short])
    x = whole_numbers(random, 40).astype(dtype)
    weights = whole_numbers(random, groups, taps, run, filters).astype(dtype)
    pixels, tap_places = random.integers(0, 20, windows), random.integers(0, 10, taps)
    places = random.permutation(windows)
    expected = np.full((windows, groups, filters), -1, dtype)
    for window in range(windows):
        for group in range(groups):
            begin = pixels[window] + group * 4 + tap_places[:, None] + np.arange(run)
            expected[places[window], group] = np.tensordot(x[begin], weights[group], 2)

    size, row = dtype.itemsize, groups * filters * dtype.itemsize
    arrays = [x, panels_of(weights, LANE_BYTES // size), np.full_like(expected, -1)]
    tables = [pixels * size, places * row, tap_places * size]
    numbers = [windows, taps, run, filters, groups, 4 * size]
    evaluated, native = run_both(short, tile, function, arrays + tables, 2, numbers)

    np.testing.assert_array_equal(expected, evaluated)
    np.testing.assert_array_equal(expected, native)


@pytest.mark.sampled
@settings(max_examples=6, deadline=None)
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("short", DTYPES)
@given(sizes=SIZES, seed=st.integers(0, 99), parts=st.integers(1, 3))
def test_filters_get_their_gradient(
    short: str, tile: int, sizes: tuple[int, ...], seed: int, parts: int
):
    windows, taps, channels, filters, groups = sizes
    rows, dtype = taps * channels * 2, np.dtype(DTYPES[short])
    random = np.random.default_rng(seed)
    x = whole_numbers(random, 40).astype(dtype)
    dy = whole_numbers(random, windows, groups, filters).astype(dtype)
    pixels, row_places = random.integers(0, 20, windows), random.integers(0, 10, rows)

    expected = expected_gradient(x, dy, pixels, row_places)
    size = dtype.itemsize
    room, places = moved(dy, random)
    arrays = [x, room, np.full((parts, rows, groups, filters), 0, dtype)]
    tables = [pixels * size, places, row_places * size]
    numbers = [windows, rows, filters, groups, 4 * size, parts]
    found = run_both(short, tile, "tm_filter_gradient", arrays + tables, 2, numbers)

    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(expected, found[0].sum(0))


def moved(dy: Array, random: np.random.Generator) -> tuple[Array, Array]:
    """What windows have, in another order with gaps between, and at which byte each begins."""
    width = int(np.prod(dy.shape[1:])) + 3
    order = random.permutation(len(dy))
    room = np.full((len(dy) + 1, width), 99, dy.dtype)
    for window, place in enumerate(order):
        room[place, : width - 3] = dy[window].ravel()
    return room, order * (width * dy.itemsize)


def expected_gradient(x: Array, dy: Array, pixels: Array, rows: Array) -> Array:
    groups = dy.shape[1]
    total = np.zeros((len(rows), *dy.shape[1:]), x.dtype)
    for window, pixel in enumerate(pixels):
        for group in range(groups):
            seen = x[pixel + group * 4 + rows]
            total[:, group] += seen[:, None] * dy[window, group]
    return total


# A unit of work has some of the panels or all of them, which depends on how many parts there are.
@pytest.mark.parametrize("parts", [1, 5, 12])
@pytest.mark.parametrize("tile", TILES)
def test_gradients_of_many_windows_are_added_up_in_chunks(tile: int, parts: int):
    windows, rows, filters, groups = parts * (CHUNK + 3), ROWS_TOGETHER + 8, 40, 2
    random = np.random.default_rng(0)
    x = whole_numbers(random, 200).astype(np.float32)
    dy = whole_numbers(random, windows, groups, filters).astype(np.float32)
    pixels, row_places = random.integers(0, 80, windows), random.permutation(rows)
    room, places = moved(dy, random)

    sums = np.zeros((parts, rows, groups, filters), np.float32)
    arrays = [x, room, sums, pixels * 4, places, row_places * 4]
    machine = Compiled(made("f32", tile))
    numbers = [windows, rows, filters, groups, 16, parts]
    machine("tm_filter_gradient_f32", machine.frame, *map(machine.room, arrays), *numbers)

    np.testing.assert_array_equal(expected_gradient(x, dy, pixels, row_places), sums.sum(0))


@cache
def table_machines() -> tuple[Evaluated, Compiled]:
    functions = tuple(map(parse_function, library.sources(FUNCTIONS).values()))
    return Evaluated(functions), Compiled(functions)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(-999, 999),
    st.tuples(*[st.integers(0, 9)] * TABLE_AXES),
    st.tuples(*[st.integers(-500, 500)] * TABLE_AXES),
)
def test_tables_say_where_windows_begin(
    first: int, sizes: tuple[int, ...], steps: tuple[int, ...]
) -> None:
    expected = first + np.tensordot(steps, np.indices(sizes), 1)
    for machine in table_machines():
        table = np.full(sizes, -1, np.int64)
        address = machine.room(table)
        machine("tm_window_table", machine.frame, address, first, *sizes, *steps)
        np.testing.assert_array_equal(table, expected)
