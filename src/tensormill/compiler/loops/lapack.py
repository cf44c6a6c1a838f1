"""What OpenBLAS calls LAPACK's routines, and what they take: addresses, and lengths of texts."""

from __future__ import annotations

from typing import Final

from ...core.process.named_tuples import NamedTuple
from .cblas import LETTERS
from .functions import COMPLEX_OF, REAL_PART, SIZE
from .ir import Signature

# Of real numbers, of complex ones; how many addresses each takes, and how many lengths behind them.
_ROUTINES: Final = (
    ("geqrf", "geqrf", 8, 8, 0),
    ("orgqr", "ungqr", 9, 9, 0),
    ("gesdd", "gesdd", 14, 15, 1),
    ("gelsy", "gelsy", 13, 14, 0),
    ("syevd", "heevd", 11, 13, 2),
    ("geev", "geev", 14, 14, 2),
    ("gees", "gees", 15, 15, 2),
    ("potrf", "potrf", 5, 5, 1),
    ("getrf", "getrf", 6, 6, 0),
    ("getrs", "getrs", 9, 9, 1),
    ("trsm", "trsm", 11, 11, 4),
    ("gemm", "gemm", 13, 13, 2),
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


class LapackNumbers(NamedTuple):
    """How the functions of one dtype are written."""

    short: str

    @property
    def size(self) -> int:
        return SIZE[self.short]

    @property
    def real(self) -> str:
        return REAL_PART.get(self.short, self.short)

    @property
    def pair(self) -> str:
        return COMPLEX_OF.get(self.short, self.short)

    @property
    def is_complex(self) -> bool:
        return self.short in REAL_PART

    def number(self, value: float | str) -> str:
        if self.is_complex:
            return f"({value}, 0.0){self.short}"
        return f"{value}" if self.short == "f32" else f"{value}{self.short}"

    def part(self, value: float | str) -> str:
        return f"{value}" if self.real == "f32" else f"{value}{self.real}"

    def conj(self, expression: str) -> str:
        return f"conj({expression})" if self.is_complex else expression

    def of_real(self, expression: str) -> str:
        return f"complex({expression}, {self.part(0.0)})" if self.is_complex else expression

    def routine(self, name: str) -> str:
        return lapack_routine(self.short, name)
