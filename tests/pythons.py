"""`make test-pythons`: the tests with every Python that is found, in environments of their own.

    python -m tests.pythons [--quick] [VERSION ...]

As many at once as there are cores; where these are more, each version has several processes.
`--quick` runs the tests in which Pythons differ, in one process, with one of the versions besides
the one that runs this: the commit chooses, unless versions are named. Fails where a test does, and
where a version that was named is not found.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.commits import head, lot
from tests.environments import ROOT, VERSIONS, clean, found, make
from tests.installers import install

# What reads sources, the columns of bytecode, docstrings, frames and objects where they lie differs
# from Python to Python. What is compiled of a program, once it is converted, does not: it is
# evaluated there. Nor does what the examples of docstrings compute. Every other claim is asked at
# each commit, of its cases a sixteenth, of one Python by turns (decisions 37 and 46).
QUICK = (
    *(f"tests/{one}" for one in "api autograph compiler/calling core function".split()),
    "tests/test_import.py",
    "--cases=few",
    "--ignore=tests/core/files",
    "--deselect=tests/api/test_docstrings.py::test_the_examples_of_docstrings_are_true",
    "--deselect=tests/autograph/test_staged_programs.py::test_compiled_it_gives",
    "--deselect=tests/autograph/test_staged_programs.py::test_with_sizes_that_only_a_call_tells",
)
OWN = "{}.{}".format(*sys.version_info)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pythons", description=__doc__)
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=" ".join(VERSIONS))
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args(arguments)
    wanted = options.versions or [one for one in VERSIONS if not options.quick or one != OWN]
    pythons = found(wanted)
    for version in wanted:
        print(f"Python {version}: {pythons.get(version, 'not found')}", flush=True)
    if options.quick and not options.versions:
        wanted = turn_of(head(), pythons)
        pythons = {one: pythons[one] for one in wanted}
    cores = os.cpu_count() or 1
    extras = "quick-tests" if options.quick else "test,examples"
    asked = QUICK if options.quick else processes(cores // max(1, len(pythons)))
    with ThreadPoolExecutor(cores) as pool:
        running = {one: pool.submit(tested, one, pythons[one], extras, asked) for one in pythons}
    passed = {version: future.result() for version, future in running.items()}
    for version in wanted:
        how = {True: "passed", False: "failed", None: "not found, so nothing was tested"}
        print(f"Python {version}: {how[passed.get(version)]}")
    missing = options.versions and len(pythons) < len(wanted)
    return 1 if missing or False in passed.values() else 0


def turn_of(commit: str, versions: Iterable[str]) -> list[str]:
    """Which one is tested at a commit (decisions 37 and 46); none where none is found."""
    return sorted(versions, key=lambda version: lot(commit, version))[:1]


def processes(count: int) -> Sequence[str]:
    """How pytest is told to use so many; one needs no other to start it."""
    return ("-n", str(count), "--dist", "worksteal") if count > 1 else ()


def tested(version: str, python: Path, extras: str, wanted: Sequence[str]) -> bool:
    """Run tests in the environment of a version; show what pytest says once it has ended."""
    begin = time.monotonic()
    inside = environment(version, python, extras)
    installed = time.monotonic() - begin
    finished = subprocess.run(
        [inside, "-m", "pytest", "-q", *wanted],
        cwd=ROOT, env=clean(), text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    print(f"Python {version}, installed in {installed:.0f} s:\n{finished.stdout}", flush=True)
    return finished.returncode == 0


def environment(version: str, python: Path, extras: str) -> Path:
    """`.venv-3.12` with what the tests need, also after a change of pyproject.toml."""
    if version == OWN and Path(sys.prefix) == ROOT / ".venv":
        return Path(sys.executable)
    folder = ROOT / f".venv-{version}"
    asked = extras.encode() + (ROOT / "pyproject.toml").read_bytes()
    stamp = folder / f".tensormill-{hashlib.sha256(asked).hexdigest()[:16]}"
    inside = make(folder, python)
    if not stamp.exists():
        print(f"installing what the tests need into {folder.name}", flush=True)
        install(inside, "--editable", f".[{extras}]")
        stamp.touch()
    return inside


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
