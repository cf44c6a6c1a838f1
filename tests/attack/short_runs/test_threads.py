"""Threads, forks and tasks that share what the library makes."""

from __future__ import annotations

import pytest

from tests.attack.threads import KINDS, attack


@pytest.mark.sampled(among="attacks")
def test_threads_forks_and_tasks_do_not_disturb_each_other() -> None:
    assert attack(count=len(KINDS), seed=2) == []
