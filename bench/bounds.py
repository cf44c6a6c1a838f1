"""What work takes of this processor at least: counted operations and bytes, at measured rates.

A bound is no peer. Products and passes over memory are taken to come one after the other, and
OpenBLAS's product to be as fast as one can be: what is faster than that beats it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bench.work import Bound, product

ORDER = 2048  # of the matrices: 17 billion operations each time
MEGABYTES = 256  # no cache holds them
TIMES = 7


@dataclass(frozen=True)
class Rates:
    """Operations per second of float32 products, bytes per second read or written; all cores."""

    operations: float
    bytes: float

    def seconds(self, bound: Bound) -> float:
        """Of products and of passes over memory, one after the other."""
        return bound.operations / self.operations + bound.bytes / self.bytes


@cache
def rates(cores: int) -> Rates:
    """Measure both: the best of several times, each with all cores."""
    return Rates(product(ORDER, ORDER, ORDER) / best(products()), copied(cores))


def products() -> Callable[[], Any]:
    """A product by NumPy's OpenBLAS, which takes all cores by itself."""
    left = np.ones((ORDER, ORDER), np.float32)
    out = np.empty_like(left)
    return lambda: np.matmul(left, left, out=out)


def copied(cores: int) -> float:
    """Bytes per second, read and written, of a copy that all cores share."""
    source = np.ones(MEGABYTES << 20, np.uint8)
    target = np.ones_like(source)
    parts = list(zip(np.array_split(target, cores), np.array_split(source, cores), strict=True))
    with ThreadPoolExecutor(cores) as pool:
        seconds = best(lambda: list(pool.map(lambda part: np.copyto(*part), parts)))
    return 2 * source.nbytes / seconds


def best(call: Callable[[], Any]) -> float:
    times = []
    for _ in range(TIMES):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)
