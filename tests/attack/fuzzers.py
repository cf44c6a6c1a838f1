"""The differential fuzzers: random programs, sources, derivatives and operands (tests/fuzz)."""

from __future__ import annotations

import os
import subprocess
import sys

PLACES = ("tests/fuzz", "tests/composition/test_random_expressions.py")
HOUR = "-o", "faulthandler_timeout=0"


def attack(count: int, seed: int) -> list[str]:
    """Let every fuzzer try `count` programs."""
    command = [sys.executable, "-m", "pytest", "-q", *HOUR, f"--hypothesis-seed={seed}", *PLACES]
    environment = os.environ | {"TENSORMILL_FUZZ": str(count)}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return []
    return [f"`TENSORMILL_FUZZ={count} {' '.join(command)}` fails:", *run.stdout.splitlines()]
