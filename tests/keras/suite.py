"""Runs Keras's own tests, which come in its wheel, on tensormill."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from tensormill.config import settings
from tests.keras.optional import hiding

HERE = Path(__file__).parent
SOURCES = HERE.parents[1] / "src"
KNOWN = HERE / "known_failures.txt"


@dataclass
class Outcome:
    """Names of tests, `losses/losses_test.py::CircleTest::test_config`, by how they ended."""

    passed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    seconds: float = 0.0
    log: str = ""

    def unexpected(self, known: dict[str, str]) -> list[str]:
        return [name for name in self.failed if reason_for(name, known) is None]


def known_failures() -> dict[str, str]:
    """Names, or beginnings of names that end with `*`, and why these tests fail."""
    found: dict[str, str] = {}
    reason = ""
    for line in KNOWN.read_text().splitlines():
        if not line or line.startswith("#"):
            reason = line.removeprefix("# ")
        else:
            found[line] = reason
    return found


def reason_for(name: str, known: dict[str, str]) -> str | None:
    if name in known:
        return known[name]
    starts = (start for start in known if start.endswith("*") and name.startswith(start[:-1]))
    return next((known[start] for start in starts), None)


def unused(outcomes: Sequence[Outcome], known: dict[str, str]) -> list[str]:
    """Lines about files that ran, to which no test of them corresponds."""
    names = [n for one in outcomes for n in (*one.passed, *one.skipped, *one.failed)]
    files = {name.partition("::")[0] for name in names}
    return [
        line for line in known
        if line.partition("::")[0] in files
        and not any(reason_for(name, {line: ""}) is not None for name in names)
    ]  # fmt: skip


def keras_tests() -> Path:
    spec = find_spec("keras")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "src"


def run_suite(
    paths: Sequence[str], options: Sequence[str] = (), absent: Sequence[str] = ()
) -> Outcome:
    """Run the tests in folders or files below `keras/src`, in a process of their own.

    LLVM does there what it does here. The modules in `absent` cannot be imported.
    """
    root = keras_tests()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "conftest.py").write_text((HERE / "suite_conftest.py").read_text())
        (Path(folder) / "absent_modules.py").write_text(hiding(absent))
        options_file, report = Path(folder) / "pytest.ini", Path(folder) / "report.xml"
        options_file.write_text("[pytest]\n")
        command = [
            sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "conftest",
            "-p", "no:cacheprovider", "--continue-on-collection-errors", f"--rootdir={root}",
            "-c", str(options_file), f"--junit-xml={report}", *options,
            *(str(root / path) for path in paths),
        ]  # fmt: skip
        environment = os.environ | {
            "KERAS_BACKEND": "tensorflow",
            "PYTHONPATH": os.pathsep.join([str(SOURCES), folder]),
            "TENSORMILL_EFFORT": str(settings.effort),
        }
        finished = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if not report.exists():
            raise RuntimeError(finished.stdout + finished.stderr)
        return outcome_of(report, finished.stdout)


def outcome_of(report: Path, log: str) -> Outcome:
    outcome = Outcome(log=log)
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        name = name_of(case.get("classname", ""), case.get("name", ""))
        children = {child.tag for child in case}
        if children & {"failure", "error"}:
            outcome.failed.append(name)
        elif "skipped" in children:
            outcome.skipped.append(name)
        else:
            outcome.passed.append(name)
        outcome.seconds += float(case.get("time", 0))
    return outcome


def name_of(classname: str, name: str) -> str:
    """`layers.core.dense_test.DenseTest`, `test_a` as `layers/core/dense_test.py::DenseTest::...`.

    A file that could not be imported has no class: its name is the file's.
    """
    dotted = classname or name
    path, separator, rest = dotted.partition("_test")
    place = f"{path.replace('.', '/')}{separator}.py"
    inner = rest.strip(".")
    return "::".join(part for part in (place, inner, name if classname else "") if part)
