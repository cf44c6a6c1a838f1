"""Threads that use the library for the first time, all at once."""

from __future__ import annotations

import pytest

from tests.attack.first_use import attack, tries
from tests.attack.uses import USES


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_threads_may_begin_with_what_they_like(seed: int) -> None:
    assert attack(3, seed) == []


def test_every_pair_is_tried_before_more() -> None:
    pairs = len(USES) * (len(USES) + 1) // 2
    all_tries = tries(pairs + 1, seed=1)

    assert {frozenset(names) for names in all_tries[:pairs]} == {
        frozenset((one, other)) for one in USES for other in USES
    }
    assert len(all_tries[-1]) > 2
