"""A part of the cases of tests that are dear: what `make test` runs at each commit.

    python -m pytest --cases=some

A test that is marked `sampled` makes one claim of many cases, each of which takes LLVM, XLA or a
process some tenths of a second. With `--cases=some` every such test runs with a sixth of them. The
commit chooses, so that all are run within some tens of commits, and whoever has a commit's name can
run again what ran there. Every other test runs with all its cases, and without the option all do.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

# One case of so many runs at a commit.
PART = 6
ALL, SOME = "all", "some"


def add_option(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cases", default=ALL, metavar="all|some|some:COMMIT", type=chosen,
        help="which cases of tests that are marked as sampled run (default: all)",
    )  # fmt: skip


def chosen(text: str) -> str:
    """What was asked for, with the commit that chooses; workers are told it, and need no git."""
    which, _, commit = text.partition(":")
    if which == SOME:
        return f"{SOME}:{commit or head()}"
    if text == ALL:
        return ALL
    raise ValueError(f"expected all, some or some:COMMIT, got {text!r}")


def head() -> str:
    """The name of the commit that is checked out; "none" in sources without a history."""
    asked = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"],
        cwd=Path(__file__).parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return asked.stdout.strip() or "none"


def left_out(cases: str, items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """The cases that do not run: of each sampled test all but a sixth, and never all."""
    if cases == ALL:
        return set()
    claims: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            claims[item.nodeid.partition("[")[0]].append(item)
    commit = cases.partition(":")[2]
    return {
        item
        for its_cases in claims.values()
        for item in sorted(its_cases, key=lambda item: lot(commit, item.nodeid))[
            -(-len(its_cases) // PART) :
        ]
    }


def lot(commit: str, name: str) -> bytes:
    """What a case draws at a commit: nothing that other cases, or the order of files, change."""
    return hashlib.blake2b(f"{commit} {name}".encode(), digest_size=8).digest()


def summary(cases: str) -> str:
    """How to run again what ran, and how to run the rest."""
    commit = cases.partition(":")[2]
    return (
        f"Of tests marked as sampled a sixth of the cases ran, chosen by commit {commit}:\n"
        f"these again: pytest --cases=some:{commit}; every case: make test-all"
    )
