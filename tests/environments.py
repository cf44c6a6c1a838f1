"""Pythons on this machine, and environments made of them.

    python -m tests.environments FOLDER WANTED...

Makes an environment in FOLDER, unless one is there, and installs what pip is to install.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What the project is for.
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
INSTALL = "install", "--quiet", "--disable-pip-version-check", "--no-compile"


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
    """An environment with nothing but pip, unless it is there; the Python in it.

    `pip --version` tells a whole one from the remains of one that was interrupted.
    """
    inside = folder / "bin" / "python"
    command = [inside, "-m", "pip", "--version"]
    if anew or not inside.exists() or subprocess.run(command, capture_output=True).returncode:
        subprocess.run([python, "-m", "venv", "--clear", "--without-pip", folder], check=True)
        # The newest pip needs half of the time of the one that Python brings, which costs three
        # times as much to install.
        newest = [python, "-m", "pip", "--python", inside, *INSTALL, "pip"]
        if subprocess.run(newest, env=clean()).returncode:
            subprocess.run([inside, "-m", "ensurepip"], check=True)
    return inside


def install(python: Path, *wanted: str) -> None:
    """Install with pip. Python compiles what it imports, a fraction of what pip would compile."""
    subprocess.run([python, "-m", "pip", *INSTALL, *wanted], check=True, cwd=ROOT, env=clean())


def clean() -> dict[str, str]:
    """The variables here without those that import from elsewhere, or keep no bytecode."""
    unwanted = ("PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in unwanted}


if __name__ == "__main__":
    install(make(ROOT / sys.argv[1], Path(sys.executable)), *sys.argv[2:])
