"""Whoever is killed while writing leaves the old or the new, and the next writer cleans up."""

from __future__ import annotations

from tests.attack import kills


def test_nothing_is_found() -> None:
    assert [] == kills.attack(15, seed=0)
