"""What else can be asked of results: fusing, threads, casts.

Each fact is a program that every side runs, and how many of its results are as it says.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import ml_dtypes
import numpy as np

from .operands import Array
from .sides import WHOLE, compiled

FORMATS: Final[dict[str, Any]] = {
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
}


class Fact(NamedTuple):
    """`name` is a call of `calls`; `holds` says of each result whether it is as claimed."""

    name: str
    dtype: str
    operands: Callable[[np.random.Generator], list[Array]]
    holds: Callable[..., Array]


def _normal(numbers: Any, count: int) -> Callable[[np.random.Generator], list[Array]]:
    return lambda random: [random.standard_normal(1000).astype(numbers) for _ in range(count)]


def _two_roundings(found: Array, x: Array, y: Array, z: Array) -> Array:
    return found == (x * y + z).astype(np.float64)


def _residues(random: np.random.Generator) -> list[Array]:
    """Rows (1, a) and (-a², a), where a² is rounded: the sum of products is 0 if products are."""
    a = random.standard_normal(1000).astype(np.float32)
    ones = np.ones_like(a)
    return [np.stack([ones, a], 1), np.stack([-(a * a), a], 1)]


def _is_zero(found: Array, *operands: Array) -> Array:
    return found == 0


def _nearly_ties(bits: int, format_bits: int) -> Callable[[np.random.Generator], list[Array]]:
    """float64 a little above the middle of two neighbours; rounding to float32 makes it one."""

    def draw(random: np.random.Generator) -> list[Array]:
        even = random.integers(1 << (bits - 2), 1 << (bits - 1), 1000) * 2
        return [even * 2.0 + 1.0 + 2.0**-format_bits]

    return draw


def _nearest(dtype: str) -> Callable[..., Array]:
    """ml_dtypes rounds to bfloat16 twice: it is asked for the neighbours only."""

    def holds(found: Array, x: Array) -> Array:
        one = found.astype(FORMATS[dtype])
        step = np.abs(np.spacing(one).astype(np.float64))
        return np.abs(found - x) <= step / 2

    return holds


def _ties(bits: int) -> Callable[[np.random.Generator], list[Array]]:
    """float32 in the middle of two neighbours."""

    def draw(random: np.random.Generator) -> list[Array]:
        below = random.integers(1 << (bits - 1), 1 << bits, 1000)
        return [(below * 2 + 1).astype(np.float32)]

    return draw


def _even(found: Array, x: Array) -> Array:
    below = (x.astype(np.int64) - 1) // 2
    return found == 2 * (below + below % 2)


def _truncated(found: Array, x: Array) -> Array:
    return found == np.trunc(x)


def _halved(found: Array, x: Array) -> Array:
    return found == x.astype(np.float64) / 2


def _subnormal(random: np.random.Generator) -> list[Array]:
    return [(random.integers(1, 1 << 21, 1000) * 2.0 * 2.0**-149).astype(np.float32)]


FACTS: Final = {
    "x * y + z of float32 is rounded twice": Fact(
        "fact: x * y + z", "float32", _normal(np.float32, 3), _two_roundings
    ),
    "x * y + z of float64 is rounded twice": Fact(
        "fact: x * y + z", "float64", _normal(np.float64, 3), _two_roundings
    ),
    "products are rounded before reduce_sum(x * y, 1) adds them": Fact(
        "fact: reduce_sum(x * y, 1)", "float32", _residues, _is_zero
    ),
    "half of a subnormal float32 is its half": Fact("fact: x / 2", "float32", _subnormal, _halved),
    "float64 to float32 is the nearest": Fact(
        "fact: to float32", "float64", _normal(np.float64, 1), _nearest("float32")
    ),
    "float64 to float16 is the nearest, just above a middle": Fact(
        "fact: to float16", "float64", _nearly_ties(11, 30), _nearest("float16")
    ),
    "float64 to bfloat16 is the nearest, just above a middle": Fact(
        "fact: to bfloat16", "float64", _nearly_ties(8, 30), _nearest("bfloat16")
    ),
    "float32 to float16 is the even one of two": Fact(
        "fact: to float16", "float32", _ties(11), _even
    ),
    "float32 to bfloat16 is the even one of two": Fact(
        "fact: to bfloat16", "float32", _ties(8), _even
    ),
    "float32 to int32 drops the fraction": Fact(
        "fact: to int32",
        "float32",
        lambda r: [r.uniform(-2e9, 2e9, 1000).astype(np.float32)],
        _truncated,
    ),
}


def measure(name: str) -> dict[str, int]:
    """Of how many results in a thousand it is true, for each side."""
    fact = FACTS[name]
    operands = fact.operands(np.random.default_rng(3))
    return {
        side: int(np.sum(fact.holds(found, *operands)))
        for side, run in WHOLE.items()
        if (found := run(fact.name, fact.dtype, operands)) is not None
    }


THREADS: Final = ("1", "2", "3", "8")
PROGRAMS: Final = {
    "reduce_sum": [(3_000_000,)],
    "reduce_sum, columns": [(3000, 1000)],
    "fact: softmax": [(300, 4000)],
    "matmul, small": [(500, 700), (700, 600)],
    "nn.conv2d": [(90, 90, 64), (3, 3, 64, 32)],
    "math.erf": [(1_000_000,)],
    "fact: gradient": [(700, 300), (300, 500)],
}


def digests() -> dict[str, str]:
    """What compiled functions give, in a few digits."""
    found = {}
    for name, shapes in PROGRAMS.items():
        random = np.random.default_rng(5)
        operands = [random.standard_normal(shape).astype(np.float32) for shape in shapes]
        found[name] = str(hash(compiled(name, "float32", operands).tobytes()))
    return found


@cache
def bits_by_threads() -> dict[str, bool]:
    """Whether each program gives the same bits for all numbers of threads."""
    lines = []
    for count in THREADS:
        environment = os.environ | {"TENSORMILL_THREADS": count, "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-m", "tests.numerics.facts"]
        root = Path(__file__).parents[2]
        done = subprocess.run(
            command, env=environment, cwd=root, capture_output=True, text=True, check=True
        )
        lines.append(done.stdout.splitlines())
    return {row[0].split("=")[0]: len(set(row)) == 1 for row in zip(*lines, strict=True)}


if __name__ == "__main__":
    for name, digest in digests().items():
        print(f"{name}={digest}")
