"""Changed files of pictures and sound are read or refused."""

from __future__ import annotations

from tests.attack import pictures


def test_nothing_is_found() -> None:
    assert [] == pictures.attack(400, seed=0)
