"""The attack with wrong operands."""

from __future__ import annotations

from tests.attack import operands


def test_the_attack_finds_nothing() -> None:
    assert operands.attack(300, seed=1) == []


def test_a_process_that_ends_is_a_finding() -> None:
    (found,) = operands.attack(1, seed="no number")  # type: ignore[arg-type]

    assert "ended with 1 in []" in found
