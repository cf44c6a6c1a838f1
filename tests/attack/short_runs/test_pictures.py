"""Changed files of pictures and sound are read or refused."""

from __future__ import annotations

import pytest

from tests.attack import pictures


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_found(seed: int) -> None:
    assert [] == pictures.attack(100, seed)
