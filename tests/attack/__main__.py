"""Runs the attacks, in this order, and fails where one finds anything.

    python -m tests.attack [NAME ...] [--count N] [--seed S]

Without `--count` each attack tries what takes it about a minute.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from typing import NamedTuple


class Attack(NamedTuple):
    """A module of this folder, and how many things it tries in about a minute."""

    name: str
    minute: int

    def run(self, count: int, seed: int) -> list[str]:
        return importlib.import_module(f"tests.attack.{self.name}").attack(count, seed)


ATTACKS: tuple[Attack, ...] = (
    Attack("fuzzers", 1000),
    Attack("operands", 40000),
    Attack("pipelines", 2000),
    Attack("keras_models", 15),
    Attack("first_use", 210),
    Attack("interrupts", 600),
    Attack("interrupted_imports", 120),
    Attack("interrupted_fits", 24),
    Attack("threads", 100),
    Attack("kills", 250),
    Attack("disks", 250),
    Attack("entries", 2500),
    Attack("files", 300),
    Attack("pictures", 30000),
    Attack("replicas", 40),
)


def main(arguments: list[str] | None = None) -> int:
    """Run what the command line names and say what each attack found."""
    names = [one.name for one in ATTACKS]
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--count", type=int, help="how many things each attack tries")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31))
    options = parser.parse_args(arguments)
    unknown = set(options.names) - set(names)
    if unknown:
        parser.error(f"no such attack: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    found = 0
    for one in ATTACKS:
        if options.names and one.name not in options.names:
            continue
        found += report(one, options.count or one.minute, options.seed)
    return 1 if found else 0


def report(one: Attack, count: int, seed: int) -> int:
    """Run one attack, print its line and what it found, and say how much that is."""
    begin = time.monotonic()
    lines = one.run(count, seed)
    seconds = time.monotonic() - begin
    print(f"{one.name}: {count} tried with seed {seed} in {seconds:.0f} s, {len(lines)} found")
    for line in lines:
        print(f"  {line}")
    sys.stdout.flush()
    return len(lines)


if __name__ == "__main__":
    sys.exit(main())
