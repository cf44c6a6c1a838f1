"""Ctrl-C at any step of what programs do."""

from __future__ import annotations

import pytest

from tests.attack.interrupts import SCENARIOS, attack


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_programs_go_on_after_an_interrupt(seed: int) -> None:
    assert attack(len(SCENARIOS), seed) == []
