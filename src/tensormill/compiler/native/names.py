"""By what names native functions that are in no program's module are known."""

from __future__ import annotations

from typing import Final

SHARED: Final = (
    "tm_shared__",
    "tm_lapack_",
    "tm_fourier_",
    "tm_special_",
)  # what begins so is in shared.py
THREAD_FUNCTIONS: Final = ("tm_parallel_for", "tm_divided_for", "tm_threads")  # of threads.py
