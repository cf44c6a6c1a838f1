"""Where the polynomials of `vector_math` come from: the Remez exchange, in mpmath.

`coefficients(f, (low, high), count, "f32")` gives the polynomial with `count` coefficients whose
greatest weighted error on the interval is least, with every coefficient a float32 (or float64).
Coefficients are rounded one after another, the lowest power first, and the others fitted again, so
that they make up for the rounding (Brisebarre and Chevillard 2007 do this better, with lattices).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np

Function = Callable[[Any], Any]
_DIGITS = 120


def coefficients(
    function: Function,
    interval: tuple[float, float],
    count: int,
    dtype: str,
    weight: Function = lambda x: 1,
    fixed: Sequence[float] = (),
) -> list[float]:
    """Coefficients c[0] + c[1] x + … of the polynomial nearest to `function` on the interval.

    The greatest |weight(x) (function(x) - polynomial(x))| is least. `fixed` gives the first ones.
    """
    with mpmath.workdps(_DIGITS):
        grid = _chebyshev_points(interval, 40 * count + 200)
        targets = [mpmath.mpf(function(x)) for x in grid]
        weights = [mpmath.mpf(weight(x)) for x in grid]
        known = [mpmath.mpf(number) for number in fixed]
        while len(known) < count:
            best = _exchange(
                grid,
                # What is left after the known terms, divided by the next power of x: the powers of
                # x without the first ones can't be levelled on an interval around zero.
                [
                    (y - _value(known, x)) / x ** len(known)
                    for x, y in zip(grid, targets, strict=True)
                ],
                [abs(w * x ** len(known)) for x, w in zip(grid, weights, strict=True)],
                count - len(known),
            )
            known.append(mpmath.mpf(_rounded(best[0], dtype)))
        return [float(number) for number in known]


def greatest_error(
    function: Function,
    interval: tuple[float, float],
    polynomial: Sequence[float],
    weight: Function = lambda x: 1,
) -> float:
    """The greatest weighted error of a polynomial on the interval."""
    with mpmath.workdps(_DIGITS):
        return max(
            float(abs(weight(x) * (function(x) - _value(polynomial, x))))
            for x in _chebyshev_points(interval, 1000)
        )


def _chebyshev_points(interval: tuple[float, float], count: int) -> list[Any]:
    low, high = (mpmath.mpf(end) for end in interval)
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle - half * mpmath.cospi(mpmath.mpf(k) / (count - 1)) for k in range(count)]


def _value(polynomial: Sequence[Any], x: Any) -> Any:
    total = mpmath.mpf(0)
    for coefficient in reversed(polynomial):
        total = total * x + coefficient
    return total


def _rounded(number: Any, dtype: str) -> float:
    return float(np.float32(float(number))) if dtype == "f32" else float(number)


def _exchange(
    grid: Sequence[Any], targets: Sequence[Any], weights: Sequence[Any], count: int
) -> list[Any]:
    """`count` coefficients whose greatest weighted error on the grid is least.

    One node is exchanged at a time, so the levelled error grows until it is the greatest one.
    """
    nodes = [round(k * (len(grid) - 1) / count) for k in range(count + 1)]
    while True:
        *solution, level = _levelled(grid, targets, weights, nodes)
        errors = [
            w * (y - _value(solution, x)) for x, y, w in zip(grid, targets, weights, strict=True)
        ]
        worst = max(range(len(grid)), key=lambda k: abs(errors[k]))
        if worst in nodes or abs(errors[worst]) <= abs(level) * 1.0001:
            return solution
        nodes = _exchanged(nodes, worst, [errors[k] > 0 for k in [*nodes, worst]])


def _levelled(
    grid: Sequence[Any], targets: Sequence[Any], weights: Sequence[Any], nodes: Sequence[int]
) -> list[Any]:
    """Coefficients with equal weighted errors of alternating sign at the nodes, then that error."""
    size = len(nodes)
    matrix, right = mpmath.matrix(size, size), mpmath.matrix(size, 1)
    for row, node in enumerate(nodes):
        for power in range(size - 1):
            matrix[row, power] = weights[node] * grid[node] ** power
        matrix[row, size - 1] = (-1) ** row
        right[row] = weights[node] * targets[node]
    return list(mpmath.lu_solve(matrix, right))


def _exchanged(nodes: list[int], new: int, positive: list[bool]) -> list[int]:
    """The nodes with `new` in place of one beside it, so that signs still alternate."""
    before = sum(node < new for node in nodes)
    if before > 0 and positive[before - 1] == positive[-1]:
        return [*nodes[: before - 1], new, *nodes[before:]]
    if before < len(nodes) and positive[before] == positive[-1]:
        return [*nodes[:before], new, *nodes[before + 1 :]]
    return [new, *nodes[:-1]] if before == 0 else [*nodes[1:], new]
