"""Disks that are full from some call on, or for one: what was there stays, and nothing is left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .moments import attack_with, next_state, passing_names, state_of
from .system_calls import Fate, Outcome
from .writers import NEW, OLD, Writer

_KIND = "tensormill.errors.ResourceExhaustedError: "


def attack(count: int, seed: int) -> list[str]:
    """Let the disk be full for `count` writers, at each of their calls."""
    return attack_with([Fate.FULL, Fate.FAIL], count, seed, _judged)


def _judged(writer: Writer, folder: Path, outcome: Outcome) -> Iterator[str]:
    is_silent = not outcome.error and not writer.is_optional
    yield from state_of(writer, folder, *([NEW] if is_silent else [OLD, NEW]))
    if outcome.error and not outcome.error.startswith(_KIND):
        yield f"it says {outcome.error}"
    yield from passing_names(folder)
    yield from next_state(writer, folder)
