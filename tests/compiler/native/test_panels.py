"""Products with an arranged factor: evaluated and in machine code, both compared with NumPy's."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.loops.evaluate import storage
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.native import library, panels
from tensormill.compiler.native.windows.convolutions import NUMBERS, tile_rows
from tests.compiler.native.functions import Compiled, Evaluated

SIZES = st.sampled_from([0, 1, 2, 5, 7, 15, 16, 17])
ROWS = st.integers(0, 17) | st.sampled_from([32, 49, 101])  # tiles of two heights, and blocks
TILES = [tile_rows(features) for features in ("+avx2", "+avx2,+avx512f")]


@cache
def machines(short: str, tile: int) -> tuple[Evaluated, Compiled]:
    sources = library.sources(panels.functions(tile)).values()
    functions = tuple(one for one in map(parse_function, sources) if one.name.endswith(short))
    return Evaluated(functions), Compiled(functions)


def arranged(b: Any, width: int) -> Any:
    """Panels of a factor, with what must not matter behind its last column."""
    k, n = b.shape
    whole = np.full((k, -(-n // width) * width), 777, b.dtype)
    whole[:, :n] = b
    return np.ascontiguousarray(whole.reshape(k, -(-n // width), width).transpose(1, 0, 2))


@pytest.mark.sampled
@pytest.mark.parametrize("short", NUMBERS)
@pytest.mark.parametrize("tile", TILES)
@settings(max_examples=8, deadline=None)
@given(ROWS, SIZES, SIZES, st.sampled_from([0, 3]), st.integers(0, 99))
def test_products_with_panels_are_numpys(
    short: str, tile: int, m: int, n: int, k: int, gap: int, seed: int
) -> None:
    random, dtype = np.random.default_rng(seed), storage(short)
    a, b = (random.integers(-9, 9, sizes).astype(dtype) for sizes in ((m, k), (k, n)))
    for machine in machines(short, tile):
        out = np.full((m, n), np.nan, dtype)
        rows = np.pad(a, ((0, 0), (0, gap)), constant_values=777)
        addresses = [machine.room(x) for x in (rows, arranged(b, panels.lanes(short)), out)]
        machine(f"tm_panels_{short}", machine.frame, *addresses, m, n, k, k + gap, 0)
        np.testing.assert_array_equal(out, a @ b)
        machine(f"tm_panels_{short}", machine.frame, *addresses, m, n, k, k + gap, 1)
        np.testing.assert_array_equal(out, 2 * (a @ b))


@pytest.mark.sampled
@pytest.mark.parametrize("short", NUMBERS)
@settings(max_examples=8, deadline=None)
@given(st.sampled_from([1, 2, 7, 8, 15, 16, 17, 40]), SIZES, st.booleans())
def test_a_factor_lies_in_panels_whichever_way_it_lay_before(
    short: str, n: int, k: int, is_turned: bool
) -> None:
    dtype, width = storage(short), panels.lanes(short)
    b = np.random.default_rng(n).integers(-99, 99, (k, n)).astype(dtype)
    repeated = np.pad(b, ((0, 0), (0, -n % width)), mode="edge") if k else b
    expected = arranged(repeated, width)
    for machine in machines(short, TILES[0]):
        found = np.zeros_like(expected)
        places = [machine.room(x) for x in (np.ascontiguousarray(b.T if is_turned else b), found)]
        machine(f"tm_arranged_{short}", machine.frame, *places, n, k, int(is_turned))
        np.testing.assert_array_equal(found, expected)
