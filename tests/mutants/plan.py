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
class Plan:
    """Numbered changes with the tests that each is shown to."""

    rows: tuple[tuple[int, Change, list[str]], ...]

    @classmethod
    def of(cls, changes: Sequence[Change], nearest: Nearest, first: int) -> Plan:
        numbered = enumerate(changes, first)
        return cls(tuple((number, change, nearest.of(change)) for number, change in numbered))

    def run(self, root: Path) -> int:
        """Pytest's exit status; the outcomes are printed."""
        path = root / "plan.jsonl"
        rows = ((number, _fields(change), tests) for number, change, tests in self.rows)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
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
        names = {test.partition("::")[0]: None for _, _, tests in self.rows for test in tests}
        return list(names)


def _fields(change: Change) -> dict[str, str | int]:
    return asdict(change) | {"file": str(change.file)}
