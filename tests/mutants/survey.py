"""Runs of the tests under coverage, kept in build/: a test runs again when its text has changed."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .forward import bring_forward

# Whole programs, and tests that start processes or measure memory: too slow to ask.
LEFT_OUT = ("attack", "bench", "cli", "examples", "fuzz", "mutants", "programs", "robust")


def surveyed(root: Path, copy: Path) -> Path:
    """The folder with what is known of this tree. The first time takes as long as two test runs."""
    folder = root / "build" / "survey"
    folder.mkdir(parents=True, exist_ok=True)
    complete = folder / "complete"
    files = _files(copy)
    if complete.exists():
        files = [one for one in files if _text(folder / "sources" / one) != _text(copy / one)]
    complete.unlink(missing_ok=True)
    _bring_forward(folder, copy)
    if files:
        _survey(folder, copy, files)
    complete.touch()
    return folder


def _bring_forward(folder: Path, tree: Path) -> None:
    """Tell what is known in the lines of this tree, and forget the tests that have changed."""
    sources, notes = folder / "sources", folder / "tests.jsonl"
    kept: list[str] = []
    if sources.exists():
        kept = lasting(notes.read_text().splitlines(keepends=True), sources, tree)
        tests = {json.loads(line)[0] for line in kept}
        bring_forward(folder / "coverage.data", sources, tree, tests)
        shutil.rmtree(sources)
    notes.write_text("".join(kept))
    for part in ("src", "tests"):
        shutil.copytree(tree / part, sources / part, ignore=shutil.ignore_patterns("*.pyc"))


def lasting(notes: Sequence[str], before: Path, now: Path) -> list[str]:
    """The notes on tests that are written as they were."""
    tests = [str(json.loads(line)[0]) for line in notes]
    files = {test.partition("::")[0] for test in tests}
    same = {one: _same(_text(before / one), _text(now / one)) for one in files}
    return [
        line
        for line, test in zip(notes, tests, strict=True)
        if test.partition("::")[2].partition("[")[0].partition("::")[0]
        in same[test.partition("::")[0]]
    ]


def _same(before: str | None, now: str | None) -> set[str]:
    """The names of functions and classes that two texts define alike."""
    if before is None or now is None:
        return set()
    left, right = _definitions(before), _definitions(now)
    return {name for name, text in left.items() if right.get(name) == text}


def _definitions(text: str) -> dict[str, str]:
    return {
        one.name: ast.unparse(one)
        for one in ast.parse(text).body
        if isinstance(one, ast.FunctionDef | ast.ClassDef)
    }


def _survey(folder: Path, root: Path, files: list[str]) -> None:
    data = f"--data-file={folder / 'coverage.data'}"
    measure = ["coverage", "run", "--append", data, "--source=src/tensormill"]
    tests = ["pytest", "-q", "-p", "tests.mutants.contexts", *files]
    path = {"PYTHONPATH": f"{root / 'src'}:{root}", "SURVEY": str(folder)}
    command = [sys.executable, "-m", *measure, "-m", *tests]
    subprocess.run(command, cwd=root, env=os.environ | path, check=False)


def _files(root: Path) -> list[str]:
    """The files of tests that a change may be shown to."""
    found = (one.relative_to(root) for one in sorted((root / "tests").rglob("test_*.py")))
    return [str(one) for one in found if one.parts[1] not in LEFT_OUT]


def _text(file: Path) -> str | None:
    return file.read_text() if file.exists() else None
