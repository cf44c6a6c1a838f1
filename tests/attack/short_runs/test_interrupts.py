"""Ctrl-C at any step of what programs do."""

from __future__ import annotations

from tests.attack.interrupts import SCENARIOS, attack


def test_programs_go_on_after_an_interrupt() -> None:
    assert attack(count=3 * len(SCENARIOS), seed=1) == []
