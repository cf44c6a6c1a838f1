"""No entry of the code cache is taken for another, or for one that nobody else made."""

from __future__ import annotations

import pytest

from tests.attack import entries


@pytest.mark.sampled(among="attacks")
def test_nothing_is_found() -> None:
    assert [] == entries.attack(60, seed=0)
