"""Writers that are killed at any of their system calls: what they leave is the old or the new."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .moments import attack_with, next_state, state_of
from .system_calls import Fate, Outcome
from .writers import NEW, OLD, Writer


def attack(count: int, seed: int) -> list[str]:
    """Kill `count` writers: each at each of its calls, before it or in the middle."""
    return attack_with([Fate.KILL, Fate.TEAR], count, seed, _judged)


def _judged(writer: Writer, folder: Path, outcome: Outcome) -> Iterator[str]:
    if outcome.error:
        yield outcome.error
    yield from state_of(writer, folder, OLD, NEW)
    yield from next_state(writer, folder)
