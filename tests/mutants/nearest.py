"""Which tests run a line of the library: asked of coverage, once for every state of the tree."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from coverage import CoverageData

from .changes import Change

# Whole programs, and tests that start processes or measure memory: too slow to ask.
LEFT_OUT = ("tests/bench", "tests/examples", "tests/robust", "tests/attack", "tests/cli")


class Nearest:
    """The tests that run each line, the quickest first."""

    def __init__(self, root: Path, copy: Path) -> None:
        self._copy = copy
        kept = root / "build" / f"coverage-{_digest(copy)}.json"
        if not kept.exists():
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(json.dumps(_surveyed(copy)))
        self._lines: dict[str, dict[str, list[str]]] = json.loads(kept.read_text())

    def of(self, change: Change, most: int) -> list[str]:
        """At most so many tests, spread over all that run the line."""
        tests = self._lines.get(str(change.file), {}).get(str(change.line), [])
        if not tests:
            return [_folder_of(change.file, self._copy)]
        step = max(1, len(tests) // most)
        return tests[::step][:most]


def _digest(root: Path) -> str:
    digest = hashlib.sha256()
    for folder in ("src", "tests"):
        for file in sorted((root / folder).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _folder_of(file: Path, root: Path) -> str:
    """The folder of tests with the name of the library's folder."""
    for folder in file.parts[2:-1]:
        if (root / "tests" / folder).is_dir():
            return f"tests/{folder}"
    return "tests/behaviours"


def _surveyed(root: Path) -> dict[str, dict[str, list[str]]]:
    """By file and line: the tests that run it. Takes as long as two runs of the suite."""
    data = root / "coverage.data"
    left_out = [f"--ignore={one}" for one in LEFT_OUT]
    measure = ["coverage", "run", f"--data-file={data}", "--source=src/tensormill"]
    tests = ["pytest", "-q", "-p", "tests.mutants.contexts", *left_out]
    command = [sys.executable, "-m", *measure, "-m", *tests]
    environment = os.environ | {"PYTHONPATH": f"{root / 'src'}:{root}"}
    subprocess.run(command, cwd=root, env=environment, check=False)
    return _by_line(data, root)


def _by_line(data: Path, root: Path) -> dict[str, dict[str, list[str]]]:
    measured = CoverageData(str(data))
    measured.read()
    found: dict[str, dict[str, list[str]]] = {}
    for file in measured.measured_files():
        lines = measured.contexts_by_lineno(file)
        found[os.path.relpath(file, root)] = {
            str(line): sorted(filter(None, contexts)) for line, contexts in lines.items()
        }
    return found
