"""One run of the tests under coverage: kept in build/, made anew where the library has changed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

# Whole programs, and tests that start processes or measure memory: too slow to ask.
LEFT_OUT = ("attack", "bench", "cli", "examples", "fuzz", "mutants", "programs", "robust")


def surveyed(root: Path, copy: Path) -> Path:
    """The folder with what a survey of this tree has found. Takes as long as two test runs."""
    folder = root / "build" / f"survey-{_digest(copy)}"
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _survey(folder, copy)
        (folder / "complete").touch()
    return folder


def _survey(folder: Path, root: Path) -> None:
    data = f"--data-file={folder / 'coverage.data'}"
    left_out = [f"--ignore=tests/{one}" for one in LEFT_OUT]
    measure = ["coverage", "run", data, "--source=src/tensormill"]
    tests = ["pytest", "-q", "-p", "tests.mutants.contexts", *left_out]
    path = {"PYTHONPATH": f"{root / 'src'}:{root}", "SURVEY": str(folder)}
    command = [sys.executable, "-m", *measure, "-m", *tests]
    subprocess.run(command, cwd=root, env=os.environ | path, check=False)


def _digest(root: Path) -> str:
    digest = hashlib.sha256()
    for folder in ("src", "tests"):
        for file in sorted((root / folder).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
