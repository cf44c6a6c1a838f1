"""What OpenBLAS calls its products, and says of matrices."""

from __future__ import annotations

from typing import Final

# Our short dtype name: CBLAS's and LAPACK's letter.
LETTERS: Final = {"f32": "s", "f64": "d", "c64": "c", "c128": "z"}
CBLAS_TYPES: Final = tuple(LETTERS)
ROW_MAJOR: Final = 101
PLAIN: Final = 111
TRANSPOSED: Final = 112


def cblas_product(short: str) -> str:
    """The function for a dtype, as OpenBLAS's package for Python names it."""
    return f"scipy_cblas_{LETTERS[short]}gemm"
