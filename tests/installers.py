"""What installs: uv, from the indexes that pip knows, and pip itself where that is not to be had.

    python -m tests.installers FOLDER WANTED...

Makes an environment in FOLDER, unless one is there, and installs what is WANTED. Nobody compiles
all that was installed: Python compiles what it imports, a fraction of it (decision 40).
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.environments import ROOT, clean, is_whole, make

# An environment with the newest pip, which needs half of the time of the one that a Python brings,
# and uv. All other environments are installed into from here, and hold neither.
FOLDER = ROOT / ".venv-installers"
SILENT = "--quiet", "--disable-pip-version-check"
QUIETLY = *SILENT, "--no-compile"
# What pip's files and variables say about indexes, in uv's words: it reads none of them.
IN_WORDS_OF_UV = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "constraint": "--constraint",
    "trusted-host": "--allow-insecure-host",
}


def install(python: Path, *wanted: str) -> None:
    """Install into the environment of this Python, from the root of the sources."""
    pip = prepared()
    if uv_installs(pip, python, *wanted):
        return
    print(f"uv is missing in {FOLDER.name}, or failed as said above: pip installs", flush=True)
    command = [pip, "-m", "pip", "--python", python, "install", *QUIETLY, *wanted]
    subprocess.run(command, check=True, cwd=ROOT, env=clean())


def uv_installs(pip: Path, python: Path, *wanted: str) -> bool:
    uv = FOLDER / "bin" / "uv"
    if not uv.exists():
        return False
    told = configured(pip)
    command = [
        uv, "pip", "install", "--quiet", "--python", python, "--no-python-downloads",
        *indexes(told), *wanted,
    ]  # fmt: skip
    environment = clean() | ({"SSL_CERT_FILE": told["cert"]} if "cert" in told else {})
    return not subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def download_source(name: str, version: str, folder: Path) -> None:
    """Put the source archive of a package into the folder; uv has no command for that."""
    command = [
        prepared(), "-m", "pip", "download", *SILENT, "--no-deps", "--no-binary", name,
        "--dest", folder, f"{name}=={version}",
    ]  # fmt: skip
    subprocess.run(command, check=True, env=clean())


def prepared() -> Path:
    """The Python that has pip and, where it can be had, uv; whoever comes first installs them."""
    inside, ready = FOLDER / "bin" / "python", FOLDER / "ready"
    FOLDER.mkdir(exist_ok=True)
    with locked(FOLDER):
        if not (ready.exists() and is_whole(inside)):
            make(FOLDER, Path(sys.executable), anew=True)
            install_pip(inside)
            command = [inside, "-m", "pip", "install", *QUIETLY, "uv"]
            subprocess.run(command, env=clean(), check=False)
            ready.touch()
    return inside


def install_pip(inside: Path) -> None:
    newest = [sys.executable, "-m", "pip", "--python", inside, "install", *QUIETLY, "pip"]
    if subprocess.run(newest, env=clean(), check=False).returncode:
        subprocess.run([inside, "-m", "ensurepip"], check=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let no other process in meanwhile: CI makes several environments at once."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def configured(pip: Path) -> dict[str, str]:
    """What pip's files and variables say."""
    command = [pip, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, capture_output=True, text=True, env=clean(), check=True)
    return settings(listed.stdout)


def settings(listed: str) -> dict[str, str]:
    """What counts of `pip config list`: variables before what is said of `pip install` alone."""
    lines = [line.partition("=") for line in listed.splitlines()]
    return {
        name.removeprefix(f"{section}."): literal_eval(text)
        for section in ("global", "install", ":env:")
        for name, _, text in lines
        if name.startswith(f"{section}.")
    }


def indexes(told: Mapping[str, str]) -> list[str]:
    """Arguments for uv, which takes the newest that any index has only when it is told to."""
    words = [
        word
        for name, option in IN_WORDS_OF_UV.items()
        for value in told.get(name, "").split()
        for word in (option, value)
    ]
    if told.get("no-index", "").lower() in ("1", "true", "yes", "on", "y", "t"):
        words.append("--no-index")
    return [*words, "--index-strategy", "unsafe-best-match"] if "extra-index-url" in told else words


if __name__ == "__main__":
    install(make(ROOT / sys.argv[1], Path(sys.executable)), *sys.argv[2:])
