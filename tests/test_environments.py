"""Which Pythons are found for the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.environments import found


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The only place on the PATH, and pyenv's."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    return tmp_path


def put(python: Path, script: str) -> Path:
    python.parent.mkdir(parents=True, exist_ok=True)
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    return python


def test_the_first_on_the_path_is_found(folder: Path) -> None:
    python = put(folder / "python3.12", "echo 3.12")
    put(folder / "versions/3.12.1/bin/python", "echo 3.12")

    assert {"3.12": python} == found(["3.11", "3.12"])


def test_a_name_that_does_not_run_is_no_python(folder: Path) -> None:
    put(folder / "python3.12", "exit 127")
    (folder / "python3.13").write_text("no program")

    assert {} == found(["3.12", "3.13"])


def test_the_newest_of_pyenv_is_found(folder: Path) -> None:
    put(folder / "python3.12", "echo 3.11")
    put(folder / "versions/3.12.9/bin/python", "echo 3.12")
    newest = put(folder / "versions/3.12.10/bin/python", "echo 3.12")

    assert {"3.12": newest} == found(["3.12"])
