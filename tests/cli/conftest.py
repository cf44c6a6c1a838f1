"""Every test of the command line starts a process, as users do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"

Finished = subprocess.CompletedProcess[str]


def start(*arguments: str, folder: Path) -> Finished:
    environment = os.environ | {"PYTHONPATH": str(SOURCES), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., Finished]:
    """Run Python itself, in the test's folder."""
    return lambda *arguments: start(*arguments, folder=tmp_path)


@pytest.fixture
def tensormill(tmp_path: Path) -> Callable[..., Finished]:
    """Run the command `tensormill`, in the test's folder."""
    return lambda *arguments: start("-m", "tensormill", *arguments, folder=tmp_path)


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], str]:
    """Write a script into the test's folder; return its name."""

    def write(text: str, name: str = "script.py") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    return write
