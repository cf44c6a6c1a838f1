"""docs/numerics.md: the tables, of what `measured.json` holds, behind what was written by hand."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from . import record
from .catalogue import ALIKE, EXACT, FUNCTIONS
from .facts import FACTS, PROGRAMS, THREADS
from .measure import DTYPES, SUBNORMAL
from .narrow import DTYPES as NARROW
from .totals import TOTALS

PAGE: Final = Path(__file__).parents[2] / "docs" / "numerics.md"
START: Final = "<!-- written by `python -m tests.numerics` -->\n"
SIDES: Final = ("compiled", "eager", "tensorflow")


def tables() -> str:
    measured = record.measured()
    made = ", ".join(f"{name} {one}" for name, one in measured["made"]["with"].items())
    parts = [
        START,
        f"Measured with {made}.\n",
        _facts(measured["facts"]),
        _threads(measured["threads"]),
        _totals(measured["totals"]),
        _functions(measured["functions"]),
        _narrow(measured["narrow"]),
        _worse(measured["functions"]),
    ]
    return "\n".join(parts)


def write() -> None:
    PAGE.write_text(PAGE.read_text().partition(START)[0] + tables())


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = list(head)
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _pair(figures: Any) -> str:
    """The median and the largest error."""
    return "–" if figures is None else f"{_number(figures[0])} / {_number(figures[1])}"


def _number(one: float | str) -> str:
    number = float(one)
    if number == float("inf"):
        return "∞"
    if number == 0 or number >= 0.005:
        return f"{number:.2f}" if number < 10 else f"{number:.3g}".replace("e+0", "e")
    return "0.00"


def _facts(measured: dict[str, Any]) -> str:
    rows = [[name, *(_share(measured[name].get(side)) for side in SIDES)] for name in FACTS]
    head = ["of a thousand", "compiled", "eager", "TensorFlow"]
    return "### Fusing and rounding\n\n" + _table(head, rows)


def _share(count: int | None) -> str:
    return {None: "–", 0: "none", 1000: "all"}.get(count, str(count))


def _threads(measured: dict[str, bool]) -> str:
    bits = {True: "the same", False: "other"}
    rows = [
        [
            f"`{name.removeprefix('fact: ')}` of {' and '.join(map(str, shapes))}",
            bits[measured[name]],
        ]
        for name, shapes in PROGRAMS.items()
    ]
    head = ["compiled, float32", f"bits with {', '.join(THREADS)} threads"]
    return "### Threads\n\n" + _table(head, rows)


def _totals(measured: dict[str, Any]) -> str:
    rows = []
    for name, total in TOTALS.items():
        unit = "ulp" if total.in_ulps else "eps Σ"
        figures = measured[name]
        cells = [_pair(figures[dtype].get(side)) for dtype in DTYPES for side in SIDES]
        rows.append([f"`{name.partition(',')[0]}` {total.shown}", unit, *cells])
    said = (
        "Median / largest error. `eps Σ`: eps times the sum of the absolute values of what is "
        "added; one rounding of the whole is half of one.\n\n"
    )
    return f"### Sums and products\n\n{said}" + _table(["", "unit", *_sides(DTYPES)], rows)


def _sides(dtypes: Iterable[str]) -> list[str]:
    names = {"compiled": "compiled", "eager": "eager", "tensorflow": "TensorFlow"}
    return [f"{dtype} {names[side]}" for dtype in dtypes for side in SIDES]


def _functions(measured: dict[str, Any]) -> str:
    rows = []
    for name in FUNCTIONS:
        places = measured[name]["float32"]
        for place in sorted(places, key=lambda one: one == SUBNORMAL):
            cells = [
                _pair(measured[name][dtype].get(place, {}).get(side))
                for dtype in DTYPES
                for side in SIDES
            ]
            rows.append([f"`{name}`", place.replace(" , ", ", "), *cells])
    exact = f"**Exact**, and not measured: {' '.join(sorted(EXACT))}, and what gives booleans.\n\n"
    alike = "; ".join(f"{name} is {other}" for name, other in ALIKE.items())
    head = ["function", "operands", *_sides(DTYPES)]
    return f"### Functions\n\n{exact}{alike}.\n\n" + _table(head, rows)


def _narrow(measured: dict[str, Any]) -> str:
    rows = [
        [f"`{name}`", *(_pair(figures[dtype].get(side)) for dtype in NARROW for side in SIDES)]
        for name, figures in sorted(measured.items())
    ]
    said = "How many of a thousand are not the nearest number / the largest error in ulp.\n\n"
    return f"### Numbers of 16 bits\n\n{said}" + _table(["function", *_sides(NARROW)], rows)


def _worse(measured: dict[str, Any]) -> str:
    """Where the largest error is more than twice TensorFlow's, and above 2 ulp."""
    rows = [
        [f"`{name}`", dtype, place.replace(" , ", ", "), *(_pair(sides[side]) for side in SIDES)]
        for name, dtypes in measured.items()
        for dtype, places in dtypes.items()
        for place, sides in places.items()
        if max(_largest(sides, "compiled"), _largest(sides, "eager"))
        > max(2.0, 2.0 * _largest(sides, "tensorflow"))
    ]
    head = ["function", "dtype", "operands", "compiled", "eager", "TensorFlow"]
    return "### Worse than TensorFlow's\n\n" + _table(head, rows)


def _largest(sides: dict[str, Any], side: str) -> float:
    """Infinite where TensorFlow has no such kernel, as nothing is worse than none."""
    return float(sides[side][1]) if side in sides else float("inf")
