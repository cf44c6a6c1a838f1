"""The table of results, on the screen and in Markdown, and the file that keeps every number."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from rich.table import Table

from bench.rounds import Times
from bench.work import Work
from tensormill.cli.doctor import installed, model_name, usable_cores

PEERS = {
    "tensormill": "tensormill",
    "xla": "tensormill on XLA",
    "tensorflow": "TensorFlow",
    "jax": "JAX",
    "numba": "numba",
    "torch": "torch",
    "blas": "bare BLAS",
    "hand": "by hand",
    "bound": "bound",
}

NO_LESS_MEMORY = ("tensorflow", "jax")  # tensormill is to need no more than these

# Two peers that do the same work in float32 agree this well after some steps of training.
RELATIVE_TOLERANCE = 1e-3


@dataclass(frozen=True)
class Row:
    """One workload's results."""

    work: Work
    times: dict[str, Times]

    @property
    def seconds(self) -> dict[str, float]:
        return {peer: times.seconds for peer, times in self.times.items()}

    def cell(self, peer: str) -> str:
        """Return a peer's time and, in brackets, how many times tensormill's it is."""
        if peer not in self.times:
            return ""
        text = duration(self.seconds[peer])
        if peer == "tensormill" or "tensormill" not in self.times:
            return text
        return f"{text} ({ratio(self.seconds[peer] / self.seconds['tensormill'])})"

    def goals(self) -> str:
        """Return what was to be reached, each with a mark; nothing for what was not timed."""
        marks = []
        for goal in self.work.goals:
            needed = {getattr(goal, "of", "tensormill"), getattr(goal, "peer", "tensormill")}
            if needed <= self.times.keys():
                marks.append(f"≤ {goal} {'✓' if goal.is_reached(self.seconds) else '✗'}")
        return ", ".join(marks)

    def memory_cell(self, peer: str) -> str:
        """Return the most memory of a peer's process, with a mark where ours is to need no more."""
        memory = {one: times.memory for one, times in self.times.items() if times.memory}
        if peer not in memory:
            return ""
        mark = ""
        if peer in NO_LESS_MEMORY and "tensormill" in memory:
            mark = " ✓" if memory["tensormill"] <= memory[peer] else " ✗"
        return f"{memory[peer] / 1e6:,.0f} MB{mark}"

    def disagreement(self) -> str | None:
        """Return a sentence if the peers did not do the same work."""
        checks = {
            peer: times.check for peer, times in self.times.items() if times.check is not None
        }
        if not checks or max(checks.values()) - min(checks.values()) <= tolerance(checks):
            return None
        found = ", ".join(f"{peer} {check:g}" for peer, check in checks.items())
        return f"{self.work.title}: the peers did not do the same work: {found}"


def tolerance(checks: dict[str, float]) -> float:
    return RELATIVE_TOLERANCE * max(abs(check) for check in checks.values())


def duration(seconds: float) -> str:
    """Return a time with three significant digits and a unit that suits it."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= factor:
            return f"{three_digits(seconds / factor)} {unit}"
    return f"{three_digits(seconds / 1e-9)} ns"


def ratio(value: float) -> str:
    return f"{three_digits(value)} ×"


def three_digits(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def machine() -> str:
    """Return the machine's name and the day: a time means nothing without them."""
    cores = usable_cores()
    return f"{model_name()}, {cores} core{'s' * (cores > 1)}, {date.today().isoformat()}"


def columns(rows: list[Row]) -> list[str]:
    return [peer for peer in PEERS if any(peer in row.times for row in rows)]


def cells(rows: list[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the lines of the table."""
    peers = columns(rows)
    header = ["work", "per", *(PEERS[peer] for peer in peers), "to reach"]
    lines = [
        [row.work.title, row.work.unit, *(row.cell(peer) for peer in peers), row.goals()]
        for row in rows
    ]
    return header, lines


def memory_cells(rows: list[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the lines of the table of memory: of the rows that have a process."""
    peers = [peer for peer in columns(rows) if any(row.memory_cell(peer) for row in rows)]
    lines = [[row.work.title, *(row.memory_cell(peer) for peer in peers)] for row in rows]
    return ["most memory of", *(PEERS[peer] for peer in peers)], lines


def screen_table(rows: list[Row]) -> Table:
    return _screen_table(machine(), *cells(rows))


def screen_table_of_memory(rows: list[Row]) -> Table:
    return _screen_table("the most memory of a process (its resident set)", *memory_cells(rows))


def _screen_table(title: str, header: list[str], lines: list[list[str]]) -> Table:
    table = Table(title=title, title_justify="left")
    for name in header:
        is_text = name in (header[0], "per", "to reach")
        table.add_column(name, justify="left" if is_text else "right")
    for line in lines:
        table.add_row(*line)
    return table


def markdown_table(rows: list[Row]) -> str:
    return _markdown_table(*cells(rows))


def markdown_table_of_memory(rows: list[Row]) -> str:
    return _markdown_table(*memory_cells(rows))


def _markdown_table(header: list[str], lines: list[list[str]]) -> str:
    rule = ["---"] * len(header)
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, rule, *lines)) + "\n"


def write_results(rows: list[Row], path: Path) -> None:
    """Write every round of every peer."""
    results: dict[str, Any] = {
        "machine": machine(),
        "python": platform.python_version(),
        "numpy": installed("numpy"),
        "llvmlite": installed("llvmlite"),
        "work": {
            row.work.title: {
                peer: {
                    "median": times.seconds,
                    "rounds": times.rounds,
                    "unit": row.work.unit,
                    "memory": times.memory,
                }
                for peer, times in row.times.items()
            }
            for row in rows
        },
    }
    path.write_text(json.dumps(results, indent=2) + "\n")
