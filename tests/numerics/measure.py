"""Errors of functions in units in the last place of the true value, which mpmath computes.

Some numbers of every interval are compared with true values. In float32 many more are compared
with float64's results first, and the worst of these with true values, so that the largest error is
one that is hard to exceed. Subnormal operands and values are counted apart: TensorFlow's are zero.
"""

from __future__ import annotations

import math
import zlib
from typing import Any, Final

import mpmath
import numpy as np

from tests.compiler.elementwise import error_in_ulps

from .catalogue import FUNCTIONS, Measured
from .operands import Array, Sizes, drawn
from .sides import SIDES

DTYPES: Final = {"float32": np.float32, "float64": np.float64}
KIND: Final[dict[str, Any]] = {"float32": "f32", "float64": "f64"}
COUNT, DEAR_COUNT, MANY, WORST = 1000, 200, 100_000, 6
DIGITS = 50
SUBNORMAL: Final = "subnormal"


def measure(name: str) -> dict[str, Any]:
    """For each dtype and place [median, largest] of each side."""
    measured = FUNCTIONS[name]
    found: dict[str, Any] = {}
    for dtype in DTYPES:
        tallies: dict[str, Tally] = {}
        for place in measured.places:
            label = " , ".join(map(str, place))
            _at(name, dtype, place, tallies.setdefault(label, Tally()), tallies)
        if len(measured.places[0]) == 1:
            _subnormal(name, dtype, tallies)
        found[dtype] = {label: tally.summary() for label, tally in tallies.items()}
    return found


class Tally:
    """Errors of all sides in one place."""

    def __init__(self) -> None:
        self.errors: dict[str, list[float]] = {side: [] for side in SIDES}
        self.sought: dict[str, float] = dict.fromkeys(SIDES, 0.0)
        self.worst: tuple[float, list[float], str] = (-1.0, [], "")

    def add(self, errors: dict[str, float], operands: list[float], truth: Any, drawn: bool) -> None:
        for side, error in errors.items():
            if drawn:
                self.errors[side].append(error)
            self.sought[side] = max(self.sought[side], error)
        ours = max(errors["compiled"], errors["eager"])
        if ours > self.worst[0]:
            self.worst = (ours, operands, mpmath.nstr(truth, 25))

    def summary(self) -> dict[str, Any]:
        sides = {
            side: [short(float(np.median(many))), short(self.sought[side])]
            for side, many in self.errors.items()
            if many
        }
        return sides | {"worst": self.worst[1:]}


def short(error: float) -> float | str:
    return float(f"{error:.3g}") if math.isfinite(error) else "inf"


def _at(name: str, dtype: str, place: Any, tally: Tally, tallies: dict[str, Tally]) -> None:
    measured, numbers = FUNCTIONS[name], DTYPES[dtype]
    count = DEAR_COUNT if measured.dear else COUNT
    seed = zlib.crc32(f"{name} {place}".encode())
    operands = drawn(place, count, numbers, seed)
    few = len(operands[0])
    if dtype == "float32":
        more = _suspects(name, drawn(place, MANY, numbers, seed + 1))
        operands = [np.concatenate(both) for both in zip(operands, more, strict=True)]
    _judge(name, dtype, operands, few, tally, tallies)


def _judge(
    name: str,
    dtype: str,
    operands: list[Array],
    few: int,
    tally: Tally,
    tallies: dict[str, Tally],
) -> None:
    results = {side: run(name, dtype, operands) for side, run in SIDES.items()}
    tiny = float(np.finfo(DTYPES[dtype]).tiny)
    for k, point in enumerate(zip(*operands, strict=True)):
        numbers = [float(one) for one in point]
        true = truth_of(FUNCTIONS[name], numbers)
        errors = {
            side: error_in_ulps(float(found[k]), true, KIND[dtype])
            for side, found in results.items()
            if found is not None
        }
        small = 0 < abs(true) < tiny or any(0 < abs(one) < tiny for one in numbers)
        chosen = tallies.setdefault(SUBNORMAL, Tally()) if small else tally
        chosen.add(errors, numbers, true, k < few)


def _subnormal(name: str, dtype: str, tallies: dict[str, Tally]) -> None:
    """Where the function is real so close to zero."""
    operands = drawn((Sizes("subnormal", "tiny", 1),), DEAR_COUNT, DTYPES[dtype], 1)
    if mpmath.im(FUNCTIONS[name].truth(mpmath.mpf(float(operands[0][0])))) != 0:
        return
    _judge(name, dtype, operands, len(operands[0]), tallies.setdefault(SUBNORMAL, Tally()), tallies)


def truth_of(measured: Measured, numbers: list[float]) -> Any:
    with mpmath.workdps(DIGITS):
        return mpmath.re(measured.truth(*map(mpmath.mpf, numbers)))


def _suspects(name: str, operands: list[Array]) -> list[Array]:
    """The operands whose results differ most from float64's."""
    wide = [operand.astype(np.float64) for operand in operands]
    reference = SIDES["compiled"](name, "float64", wide)
    assert reference is not None
    with np.errstate(all="ignore"):
        unit = np.spacing(np.abs(reference).astype(np.float32)).astype(np.float64)
    chosen: set[int] = set()
    for run in SIDES.values():
        found = run(name, "float32", operands)
        if found is not None:
            chosen |= set(_worst(found, reference, unit))
    places = sorted(chosen)
    return [operand[places] for operand in operands]


def _worst(found: Array, reference: Array, unit: Array) -> list[int]:
    with np.errstate(all="ignore"):
        error = np.abs(found - reference) / unit
    normal = np.abs(reference) > np.finfo(np.float32).tiny
    error[~normal | ~np.isfinite(reference)] = 0
    error[normal & np.isnan(found) & np.isfinite(reference)] = np.inf
    return [int(k) for k in np.argsort(error)[-WORST:]]
