"""A part of the cases of tests that are dear: what `make test` runs at each commit.

    python -m pytest --cases=some
    python -m pytest --cases=few

A test that is marked `sampled` makes one claim of many cases, each of which takes LLVM, XLA or a
process some tenths of a second. `sampled(among="examples")` says what other tests, which take as
long, are cases of together; a file that is marked as a whole, since its tests ask one process, is
one case. With `--cases=some` every such test runs with a sixteenth of them. The commit chooses, so
that all are run within some tens of commits, and whoever has a commit's name can run again what ran
there. Where Hypothesis draws the cases, at each run others, it draws a sixteenth as many. Every
other test runs with all its cases, and without the option all do. With `--cases=few` every test
that has cases runs with a sixteenth of them, marked or not: other Pythons are asked every claim at
a commit, about a part of what it is about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pytest

from tests.commits import head, lot

# One case of so many runs at a commit.
PART = 16
ALL, SOME, FEW = "all", "some", "few"


def add_option(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cases", default=ALL, metavar="all|some|few|some:COMMIT", type=chosen,
        help="a sixteenth of the cases: of tests marked as sampled, or of every one (default: all)",
    )  # fmt: skip


def chosen(text: str) -> str:
    """What was asked for, with the commit that chooses; workers are told it, and need no git."""
    which, _, commit = text.partition(":")
    if which in (SOME, FEW):
        return f"{which}:{commit or head()}"
    if text == ALL:
        return ALL
    raise ValueError(f"expected all, some, few or some:COMMIT, got {text!r}")


def left_out(cases: str, items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """The cases that do not run: of each sampled test all but a sixteenth, and never all."""
    which, _, commit = cases.partition(":")
    if which == ALL:
        return set()
    claims: dict[str, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        if which == FEW or is_sampled(item):
            claim, case = case_of(item)
            claims[claim][case].append(item)
    return {
        item
        for its_cases in claims.values()
        for case in sorted(its_cases, key=lambda name: lot(commit, name))[
            -(-len(its_cases) // PART) :
        ]
        for item in its_cases[case]
    }


def case_of(item: pytest.Item) -> tuple[str, str]:
    """What an item is a case of, and the case: an item, or a file that is marked as a whole."""
    for node, mark in item.iter_markers_with_node("sampled"):
        if claim := mark.kwargs.get("among"):
            return claim, node.nodeid
    return item.nodeid.partition("[")[0], item.nodeid


def is_sampled(item: pytest.Item) -> bool:
    return item.get_closest_marker("sampled") is not None


def draw_fewer(cases: str, items: Sequence[pytest.Item]) -> None:
    """Have tests that draw their cases draw a sixteenth as many: all, or those that are sampled by
    themselves, each of which has no other cases.
    """
    which = cases.partition(":")[0]
    if which == ALL:
        return
    from hypothesis import settings

    for item in items:
        test: Any = getattr(item, "obj", None)
        drawn = getattr(test, "_hypothesis_internal_use_settings", None)
        is_wanted = which == FEW or (is_sampled(item) and case_of(item)[0] == item.nodeid)
        if drawn and is_wanted and "[" not in item.nodeid:
            fewer = settings(drawn, max_examples=-(-drawn.max_examples // PART))
            test._hypothesis_internal_use_settings = fewer


def summary(cases: str) -> str:
    """How to run again what ran, and how to run the rest."""
    which, _, commit = cases.partition(":")
    tests = "all tests" if which == FEW else "tests marked as sampled"
    return (
        f"Of {tests} a sixteenth of the cases ran, chosen by commit {commit}:\n"
        f"these again: pytest --cases={cases}; every case: make test-all"
    )
