"""A full disk leaves what was there, whole, and says what is the matter."""

from __future__ import annotations

import pytest

from tests.attack import disks


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_found(seed: int) -> None:
    assert [] == disks.attack(5, seed)
