"""A full disk leaves what was there, whole, and says what is the matter."""

from __future__ import annotations

from tests.attack import disks


def test_nothing_is_found() -> None:
    assert [] == disks.attack(15, seed=0)
