"""Matrix products of OpenBLAS, called by address as native code calls them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from tensormill.compiler.native import blas
from tensormill.compiler.native.products import PLAIN, ROW_MAJOR, TRANSPOSED
from tensormill.errors import InternalError

INTEGER, POINTER = ctypes.c_int, ctypes.c_void_p
SCALAR = {"s": ctypes.c_float, "d": ctypes.c_double, "c": POINTER, "z": POINTER}
DTYPE = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}


def gemm(letter: str, a: Any, b: Any, transpose_b: bool = False) -> Any:
    """`a @ b` by the product whose name begins with `letter`."""
    scalar = SCALAR[letter]
    types = [*[INTEGER] * 6, scalar, POINTER, INTEGER, POINTER, INTEGER, scalar, POINTER, INTEGER]
    function = ctypes.CFUNCTYPE(None, *types)(blas.address(f"scipy_cblas_{letter}gemm"))
    rows, inner = a.shape
    columns = b.shape[0] if transpose_b else b.shape[1]
    out = np.full((rows, columns), np.nan, DTYPE[letter])
    one, zero = np.ones(1, DTYPE[letter]), np.zeros(1, DTYPE[letter])
    scalars = [each.ctypes.data if letter in "cz" else each[0].item() for each in (one, zero)]
    turned = TRANSPOSED if transpose_b else PLAIN
    sizes = [ROW_MAJOR, PLAIN, turned, rows, columns, inner]
    factors = [scalars[0], a.ctypes.data, a.shape[1], b.ctypes.data, b.shape[1]]
    function(*sizes, *factors, scalars[1], out.ctypes.data, columns)
    return out


@pytest.mark.parametrize("letter", "sdcz")
def test_products_equal_numpys(letter: str):
    generator = np.random.default_rng(0)
    a = generator.integers(-9, 9, (7, 5)).astype(DTYPE[letter])
    b = generator.integers(-9, 9, (5, 3)).astype(DTYPE[letter])

    np.testing.assert_array_equal(gemm(letter, a, b), a @ b)


def test_a_factor_may_be_transposed():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(4, 3)

    np.testing.assert_array_equal(gemm("d", a, b, transpose_b=True), a @ b.T)


def test_the_number_of_threads_does_not_change_a_product():
    generator = np.random.default_rng(0)
    a, b = generator.integers(-9, 9, (2, 300, 300)).astype(np.float64)
    before = blas.threads()
    try:
        blas.set_threads(1)
        assert blas.threads() == 1
        alone = gemm("d", a, b)
    finally:
        blas.set_threads(before)

    assert blas.threads() == before
    np.testing.assert_array_equal(gemm("d", a, b), alone)


def test_an_unknown_function_is_named():
    with pytest.raises(InternalError, match="OpenBLAS has no function scipy_cblas_qgemm"):
        blas.address("scipy_cblas_qgemm")
