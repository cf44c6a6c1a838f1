"""Which tests see which change, and the process in which they do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from .changes import Change
from .nearest import Nearest


@dataclass(frozen=True)
class Row:
    """A change, whether it takes a process of its own, and the tests that it is shown to."""

    number: int
    change: Change
    anew: bool
    tests: list[str]


@dataclass(frozen=True)
class Plan:
    """What is shown to whom."""

    rows: tuple[Row, ...]

    @classmethod
    def of(cls, changes: Sequence[Change], nearest: Nearest, first: int) -> Plan:
        rows = (
            Row(number, change, nearest.runs_at_import(change), nearest.of(change))
            for number, change in enumerate(changes, first)
        )
        return cls(tuple(rows))

    def run(self, root: Path) -> int:
        """Pytest's exit status; the outcomes are printed."""
        path = root / "plan.jsonl"
        path.write_text("".join(json.dumps(asdict(row), default=str) + "\n" for row in self.rows))
        environment = os.environ | {
            "PYTHONPATH": f"{root / 'src'}:{root}",
            "TENSORMILL_CACHE": "0",
            "PLAN": str(path),
        }
        plugins = ["-p", "tests.mutants.forks", "-p", "no:cacheprovider"]
        command = [sys.executable, "-m", "pytest", "-q", "-s", *plugins, *self._tests()]
        return subprocess.run(command, cwd=root, env=environment, check=False).returncode

    def _tests(self) -> list[str]:
        """The files, since a command may not be as long as all names."""
        names = {test.partition("::")[0]: None for row in self.rows for test in row.tests}
        return list(names)
