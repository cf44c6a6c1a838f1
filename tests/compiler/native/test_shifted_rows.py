"""Shifted rows: the same sums as NumPy's, whatever the length of a row and of a period is."""

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
from tensormill.compiler.native.windows.shifted_rows import functions, lanes
from tests.compiler.native.functions import Compiled, Evaluated
from tests.compiler.native.test_convolutions import DTYPES, TILES, whole_numbers


@cache
def made(tile: int) -> tuple[NativeFunction, ...]:
    return tuple(map(parse_function, library.sources(functions(tile)).values()))


@pytest.mark.sampled
@settings(max_examples=6, deadline=None)
@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("short", DTYPES)
@given(
    rows=st.integers(0, 14), taps=st.integers(0, 4), windows=st.integers(0, 14),
    period=st.integers(1, 21), seed=st.integers(0, 99),
)  # fmt: skip
def test_rows_are_sums_of_rows_at_other_places(
    short: str, tile: int, rows: int, taps: int, windows: int, period: int, seed: int
) -> None:
    random, dtype = np.random.default_rng(seed), np.dtype(DTYPES[short])
    length = windows * period
    x = whole_numbers(random, 60 + length).astype(dtype)
    weights = whole_numbers(random, taps, period).astype(dtype)
    starts, places = random.integers(0, 40, rows), random.integers(0, 20, taps)
    begin = starts[:, None, None] + places[:, None] + np.arange(length)
    expected = (x[begin] * np.tile(weights, windows)).sum(1, dtype=dtype)

    again = np.take(weights, np.arange(period + lanes(short)), 1, mode="wrap")
    for machine in (Evaluated(made(tile)), Compiled(made(tile))):
        found: Any = np.full_like(expected, -1)
        arrays = [x, again, found, starts * dtype.itemsize, places * dtype.itemsize]
        numbers = [rows, taps, length, period]
        machine(f"tm_convolve_rows_{short}", machine.frame, *map(machine.room, arrays), *numbers)
        np.testing.assert_array_equal(expected, found)
