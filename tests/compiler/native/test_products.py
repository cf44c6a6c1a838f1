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
from tests.compiler.native.functions import Compiled, Evaluated

SIZES = st.sampled_from([0, 1, 2, 5, 63, 64, 65, 130, 200])


@cache
def machines(short: str) -> tuple[Evaluated, Compiled]:
    functions = (library.function(f"tm_gemm_{short}"),)
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
