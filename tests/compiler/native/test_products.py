"""Products in strips: evaluated and in machine code, both compared with NumPy's."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.loops.cblas import CBLAS_TYPES
from tensormill.compiler.loops.evaluate import storage
from tensormill.compiler.loops.passes.added_products import MOST_TERMS
from tensormill.compiler.native import library
from tensormill.compiler.native.windows.convolutions import NUMBERS
from tests.compiler.native.functions import Compiled, Evaluated

SIZES = st.sampled_from([0, 1, 2, 5, 63, 64, 65, 130, 200])


@cache
def machines(short: str) -> tuple[Evaluated, Compiled]:
    functions = tuple(library.needed([f"tm_gemm_{short}"], copied=True))
    return Evaluated(functions), Compiled(functions)


@pytest.mark.parametrize("short", CBLAS_TYPES)
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 3), SIZES, SIZES, SIZES, st.booleans(), st.booleans(), st.integers(0, 99))
def test_products_are_numpys(
    short: str, matrices: int, m: int, n: int, k: int, ta: bool, tb: bool, seed: int
) -> None:
    random = np.random.default_rng(seed)
    dtype = storage(short)

    def numbers(*sizes: int) -> Any:
        return random.integers(-9, 9, sizes).astype(dtype) * dtype.type(1 + short.startswith("c"))

    a = numbers(matrices, *((k, m) if ta else (m, k)))
    b = numbers(matrices, *((n, k) if tb else (k, n)))
    expected = (a.mT if ta else a) @ (b.mT if tb else b)
    for machine in machines(short):
        out = np.full((matrices, m, n), np.nan, dtype)
        addresses = [machine.room(one) for one in (a, b, out)]
        machine(f"tm_gemm_{short}", *addresses, matrices, m, n, k, int(ta), int(tb), 0)
        np.testing.assert_array_equal(out, expected)
        machine(f"tm_gemm_{short}", *addresses, matrices, m, n, k, int(ta), int(tb), 1)
        np.testing.assert_array_equal(out, 2 * expected)


@pytest.mark.parametrize("short", CBLAS_TYPES)
@settings(max_examples=12, deadline=None)
@given(SIZES, SIZES, st.integers(1, MOST_TERMS), st.booleans(), st.booleans(), st.integers(0, 99))
def test_a_product_of_few_terms_is_added_as_a_loop_adds_it(
    short: str, m: int, n: int, k: int, ta: bool, tb: bool, seed: int
) -> None:
    random, dtype = np.random.default_rng(seed), storage(short)
    shapes = ((k, m) if ta else (m, k)), ((n, k) if tb else (k, n)), (m, n), (m, n)
    a, b, out, before = (random.normal(size=one).astype(dtype) for one in shapes)
    total, machine = before.copy(), machines(short)[1]

    for target, adding in ((out, 0), (total, 1)):
        addresses = [machine.room(one) for one in (a, b, target)]
        machine(f"tm_gemm_{short}", *addresses, 1, m, n, k, int(ta), int(tb), adding)

    np.testing.assert_array_equal(before + out, total)


@pytest.mark.sampled
@pytest.mark.parametrize("short", NUMBERS)
@pytest.mark.parametrize("rows", [2, 7, 8, 20, 200])
@pytest.mark.parametrize(("terms", "columns"), [(1024, 17), (1024, 80), (1000, 64), (257, 1)])
def test_long_sums_of_any_number_of_rows_are_numpys(
    short: str, rows: int, terms: int, columns: int
) -> None:
    random, dtype, machine = np.random.default_rng(0), storage(short), machines(short)[1]
    a, b = (random.integers(-9, 9, one).astype(dtype) for one in ((rows, terms), (terms, columns)))
    out = np.full((rows, columns), np.nan, dtype)
    addresses = [machine.room(one) for one in (a, b, out)]

    machine(f"tm_gemm_{short}", *addresses, 1, rows, columns, terms, 0, 0, 0)
    np.testing.assert_array_equal(out, a @ b)
    machine(f"tm_gemm_{short}", *addresses, 1, rows, columns, terms, 0, 0, 1)
    np.testing.assert_array_equal(out, 2 * (a @ b))


@pytest.mark.sampled
@pytest.mark.parametrize("short", NUMBERS)
@pytest.mark.parametrize("rows", [2, 5, 9])
def test_what_is_not_finite_stays_in_its_row_and_column(short: str, rows: int) -> None:
    random, dtype, machine = np.random.default_rng(0), storage(short), machines(short)[1]
    a, b = (random.normal(size=one).astype(dtype) for one in ((rows, 21), (21, 37)))
    a[1, 3], b[5, 36], b[20, 2], b[0] = np.inf, np.nan, -np.inf, -0.0
    out = np.full((rows, 37), np.nan, dtype)
    addresses = [machine.room(one) for one in (a, b, out)]

    machine(f"tm_gemm_{short}", *addresses, 1, rows, 37, 21, 0, 0, 0)

    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(out, a @ b, rtol=1e-4, atol=1e-5)
