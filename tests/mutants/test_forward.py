"""What a survey of an earlier tree tells about this one."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from .forward import bring_forward, made_of, origins
from .survey import lasting

OLD = ["one = 1", "two = 2", "three = 3"]


def _lines(bits: list[int]) -> list[list[int]]:
    """Of each line, those that it comes from."""
    return [[line for line in range(one.bit_length()) if one >> line & 1] for one in bits[1:]]


def test_lines_follow_what_is_written_above_them() -> None:
    assert _lines(origins(OLD, ["new", *OLD])) == [[], [1], [2], [3]]


def test_a_new_line_runs_where_the_one_above_it_does() -> None:
    assert _lines(origins(OLD, ["one = 1", "new", "two = 2", "three = 3"])) == [[1], [1], [2], [3]]


def test_a_changed_line_runs_where_what_it_replaces_did() -> None:
    assert _lines(origins(OLD, ["ONE", "TWO", "three = 3"])) == [[1, 2], [1, 2], [3]]


def test_a_file_is_known_again_under_another_name() -> None:
    body = ["def area(width, height):", "    return width * height"]
    files = {"shapes.py": [*body, "def other():"], "numbers.py": ["total = sum(numbers)"]}

    assert made_of([*body, "def perimeter():"], files) == "shapes.py"
    assert made_of(["nothing_of_this = exists"], files) is None


def test_what_tests_ran_is_told_in_new_lines_and_names(tmp_path: Path) -> None:
    before, now = tmp_path / "before", tmp_path / "now"
    _write(before, "src/tensormill/old.py", "first_value = 1\nsecond_value = 2\n")
    _write(now, "src/tensormill/new.py", "\nfirst_value = 1\nsecond_value = 2\n")
    data = _data(tmp_path, f"{before}/src/tensormill/old.py", {"": 1, "test_a": 2, "test_b": 1})

    bring_forward(data, before, now, {"test_a"})

    told = sqlite3.connect(data).execute(
        "select path, context, hex(numbits) from line_bits join file on file.id = file_id "
        "join context on context.id = context_id order by context"
    )
    file = str(now / "src/tensormill/new.py")
    assert told.fetchall() == [(file, "", f"{1 << 2:02X}"), (file, "test_a", f"{1 << 3:02X}")]


def test_a_test_runs_again_when_it_is_written_in_another_way(tmp_path: Path) -> None:
    before, now = tmp_path / "before", tmp_path / "now"
    _write(before, "tests/test_one.py", "def test_a(): ...\ndef test_b(): pass\nLIST = 1\n")
    _write(now, "tests/test_one.py", "# More.\ndef test_b(): return\n\ndef test_a(): ...\n")
    _write(before, "tests/test_gone.py", "def test_a(): ...\n")
    names = ["one.py::test_a[0]", "one.py::test_b", "one.py::test_a[1]", "gone.py::test_a"]
    notes = [json.dumps([f"tests/test_{one}", 0.1, True, False]) + "\n" for one in names]

    assert [notes[0], notes[2]] == lasting(notes, before, now)


def _write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def _data(folder: Path, file: str, lines: dict[str, int]) -> Path:
    """As coverage writes it: the line that each test ran."""
    path = folder / "coverage.data"
    with sqlite3.connect(path) as data:
        data.executescript(
            "create table file (id integer primary key, path);"
            "create table context (id integer primary key, context);"
            "create table line_bits (file_id, context_id, numbits);"
        )
        data.execute("insert into file values (1, ?)", [file])
        for key, (test, line) in enumerate(lines.items(), 1):
            data.execute("insert into context values (?, ?)", [key, test])
            bits = (1 << line).to_bytes(1, "little")
            data.execute("insert into line_bits values (1, ?, ?)", [key, bits])
    return path
