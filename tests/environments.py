"""Pythons on this machine, and empty environments made of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What the project is for.
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def found(versions: Sequence[str] = VERSIONS) -> dict[str, Path]:
    """The Python of each version that is on the PATH, or among those that pyenv installed."""
    pythons = {
        version: next((one for one in candidates(version) if answers(one, version)), None)
        for version in versions
    }
    return {version: python for version, python in pythons.items() if python is not None}


def candidates(version: str) -> Iterator[Path]:
    yield from (Path(folder) / f"python{version}" for folder in os.get_exec_path())
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(root.glob(f"versions/{version}.*/bin/python"), key=patch, reverse=True)


def patch(python: Path) -> tuple[int, ...]:
    """3.12.10 is newer than 3.12.9."""
    return tuple(int(one) for one in python.parents[1].name.split(".") if one.isdecimal())


def answers(python: Path, version: str) -> bool:
    """Whether this runs: a shim of pyenv's is there for versions that nobody chose, too."""
    program = "import sys, ensurepip; print('%d.%d' % sys.version_info[:2])"
    try:
        told = subprocess.run([python, "-c", program], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return told.stdout.strip() == version


def make(folder: Path, python: Path, *, anew: bool = False) -> Path:
    """An environment with nothing in it, unless one is there; the Python in it."""
    inside = folder / "bin" / "python"
    if anew or not is_whole(inside):
        command = [python, "-m", "venv", "--clear", "--without-pip", folder]
        subprocess.run(command, check=True, env=clean())
    return inside


def is_whole(inside: Path) -> bool:
    """Not the remains of one that was interrupted, whose Python installs where it comes from."""
    program = "import sys; sys.exit(sys.prefix == sys.base_prefix)"
    return inside.exists() and not subprocess.run([inside, "-c", program]).returncode


def clean() -> dict[str, str]:
    """The variables here without those that import from elsewhere, or keep no bytecode."""
    unwanted = ("PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in unwanted}
