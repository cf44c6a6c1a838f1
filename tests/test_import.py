"""What `import tensormill` costs, and what it leaves alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "src"

# Loaded when a compiled function, a file or the command line wants them, and not before.
LATE = ("llvmlite", "google.protobuf", "scipy", "jax", "keras", "typer", "rich", "tensorflow")


def run(program: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(SOURCES)}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_import_says_nothing() -> None:
    finished = run("import tensormill")

    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


@pytest.mark.parametrize("library", LATE)
def test_the_import_leaves_a_library_for_later(library: str) -> None:
    assert run(f"import sys, tensormill; print({library!r} in sys.modules)").stdout == "False\n"


def test_the_import_starts_no_thread() -> None:
    program = "import os, tensormill; print(len(os.listdir('/proc/self/task')))"

    assert run(program.replace("tensormill", "numpy")).stdout == run(program).stdout


def test_the_import_loads_few_modules() -> None:
    assert int(run("import sys, tensormill; print(len(sys.modules))").stdout) < 400


def test_the_import_is_quick() -> None:
    """0.2 s is wanted and measured in bench/; this only notices a heavy library coming in."""
    program = "from time import process_time as now; t = now(); import tensormill; print(now() - t)"

    assert min(float(run(program).stdout) for _ in range(3)) < 0.5


def test_no_modules_wait_for_each_other_in_a_circle() -> None:
    """So that threads may import what they like, at once: see tests/import_order.py."""
    assert run("from tests import import_order; import_order.main()").stdout == "no circle\n"
