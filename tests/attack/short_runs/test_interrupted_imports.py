"""Ctrl-C while the library is first used."""

from __future__ import annotations

from tests.attack.interrupted_imports import attack


def test_what_was_interrupted_can_be_imported_again() -> None:
    assert attack(count=4, seed=11) == []
