"""What runs scripts, and how the command ends, is asked of a process, as users start one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tensormill.cli.main import main

Finished = subprocess.CompletedProcess[str]
Command = Callable[..., Finished]


def start(*arguments: str, folder: Path) -> Finished:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def python(tmp_path: Path) -> Command:
    """Run Python itself, in the test's folder."""
    return lambda *arguments: start(*arguments, folder=tmp_path)


@pytest.fixture
def tensormill(tmp_path: Path) -> Command:
    """Run the command `tensormill`, in the test's folder."""
    return lambda *arguments: start("-m", "tensormill", *arguments, folder=tmp_path)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command `tensormill` within this process, which need not start another then."""

    def run(*arguments: str) -> Finished:
        monkeypatch.setattr(sys, "argv", ["tensormill", *arguments])
        monkeypatch.setattr(sys, "path", ["", *sys.path])  # `run` replaces the first
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))  # `run` adds to it
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        return Finished(arguments, int(ended.value.code or 0), told.out, told.err)

    return run


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], str]:
    """Write a script into the test's folder; return its name."""

    def write(text: str, name: str = "script.py") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    return write
