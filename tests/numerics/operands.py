"""Where a function is measured: intervals of operands, and numbers drawn from them.

A bound is a number, or the name of one that differs between dtypes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, final

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Bound: TypeAlias = float | str


class Interval(Protocol):
    """Draws numbers, and says which in a few characters."""

    def draw(self, random: np.random.Generator, count: int, dtype: Any) -> Array: ...

    def __str__(self) -> str: ...


def bound(one: Bound, dtype: Any) -> float:
    if not isinstance(one, str):
        return float(one)
    limits = np.finfo(dtype)
    named = {
        "max": float(limits.max),
        "tiny": float(limits.tiny),
        "subnormal": float(limits.smallest_subnormal),
        "log max": float(np.log(float(limits.max))),
        "log tiny": float(np.log(float(limits.tiny))),
        "1/eps": 1 / float(limits.eps),
    }
    return named[one]


def shown(one: Bound) -> str:
    return one if isinstance(one, str) else f"{one:g}"


@final
@dataclass(frozen=True)
class Even:
    """Spread evenly."""

    low: Bound
    high: Bound

    def __str__(self) -> str:
        return f"{shown(self.low)} … {shown(self.high)}"

    def draw(self, random: np.random.Generator, count: int, dtype: Any) -> Array:
        numbers = random.uniform(bound(self.low, dtype), bound(self.high, dtype), count)
        return numbers.astype(dtype)


@final
@dataclass(frozen=True)
class Sizes:
    """Every order of magnitude as often, with either sign or as `sign` says."""

    low: Bound
    high: Bound
    sign: int = 0

    def __str__(self) -> str:
        return f"{ {0: '±', 1: '', -1: '-'}[self.sign] }({shown(self.low)} … {shown(self.high)})"

    def draw(self, random: np.random.Generator, count: int, dtype: Any) -> Array:
        low, high = (np.log(bound(one, dtype)) for one in (self.low, self.high))
        signs = random.choice([-1, 1], count) if self.sign == 0 else self.sign
        with np.errstate(over="ignore", under="ignore"):
            numbers = (np.exp(random.uniform(low, high, count)) * signs).astype(dtype)
        return numbers[np.isfinite(numbers) & (numbers != 0)]


@final
@dataclass(frozen=True)
class Near:
    """At all distances from one of the points, which are roots or poles; `side`: above or below."""

    points: tuple[float, ...]
    side: int = 0

    def __str__(self) -> str:
        first = ", ".join(f"{point:.4g}" for point in self.points[:3])
        more = ", …" if len(self.points) > 3 else ""
        return f"near {first}{more}"

    def draw(self, random: np.random.Generator, count: int, dtype: Any) -> Array:
        points = random.choice(self.points, count)
        signs = random.choice([-1, 1], count) if self.side == 0 else self.side
        last = np.log(float(np.finfo(dtype).eps))
        numbers = points + signs * np.exp(random.uniform(last, -2.0, count))
        numbers = numbers.astype(dtype)
        return numbers[~np.isin(numbers, np.array(self.points, dtype))]


@final
@dataclass(frozen=True)
class Whole:
    """Integers, as floats."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}, {self.low + 1}, … {self.high}"

    def draw(self, random: np.random.Generator, count: int, dtype: Any) -> Array:
        return random.integers(self.low, self.high, count, endpoint=True).astype(dtype)


def drawn(intervals: tuple[Interval, ...], count: int, dtype: Any, seed: int) -> list[Array]:
    """Operands of a function, as many of each."""
    random = np.random.default_rng(seed)
    operands = [interval.draw(random, count, dtype) for interval in intervals]
    least = min(map(len, operands))
    return [operand[:least] for operand in operands]
