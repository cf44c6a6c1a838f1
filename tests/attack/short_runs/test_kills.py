"""Whoever is killed while writing leaves the old or the new, and the next writer cleans up."""

from __future__ import annotations

import pytest

from tests.attack import kills


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_found(seed: int) -> None:
    assert [] == kills.attack(5, seed)
