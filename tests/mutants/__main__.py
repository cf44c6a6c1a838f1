"""Changes the library at random, one line at a time, and tells which change no test noticed.

    python -m tests.mutants [--count 300] [--seed S]

A copy of the tree is changed. First one run of all tests under coverage finds out which tests run
each line (it is kept in build/, and made anew where the library has changed); then each change is
shown to the quickest of those that run its line, and to the tests of the folder of the same name
where there are none. Some changes alter nothing that can be seen: the list is for people.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .changes import Change, chosen
from .nearest import Nearest

ROOT = Path(__file__).parents[2]
LIMIT = 240  # seconds for the tests of one change: some never end


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31))
    parser.add_argument("--tests", type=int, default=60, help="how many see each change")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        nearest = Nearest(ROOT, copy)
        unnoticed = 0
        for number, change in enumerate(chosen(options.count, options.seed, copy)):
            began = time.monotonic()
            tests = nearest.of(change, options.tests)
            noticed = is_noticed(change, tests, copy)
            unnoticed += not noticed
            word = "noticed" if noticed else "UNNOTICED"
            seconds = time.monotonic() - began
            print(f"{number:4} {word} {change} [{len(tests)} tests, {seconds:.0f} s]", flush=True)
    print(f"{options.count} changes with seed {options.seed}: {unnoticed} unnoticed")
    return 0


def copied(folder: Path) -> Path:
    """The tree without environments, to be changed."""
    copy = folder / "tree"
    ignored = shutil.ignore_patterns(".venv*", ".git", "__pycache__", "build", ".hypothesis")
    shutil.copytree(ROOT, copy, ignore=ignored)
    return copy


def is_noticed(change: Change, tests: list[str], root: Path) -> bool:
    """Whether a test fails, or does not end, with the change."""
    path = root / change.file
    source = path.read_bytes()
    path.write_bytes(change.applied(source))
    try:
        return run(root, ["-x", *tests]) != 0
    finally:
        path.write_bytes(source)


def run(root: Path, arguments: list[str]) -> int:
    """Pytest's exit status, in a process that compiles everything anew and ends in time."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = os.environ | {
        "PYTHONPATH": str(root / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",  # the next change may have the same size and second
        "TENSORMILL_CACHE": "0",
    }
    try:
        return subprocess.run(
            command, cwd=root, env=environment, timeout=LIMIT, capture_output=True, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return 1


if __name__ == "__main__":
    sys.exit(main())
