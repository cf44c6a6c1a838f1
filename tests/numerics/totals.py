"""Errors of sums, products and what is made of them.

Sums and products are measured in units of eps times the sum of the absolute values of what is
added: one rounding of the whole makes up to half of one. What has no such sum is measured in units
in the last place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any, Final, NamedTuple

import mpmath
import numpy as np

from tests.compiler.elementwise import error_in_ulps

from .measure import DTYPES, KIND, short
from .operands import Array
from .sides import WHOLE


class Total(NamedTuple):
    """`truth` gives [true value, scale of its error] for each element of the result in turn."""

    shown: str
    operands: Callable[[np.random.Generator], list[Array]]
    truth: Callable[..., list[tuple[Any, Any]]]
    in_ulps: bool = False


def _normal(*shapes: tuple[int, ...]) -> Callable[[np.random.Generator], list[Array]]:
    return lambda random: [random.standard_normal(shape) for shape in shapes]


def _positive(*shape: int) -> Callable[[np.random.Generator], list[Array]]:
    return lambda random: [random.uniform(0, 1, shape)]


def _summed(addends: Any) -> tuple[Any, Any]:
    return math.fsum(addends), math.fsum(map(abs, addends))


def _whole(x: Array) -> list[tuple[Any, Any]]:
    return [_summed(x.ravel().tolist())]


def _rows(x: Array) -> list[tuple[Any, Any]]:
    return [_summed(row) for row in x.tolist()]


def _columns(x: Array) -> list[tuple[Any, Any]]:
    return _rows(x.T)


def _mean(x: Array) -> list[tuple[Any, Any]]:
    return [(total / x.size, scale / x.size) for total, scale in _whole(x)]


def _running(x: Array) -> list[tuple[Any, Any]]:
    totals = accumulate(map(Fraction, x.tolist()))
    sizes = accumulate(map(abs, x.tolist()))
    return [
        (mpmath.mpf(t.numerator) / t.denominator, s) for t, s in zip(totals, sizes, strict=True)
    ]


def _product(a: Array, b: Array) -> list[tuple[Any, Any]]:
    return [_dot(row, column) for row in a for column in b.T]


def _dot(x: Array, y: Array) -> tuple[Any, Any]:
    return mpmath.fdot(x.tolist(), y.tolist()), float(np.abs(x) @ np.abs(y))


def _windows(image: Array, filters: Array) -> list[tuple[Any, Any]]:
    """A convolution without padding."""
    size = len(filters)
    places = [(row, column) for row in range(len(image) - size + 1)
              for column in range(len(image) - size + 1)]  # fmt: skip
    return [
        _dot(image[row : row + size, column : column + size].ravel(), filters[..., k].ravel())
        for row, column in places
        for k in range(filters.shape[-1])
    ]


def _soft(x: Array) -> list[tuple[Any, Any]]:
    found = []
    for row in x.tolist():
        powers = [mpmath.exp(one) for one in row]
        total = mpmath.fsum(powers)
        found += [(power / total, None) for power in powers]
    return found


def _log_soft(x: Array) -> list[tuple[Any, Any]]:
    return [(mpmath.log(value), None) for value, _ in _soft(x)]


def _log_sum(x: Array) -> list[tuple[Any, Any]]:
    return [(mpmath.log(mpmath.fsum(map(mpmath.exp, row))), None) for row in x.tolist()]


def _length(x: Array) -> list[tuple[Any, Any]]:
    return [(mpmath.sqrt(mpmath.fsum(row, squared=True)), None) for row in x.tolist()]


def _variance(x: Array) -> list[tuple[Any, Any]]:
    found = []
    for row in x.tolist():
        middle = mpmath.fsum(row) / len(row)
        found.append((mpmath.fsum([(one - middle) ** 2 for one in row]) / len(row), None))
    return found


TOTALS: Final = {
    "reduce_sum": Total("of 1 000 000 positive numbers", _positive(1_000_000), _whole),
    "reduce_sum, signed": Total("of 1 000 000 normal numbers", _normal((1_000_000,)), _whole),
    "reduce_sum, rows": Total("of 100 rows of 1 000", _normal((100, 1000)), _rows),
    "reduce_sum, columns": Total("of 100 columns of 1 000", _normal((1000, 100)), _columns),
    "reduce_mean": Total("of 1 000 000 positive numbers", _positive(1_000_000), _mean),
    "cumsum": Total("of 20 000 positive numbers", _positive(20_000), _running),
    "matmul": Total("(20, 1000) by (1000, 20)", _normal((20, 1000), (1000, 20)), _product),
    "matmul, small": Total("(20, 30) by (30, 20)", _normal((20, 30), (30, 20)), _product),
    "matmul, vector": Total(
        "(1, 20 000) by (20 000, 1)", _normal((1, 20_000), (20_000, 1)), _product
    ),
    "nn.conv2d": Total(
        "of (8, 8, 64) by (3, 3, 64, 4)", _normal((8, 8, 64), (3, 3, 64, 4)), _windows
    ),
    "math.reduce_euclidean_norm": Total("of rows of 1 000", _normal((20, 1000)), _length, True),
    "math.reduce_variance": Total("of rows of 1 000", _normal((20, 1000)), _variance, True),
    "math.reduce_logsumexp": Total("of rows of 1 000", _normal((20, 1000)), _log_sum, True),
    "nn.softmax": Total("of rows of 1 000", _normal((3, 1000)), _soft, True),
    "nn.log_softmax": Total("of rows of 1 000", _normal((3, 1000)), _log_soft, True),
}


def measure(name: str) -> dict[str, Any]:
    """For each dtype [median, largest] of each side."""
    total = TOTALS[name]
    figures: dict[str, Any] = {}
    for dtype, numbers in DTYPES.items():
        operands = [one.astype(numbers) for one in total.operands(np.random.default_rng(7))]
        with mpmath.workdps(50):
            truths = total.truth(*(one.astype(np.float64) for one in operands))
            figures[dtype] = {
                side: _figures(total, dtype, found, truths)
                for side, run in WHOLE.items()
                if (found := run(name, dtype, operands)) is not None
            }
    return figures


def _figures(total: Total, dtype: str, found: Array, truths: list[tuple[Any, Any]]) -> list[Any]:
    pairs = zip(found.ravel().tolist(), truths, strict=True)
    if total.in_ulps:
        errors = [error_in_ulps(one, true, KIND[dtype]) for one, (true, _) in pairs]
    else:
        eps = float(np.finfo(DTYPES[dtype]).eps)
        errors = [
            float(abs(mpmath.mpf(one) - true)) / (eps * scale) for one, (true, scale) in pairs
        ]
    return [short(float(np.median(errors))), short(max(errors))]
