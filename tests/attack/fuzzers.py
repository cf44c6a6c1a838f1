"""The differential fuzzers: random programs, sources, derivatives and operands (tests/fuzz).

They run twice, with half of the programs each: native code as users get it, and with a check of
every load and store (`TENSORMILL_CHECK_MEMORY`).
"""

from __future__ import annotations

import os
import subprocess
import sys

PLACES = ("tests/fuzz", "tests/composition/test_random_expressions.py")


def attack(count: int, seed: int) -> list[str]:
    """Let every fuzzer try `count` programs."""
    half = max(1, count // 2)
    return [*fuzz(half, seed, {}), *fuzz(half, seed + 1, {"TENSORMILL_CHECK_MEMORY": "1"})]


def fuzz(count: int, seed: int, environment: dict[str, str]) -> list[str]:
    """What a run of all fuzzers says where it fails."""
    command = [sys.executable, "-m", "pytest", "-q", f"--hypothesis-seed={seed}", *PLACES]
    environment = {**environment, "TENSORMILL_FUZZ": str(count)}
    run = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    if run.returncode == 0:
        return []
    shown = " ".join(f"{name}={value}" for name, value in environment.items())
    return [f"`{shown} {' '.join(command)}` fails:", *run.stdout.splitlines()]
