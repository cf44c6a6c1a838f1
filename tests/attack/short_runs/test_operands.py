"""The attack with wrong operands."""

from __future__ import annotations

import pytest

from tests.attack import operands


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_the_attack_finds_nothing(seed: int) -> None:
    assert operands.attack(80, seed) == []


def test_a_process_that_ends_is_a_finding() -> None:
    (found,) = operands.attack(1, seed="no number")  # type: ignore[arg-type]

    assert "ended with 1 in []" in found
