"""Changes the library at random, one line at a time, and tells which change no test noticed.

    python -m tests.mutants [--count 300] [--skip 0] [--seed S]

A copy of the tree is changed. First a run of most tests under coverage finds out which tests run
each line. It is kept in build/ and follows the lines of the library: later only tests that are new
or have changed run. Then each change is shown to the most telling of the tests that run its
line. A line that no test runs is told at once: perhaps a test runs it in a process of its own. Some
changes alter nothing that can be seen: the list is for people.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from pathlib import Path

from .changes import chosen
from .nearest import Nearest
from .plan import Plan
from .survey import surveyed

ROOT = Path(__file__).parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--skip", type=int, default=0, help="leave out the first: seen before")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        changes = chosen(options.skip + options.count, options.seed, copy)[options.skip :]
        plan = Plan.of(changes, Nearest(surveyed(ROOT, copy), copy), options.skip)
        print(f"{len(changes)} changes with seed {options.seed}", flush=True)
        return plan.run(copy)


def copied(folder: Path) -> Path:
    """The tree without environments, to be changed; its compiled files save compiling them."""
    copy = folder / "tree"
    ignored = shutil.ignore_patterns(".venv*", ".git", "build", ".hypothesis")
    shutil.copytree(ROOT, copy, ignore=ignored)
    return copy


if __name__ == "__main__":
    sys.exit(main())
