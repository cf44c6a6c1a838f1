"""A pytest plugin: what coverage measures is noted down under the test that runs.

Coverage's own `dynamic_context` asks at every call whether a test begins: four times as slow. What
each test cost, whether it passed and whether it started processes is a line of `tests.jsonl`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import coverage
import pytest

STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"}


class Survey:
    """What each test is seen to do."""

    def __init__(self, path: Path) -> None:
        self._known = {json.loads(line)[0] for line in path.read_text().splitlines()}
        self._file = path.open("a", buffering=1)  # a survey that is cut short is of use, too
        self._trace = sys.gettrace()
        self._begin("")
        sys.addaudithook(self._see)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid not in self._known]

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._begin(item.nodeid)
        sys.settrace(self._trace)  # a debugger that was tested took its place
        if (measuring := coverage.Coverage.current()) is not None:
            measuring.switch_context(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds += report.duration
        self._passed &= report.passed
        if report.when == "teardown":
            seen = [self._test, round(self._seconds, 4), self._passed, self._processes]
            self._file.write(json.dumps(seen) + "\n")

    def pytest_unconfigure(self) -> None:
        self._file.close()

    def _begin(self, test: str) -> None:
        self._test, self._seconds, self._passed, self._processes = test, 0.0, True, False

    def _see(self, event: str, _: object) -> None:
        self._processes |= event in STARTS


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Survey(Path(os.environ["SURVEY"]) / "tests.jsonl"))
