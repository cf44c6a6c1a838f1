"""A survey of an earlier tree, told in the lines and the names of this one.

A line that was not there has run where those that it took the place of had, or the one above it.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Container, Mapping
from difflib import SequenceMatcher
from pathlib import Path

LIKE = 0.3  # of a new file's lines, those that must stand in the file that it was made of

Rows = list[tuple[int, int]]  # a test's number, and the lines that it runs, as bits


def bring_forward(data: Path, before: Path, now: Path, tests: Container[str]) -> None:
    """Rewrite what these tests ran, measured in a tree like `before`, for the tree `now`."""
    old, new = _sources(before), _sources(now)
    with sqlite3.connect(data) as connection:
        rows = _rows_by_file(connection, tests)
        connection.execute("delete from line_bits")
        connection.execute("delete from file")
        for number, (name, lines) in enumerate(new.items(), 1):
            file = connection.execute(
                "insert into file (id, path) values (?, ?)", (number, str(now / name))
            )
            origin = name if name in old else made_of(lines, old)
            if origin is not None:
                told = _moved(rows.get(origin, []), origins(old[origin], lines))
                connection.executemany(
                    "insert into line_bits (file_id, context_id, numbits) values (?, ?, ?)",
                    ((file.lastrowid, context, _bytes(bits)) for context, bits in told if bits),
                )


def origins(before: list[str], now: list[str]) -> list[int]:
    """For each line of `now` the lines of `before`, as bits, that tell whether it runs."""
    found = [0]  # lines count from one
    for kind, i, j, k, m in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if kind == "equal":
            found += [1 << line for line in range(i + 1, j + 1)]
        elif kind == "replace":
            found += [sum(1 << line for line in range(i + 1, j + 1))] * (m - k)
        else:
            found += [1 << i if i else 0] * (m - k)
    return found


def made_of(lines: list[str], files: Mapping[str, list[str]]) -> str | None:
    """The file that most of these lines come from; None where they are new."""
    wanted = _telling(lines)
    shared = {name: (wanted & _telling(other)).total() for name, other in files.items()}
    best = max(shared, key=lambda name: shared[name], default=None)
    return best if best is not None and shared[best] > LIKE * wanted.total() else None


def _telling(lines: list[str]) -> Counter[str]:
    """Without what every file says."""
    return Counter(one for one in lines if len(one.strip()) > 8 and "import" not in one)


def _moved(rows: Rows, lines: list[int]) -> Rows:
    known: dict[int, int] = {}
    for bits in {bits for _, bits in rows}:
        known[bits] = sum(1 << line for line, old in enumerate(lines) if old & bits)
    return [(context, known[bits]) for context, bits in rows]


def _rows_by_file(data: sqlite3.Connection, tests: Container[str]) -> dict[str, Rows]:
    """Also what ran before the first test."""
    names = {key: _name(path) for key, path in data.execute("select id, path from file")}
    contexts = data.execute("select id, context from context")
    wanted = {key for key, test in contexts if not test or test in tests}
    found: dict[str, Rows] = {}
    for file, context, bits in data.execute("select file_id, context_id, numbits from line_bits"):
        if context in wanted:
            found.setdefault(names[file], []).append((context, int.from_bytes(bits, "little")))
    return found


def _sources(root: Path) -> dict[str, list[str]]:
    files = sorted((root / "src").rglob("*.py"))
    return {str(one.relative_to(root)): one.read_text().splitlines() for one in files}


def _name(path: str) -> str:
    return "src/tensormill/" + path.partition("/src/tensormill/")[2]


def _bytes(bits: int) -> bytes:
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little")
