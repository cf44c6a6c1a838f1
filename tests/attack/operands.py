"""Operands that do not fit: compiled code refuses, or computes, what eager execution does.

Each of some seeds is an operation's sample or a call, traced knowing little, and tried with many
operands (tests/fuzz/operands.py). They run in processes of their own, for one may crash:

    python -m tests.attack.operands FIRST COUNT SEED

tries COUNT operands and says what it found, and how far it came.
"""

from __future__ import annotations

import resource
import subprocess
import sys

EACH = 100  # operands of one trace
A_PROCESS = 4000
MEMORY = 4 << 30  # what needs more fails in this process, and nowhere else


def attack(count: int, seed: int) -> list[str]:
    """Try `count` operands."""
    found: list[str] = []
    for first in range(0, count, A_PROCESS):
        part = min(A_PROCESS, count - first)
        words = ["-m", "tests.attack.operands", *map(str, (first, part, seed))]
        run = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        found += run.stdout.splitlines()
        if run.returncode:
            reached = [line for line in run.stderr.splitlines() if line.startswith("seed ")]
            found.append(
                f"`python {' '.join(words)}` ended with {run.returncode} in {reached[-1:]}"
            )
    return found


def try_operands(first: int, count: int, seed: int) -> None:
    """Print what is wrong, and to the standard error where it is."""
    from tensormill.config import settings
    from tests.fuzz.operands import Attempt

    settings.effort = 0
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    number, left = first, count
    while left > 0:
        print(f"seed {seed}/{number}", file=sys.stderr, flush=True)
        attempt = Attempt(f"{seed}/{number}").run(min(EACH, left))
        print(*attempt.found, sep="\n", end="\n" if attempt.found else "", flush=True)
        number, left = number + EACH, left - max(1, attempt.tried)


if __name__ == "__main__":
    import faulthandler

    faulthandler.enable()
    try_operands(*map(int, sys.argv[1:]))
