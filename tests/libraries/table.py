"""The table of docs/libraries.md: one row for each library."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tests.environments import ROOT

from .catalogue import LIBRARIES, Library
from .outcomes import Outcome, reason

PAGE: Final = ROOT / "docs" / "libraries.md"
HEAD: Final = "| library | version | passed, of those that pass on TensorFlow | what is missing |"


def row(library: Library, outcome: Outcome) -> str:
    whole = len(outcome.passed) + len(outcome.failed)
    counts = f"{len(outcome.passed)} of {whole}"
    cells = (f"`{library.name}`", library.version, counts, "; ".join(remarks(library, outcome)))
    return f"| {' | '.join(cells)} |"


def remarks(library: Library, outcome: Outcome) -> list[str]:
    """Why tests fail, and how many each; what fails on both sides; what else is to be known."""
    unknown = "not looked into yet"
    reasons = Counter(reason(name, library.lacking) or unknown for name in outcome.failed)
    missing = [f"{why} ({count})" for why, count in reasons.items()]
    there = len(outcome.fails_there)
    both = [f"{there} more on neither"] if there else []
    return [*missing, *both, *([library.note] if library.note else [])]


def write(outcomes: dict[str, Outcome]) -> None:
    """Put the rows of these libraries into the page; the others stay as they are."""
    before, head, rest = PAGE.read_text().partition(HEAD)
    assert head, f"{PAGE} has no table"
    rule, *lines = rest.removeprefix("\n").split("\n")
    old = [line for line in lines if line.startswith("|")]
    after = lines[len(old) :]
    kept = {line.split("`")[1]: line for line in old}
    kept |= {one.name: row(one, outcomes[one.name]) for one in LIBRARIES if one.name in outcomes}
    rows = [kept[one.name] for one in LIBRARIES if one.name in kept]
    PAGE.write_text(before + "\n".join([head, rule, *rows, *after]))
