"""Which tests a change is shown to."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from . import nearest
from .changes import Change
from .nearest import Nearest

FILE = "src/tensormill/one.py"
SOURCE = "LIMIT = 3\ndef one():\n    a = 1\n    b = 2\ndef two():\n    c = 3\n    d = 4\n"
OTHER = "src/tensormill/other.py"
FILES = (FILE, OTHER)


@pytest.fixture
def survey(tmp_path: Path) -> Survey:
    return Survey(tmp_path)


class Survey:
    """A tree of one file, and what tests were seen to do in it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._data = sqlite3.connect(root / "coverage.data")
        self._data.executescript(
            "create table file (id integer primary key, path);"
            "create table context (id integer primary key, context);"
            "create table line_bits (file_id, context_id, numbits);"
        )
        for key, file in enumerate(FILES):
            self._data.execute("insert into file values (?, ?)", (key, str(root / file)))
        self._tests: list[str] = []
        for file, source in ((FILE, SOURCE), ("tests/test_a.py", ""), ("tests/test_b.py", "")):
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(source)

    def saw(
        self,
        name: str,
        lines: set[int],
        file: str = FILE,
        seconds: float = 0.1,
        passed: bool = True,
        processes: bool = False,
    ) -> None:
        test = f"tests/{name}" if name else ""
        row = self._data.execute("insert into context (context) values (?)", [test]).lastrowid
        bits = sum(1 << line for line in lines).to_bytes(2, "little")
        key = FILES.index(file)
        self._data.execute("insert into line_bits values (?, ?, ?)", (key, row, bits))
        if name:
            self._tests.append(json.dumps([test, seconds, passed, processes]))

    def nearest(self, line: int) -> list[str]:
        found = self._told().of(_change(line))
        return [test.removeprefix("tests/") for test in found]

    def runs_at_import(self, line: int) -> bool:
        return self._told().runs_at_import(_change(line))

    def _told(self) -> Nearest:
        self._data.commit()
        (self._root / "tests.jsonl").write_text("\n".join(self._tests))
        return Nearest(self._root, self._root)


def _change(line: int) -> Change:
    return Change(Path(FILE), line, 0, 1, "", "")


def test_those_that_run_the_line_come_before_those_of_function_and_file(survey: Survey) -> None:
    survey.saw("test_a.py::file", {6})
    survey.saw("test_a.py::function", {4})
    survey.saw("test_a.py::line", {3, 4})
    survey.saw("test_a.py::elsewhere", {1}, OTHER)

    expected = ["test_a.py::line", "test_a.py::function", "test_a.py::file"]
    assert survey.nearest(3) == expected


def test_the_quick_ones_come_first(survey: Survey) -> None:
    survey.saw("test_a.py::slow", {3}, seconds=5.0)
    survey.saw("test_a.py::quick", {3})

    assert survey.nearest(3) == ["test_a.py::quick", "test_a.py::slow"]


def test_so_do_those_that_run_what_few_others_run(survey: Survey) -> None:
    survey.saw("test_a.py::usual", {3, 4})
    survey.saw("test_a.py::special", {3, 7})
    for k in range(3):
        survey.saw(f"test_a.py::others{k}", {3, 4})

    assert survey.nearest(3)[0] == "test_a.py::special"


def test_no_parametrised_test_takes_all_turns(survey: Survey) -> None:
    for k in range(3):
        survey.saw(f"test_a.py::many[{k}]", {3})
    survey.saw("test_a.py::one", {3}, seconds=0.2)

    expected = ["test_a.py::many[0]", "test_a.py::one", "test_a.py::many[1]", "test_a.py::many[2]"]
    assert survey.nearest(3) == expected


def test_tests_of_one_file_run_together(survey: Survey) -> None:
    survey.saw("test_a.py::one", {3}, seconds=0.1)
    survey.saw("test_b.py::two", {3}, seconds=0.2)
    survey.saw("test_a.py::three", {3}, seconds=0.3)

    assert survey.nearest(3) == ["test_a.py::one", "test_a.py::three", "test_b.py::two"]


def test_no_more_is_asked_than_there_is_time_for(survey: Survey) -> None:
    for k in range(5):
        survey.saw(f"test_a.py::many{k}", {3}, seconds=nearest.SECONDS / 3)

    assert len(survey.nearest(3)) == 2


def test_the_only_test_is_asked_however_slow(survey: Survey) -> None:
    survey.saw("test_a.py::slow", {3}, seconds=2 * nearest.SECONDS)

    assert survey.nearest(3) == ["test_a.py::slow"]


def test_failing_tests_tell_nothing(survey: Survey) -> None:
    survey.saw("test_a.py::failing", {3}, passed=False)

    assert survey.nearest(3) == []


def test_processes_are_started_only_where_nothing_else_helps(survey: Survey) -> None:
    survey.saw("test_a.py::process", {3, 6}, processes=True)
    survey.saw("test_a.py::plain", {3})

    assert survey.nearest(3) == ["test_a.py::plain"]
    assert survey.nearest(6) == ["test_a.py::process", "test_a.py::plain"]


def test_a_line_that_no_test_runs_has_none(survey: Survey) -> None:
    survey.saw("test_a.py::one", {4})

    assert survey.nearest(7) == []


def test_what_runs_at_import_is_shown_to_those_of_the_file(survey: Survey) -> None:
    survey.saw("", {1, 2, 5})
    survey.saw("test_a.py::one", {4})

    assert survey.nearest(1) == ["test_a.py::one"]


def test_what_ran_at_import_is_told(survey: Survey) -> None:
    survey.saw("", {1, 3})
    survey.saw("test_a.py::one", {3, 4})

    assert [survey.runs_at_import(line) for line in (3, 4)] == [True, False]
