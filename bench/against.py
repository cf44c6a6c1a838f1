"""Which rows became slower than in an earlier run, by more than chance explains."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from bench.report import Row, duration, ratio

OURS = "tensormill", "xla"
LEAST_NOISE = 0.05  # a run of seven rounds cannot tell less apart

Rounds = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Change:
    """How many times as long one of ours takes, and how much of that may be chance.

    Where peers were timed in both runs, what they became slower by is the machine's doing and is
    divided out.
    """

    title: str
    peer: str
    before: float
    now: float
    machine: float
    noise: float

    @property
    def factor(self) -> float:
        return self.now / self.before / self.machine

    @property
    def is_slower(self) -> bool:
        return self.factor > 1 + self.noise

    def __str__(self) -> str:
        times = f"{duration(self.before)} before, {duration(self.now)} now"
        found = f"{ratio(self.factor)}, of which {self.noise:.0%} may be chance"
        return f"{self.title} ({self.peer}): {times}; {found}"


def changes(rows: Iterable[Row], earlier: Path) -> list[Change]:
    """Compare what both runs timed.

    Raises:
        ValueError: the file is not what a run of the benchmarks has written.
    """
    before = earlier_rounds(earlier)
    now = {row.work.title: {one: times.rounds for one, times in row.times.items()} for row in rows}
    return [
        change(title, peer, before[title], now[title])
        for title in now.keys() & before.keys()
        for peer in OURS
        if peer in now[title] and peer in before[title]
    ]


def earlier_rounds(path: Path) -> dict[str, Rounds]:
    try:
        work = json.loads(path.read_text())["work"]
        return {
            title: {peer: times["rounds"] for peer, times in peers.items()}
            for title, peers in work.items()
        }
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path} should be a results.json, as `python -m bench` writes them"
        ) from error


def change(title: str, peer: str, before: Rounds, now: Rounds) -> Change:
    others = [one for one in before.keys() & now.keys() if one not in (*OURS, "hand", "bound")]
    machine = [median(now[one]) / median(before[one]) for one in others]
    noise = spread(before[peer]) + spread(now[peer])
    if others:
        noise += min(spread(before[one]) + spread(now[one]) for one in others)
    return Change(
        title, peer, median(before[peer]), median(now[peer]),
        machine=median(machine) if machine else 1.0,
        noise=max(LEAST_NOISE, noise),
    )  # fmt: skip


def spread(rounds: Sequence[float]) -> float:
    """Half of the distance between the quartiles, as a part of the median."""
    if len(rounds) < 2:
        return 0.0
    first, middle, third = quantiles(rounds, n=4, method="inclusive")
    return (third - first) / 2 / middle
