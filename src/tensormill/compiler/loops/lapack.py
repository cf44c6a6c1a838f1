"""What OpenBLAS calls LAPACK's routines, and what they take: addresses, and lengths of texts."""

from __future__ import annotations

from typing import Final

from .cblas import LETTERS
from .functions import REAL_PART
from .ir import Signature

# Of real numbers, of complex ones; how many addresses each takes, and how many lengths behind them.
_ROUTINES: Final = (
    ("geqrf", "geqrf", 8, 8, 0),
    ("orgqr", "ungqr", 9, 9, 0),
    ("gesdd", "gesdd", 14, 15, 1),
    ("syevd", "heevd", 11, 13, 2),
    ("geev", "geev", 14, 14, 2),
    ("potrf", "potrf", 5, 5, 1),
    ("getrf", "getrf", 6, 6, 0),
    ("getrs", "getrs", 9, 9, 1),
    ("trsm", "trsm", 11, 11, 4),
)


def lapack_routine(short: str, name: str) -> str:
    """The function for a dtype, as OpenBLAS's package for Python names it."""
    complex_name = {real: one for real, one, *_ in _ROUTINES}[name]
    return f"scipy_{LETTERS[short]}{complex_name if short in REAL_PART else name}_"


LAPACK_SIGNATURES: Final = {
    lapack_routine(short, real): Signature(
        ("ptr",) * (of_complex if short in REAL_PART else of_real) + ("i64",) * lengths
    )
    for short in LETTERS
    for real, _, of_real, of_complex, lengths in _ROUTINES
}
