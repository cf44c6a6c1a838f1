"""Runs of the tests under coverage, kept in build/: a test runs again when its file has changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from .forward import bring_forward

# Whole programs, and tests that start processes or measure memory: too slow to ask.
LEFT_OUT = ("attack", "bench", "cli", "examples", "fuzz", "mutants", "programs", "robust")


def surveyed(root: Path, copy: Path) -> Path:
    """The folder with what is known of this tree. The first time takes as long as two test runs."""
    folder = root / "build" / "survey"
    folder.mkdir(parents=True, exist_ok=True)
    seen = _forwarded(folder, copy)
    if unseen := [one for one in _files(copy) if one not in seen]:
        (folder / "complete").unlink(missing_ok=True)
        _survey(folder, copy, unseen)
        (folder / "complete").touch()
    return folder


def _forwarded(folder: Path, tree: Path) -> set[str]:
    """Tell what is known in the lines of this tree; the files of tests that need not run again."""
    sources, notes = folder / "sources", folder / "tests.jsonl"
    kept = []
    if sources.exists():
        kept = lasting(notes, sources, tree, (folder / "complete").exists())
        tests = {json.loads(line)[0] for line in kept}
        bring_forward(folder / "coverage.data", sources, tree, tests)
        shutil.rmtree(sources)
    notes.write_text("".join(kept))
    for part in ("src", "tests"):
        shutil.copytree(tree / part, sources / part, ignore=shutil.ignore_patterns("*.pyc"))
    return {_file(line) for line in kept}


def lasting(notes: Path, before: Path, now: Path, complete: bool) -> list[str]:
    """The notes on tests whose files are the same: a survey cut short left its last file open."""
    lines = notes.read_text().splitlines(keepends=True)
    files = list(dict.fromkeys(map(_file, lines)))
    closed = files if complete else files[:-1]
    same = {one for one in closed if _text(before / one) == _text(now / one)}
    return [line for line in lines if _file(line) in same]


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


def _file(line: str) -> str:
    return str(json.loads(line)[0]).partition("::")[0]


def _text(file: Path) -> str | None:
    return file.read_text() if file.exists() else None
