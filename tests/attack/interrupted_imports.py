"""Ctrl-C while the library is first used, and imports what it needs; then it is used again.

One process imports the interpreter and NumPy and forks a child for each try.
`python -m tests.attack.interrupted_imports COUNT SEED` is that process.
"""

from __future__ import annotations

import itertools
import random
import subprocess
import sys

from tests.attack.first_use import in_child, told_by
from tests.attack.interrupting import Interrupter
from tests.attack.uses import USES

INSTRUCTIONS = 8


def attack(count: int, seed: int) -> list[str]:
    """Interrupt `count` first uses, at steps that `seed` decides."""
    module = "tests.attack.interrupted_imports"
    command = [sys.executable, "-m", module, str(count), str(seed)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    return lines if run.returncode == 0 else [*lines, f"`{' '.join(command)}`: {run.stderr}"]


def length(name: str) -> int:
    """How many lines a first use takes."""

    def count() -> str:
        counting = Interrupter(-1)
        counting.run(USES[name])
        return str(counting.lines)

    return int(in_child(count))


def again(name: str, other: str, interrupter: Interrupter) -> str:
    interrupter.run(USES[name])
    problems = told_by(USES[name]) + told_by(USES[other])
    return f"interrupted at {interrupter.place}: {problems}" if problems else ""


def main(count: int, seed: int) -> None:
    draw = random.Random(seed)
    lengths: dict[str, int] = {}
    names = draw.sample([*USES], len(USES))
    for number, name in zip(range(count), itertools.cycle(names), strict=False):
        if name not in lengths:
            lengths[name] = length(name)
        step = draw.randrange(lengths[name]) + 1, draw.randrange(INSTRUCTIONS)
        other = draw.choice([*USES])
        if found := in_child(lambda n=name, o=other, s=step: again(n, o, Interrupter(*s))):
            print(f"try {number} of seed {seed}, {name} and {other} from {step}, {found}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
