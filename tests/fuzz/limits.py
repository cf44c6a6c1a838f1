"""How many random programs a run tries: a few, always the same, or `TENSORMILL_FUZZ` new ones."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tensormill.config import settings as config

EXAMPLES = int(os.environ.get("TENSORMILL_FUZZ", "0"))
# How far LLVM optimises a program: mostly not, for its passes are most of what a program costs.
_MOSTLY_NOT = [0] * 19 + [2] if EXAMPLES else [0, 0, 2]
EFFORTS = st.sampled_from([config.effort] if "TENSORMILL_EFFORT" in os.environ else _MOSTLY_NOT)


def limits(few: int, *checks: HealthCheck) -> settings:
    """For one test: how many examples are a few, and which checks of hypothesis it cannot pass."""
    return settings(
        max_examples=EXAMPLES or few,
        derandomize=not EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink] if EXAMPLES else [Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, *checks],
    )


@pytest.fixture(scope="module")
def no_passes() -> Iterator[None]:
    """Leave out LLVM's passes: they are most of what a program costs, and change nothing here."""
    before, config.effort = config.effort, 0
    yield
    config.effort = before


MEMORY = 4 << 30  # bytes more than there are


@pytest.fixture(scope="module")
def little_memory() -> Iterator[None]:
    """Let what asks for far too much raise, not end the process: tf.fill([2**31 - 1], 0)."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = pages * resource.getpagesize() + MEMORY
    known = [one for one in (wanted, before, most) if one != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(known), most))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (before, most))
