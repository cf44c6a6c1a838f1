"""Ctrl-C while the library is first used."""

from __future__ import annotations

import pytest

from tests.attack.interrupted_imports import attack


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_what_was_interrupted_can_be_imported_again(seed: int) -> None:
    assert attack(1, seed) == []
