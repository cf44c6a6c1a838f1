"""Which tests a change is shown to: those that run its line, then those that run lines beside it.

The most telling come first: they are quick, and run lines of the changed file that few others run.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .changes import Change
from .places import place_of

SECONDS = 20.0  # what the tests of one change may take, as measured under coverage
MOST = 60
ENOUGH = 20  # tests that run the line itself: others are not asked
# What collecting a file of tests costs.
A_FILE = 0.2
KERAS = 3.0


@dataclass(frozen=True)
class Test:
    """A test that passes without changes."""

    name: str
    seconds: float
    processes: bool

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]

    @property
    def function(self) -> str:
        return self.name.partition("[")[0]


class Nearest:
    """What a survey tells about the tests of a tree."""

    def __init__(self, survey: Path, root: Path) -> None:
        self._root = root
        self._data = sqlite3.connect(survey / "coverage.data")
        self._tests = _passing(survey / "tests.jsonl", self._data)
        self._files = {
            str(Path(path).relative_to(_tree(path))): key
            for key, path in self._data.execute("select id, path from file")
        }

    def of(self, change: Change) -> list[str]:
        """The tests to run in this order; none where no test runs the line."""
        lines = self._lines_by_context(str(change.file))
        wanted = self._by_nearness(change, lines)
        if not wanted:
            return []
        choice = Choice(self._root)
        for contexts in wanted:
            if len(choice.tests) < ENOUGH:
                choice.add(self._most_telling(contexts, lines))
        return choice.by_file()

    def runs_at_import(self, change: Change) -> bool:
        """Whether the line ran before the first test: who imported it cannot run it again."""
        lines = self._lines_by_context(str(change.file))
        names = dict(self._data.execute("select id, context from context"))
        return any(not names[one] for one in _running(lines, [change.line]))

    def _by_nearness(self, change: Change, lines: dict[int, int]) -> list[set[int]]:
        """Contexts that run the line, the function, the file: none where the line never runs."""
        place = place_of(change.line, (self._root / change.file).read_bytes())
        within_file = set(lines)
        if place.function is None:
            return [within_file] if self._known(within_file) else []
        on_line = _running(lines, [change.line]) or _running(lines, place.statement)
        if not on_line:
            return []
        return [on_line, _running(lines, place.function), within_file]

    def _most_telling(self, contexts: set[int], lines: dict[int, int]) -> list[Test]:
        """The best of each parametrised test first, then the second best of each..."""

        rare = _rareness(lines.values())

        def tells(context: int) -> float:
            return rare[lines[context]] / (self._tests[context].seconds + 0.05) ** 0.5

        known = self._known(contexts)
        alone = [one for one in known if not self._tests[one].processes]
        ranked = sorted(alone or known, key=tells, reverse=True)
        seen: Counter[str] = Counter()
        turns: list[tuple[int, Test]] = []
        for test in (self._tests[one] for one in ranked):
            turns.append((seen[test.function], test))
            seen[test.function] += 1
        return [test for _, test in sorted(turns, key=lambda turn: turn[0])]

    def _known(self, contexts: Iterable[int]) -> list[int]:
        return [one for one in sorted(contexts) if one in self._tests]

    def _lines_by_context(self, file: str) -> dict[int, int]:
        """The lines of a file that run, as bits, by the number of the test."""
        query = "select context_id, numbits from line_bits where file_id = ?"
        rows = self._data.execute(query, [self._files.get(file, -1)])
        return {context: int.from_bytes(bits, "little") for context, bits in rows}


class Choice:
    """Tests within the limits, few files of them."""

    def __init__(self, root: Path) -> None:
        self.tests: list[Test] = []
        self._seconds = 0.0
        self._root = root

    def add(self, tests: list[Test]) -> None:
        for test in tests:
            seconds = test.seconds + self._to_collect(test.file)
            if len(self.tests) < MOST and self._may_take(seconds) and test not in self.tests:
                self.tests.append(test)
                self._seconds += seconds

    def by_file(self) -> list[str]:
        """Names, the file of the most telling test first."""
        files = list(dict.fromkeys(test.file for test in self.tests))
        ordered = sorted(self.tests, key=lambda test: files.index(test.file))
        return [test.name for test in ordered]

    def _may_take(self, seconds: float) -> bool:
        return not self.tests or self._seconds + seconds <= SECONDS

    def _to_collect(self, file: str) -> float:
        if any(test.file == file for test in self.tests):
            return 0.0
        return KERAS if "keras" in (self._root / file).read_text() else A_FILE


def _rareness(patterns: Iterable[int]) -> dict[int, float]:
    """How much lines, as bits, say about a test: each the more the fewer tests run it."""
    tests = Counter(patterns)
    runs: Counter[int] = Counter()
    for bits, count in tests.items():
        runs.update({line: count for line in _lines(bits)})
    return {bits: sum(1 / runs[line] for line in _lines(bits)) for bits in tests}


def _lines(bits: int) -> Iterator[int]:
    return (line for line in range(bits.bit_length()) if bits >> line & 1)


def _running(lines: dict[int, int], wanted: Iterable[int]) -> set[int]:
    mask = sum(1 << line for line in wanted)
    return {context for context, bits in lines.items() if bits & mask}


def _passing(path: Path, data: sqlite3.Connection) -> dict[int, Test]:
    """By the number of the test in coverage's data."""
    numbers = {name: key for key, name in data.execute("select id, context from context")}
    seen = [json.loads(line) for line in path.read_text().splitlines()]
    return {
        numbers[name]: Test(name, seconds, processes)
        for name, seconds, passed, processes in seen
        if passed and name in numbers
    }


def _tree(path: str) -> str:
    """The folder that holds the `src` of a measured file."""
    return path.partition("/src/tensormill/")[0]
