"""Where things are found: folders that can be read at a glance, and one class for each name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import PACKAGE, ROOT, read, sources

MOST_FILES = 25

# Folders with more files than can be read at a glance, and why.
LARGER = {
    "src/tensormill/api": "one file for each public namespace, called as that is called",
    "tests/ops/calls": "one table of calls for each topic",
}


def folders() -> Iterator[Path]:
    for top in ("src", "tests", "bench", "examples"):
        yield from {file.parent for file in (ROOT / top).rglob("*.py")}


def modules_of(folder: Path) -> list[Path]:
    return [file for file in folder.glob("*.py") if file.name != "__init__.py"]


def test_no_folder_holds_more_than_can_be_read_at_a_glance() -> None:
    large = {
        str(folder.relative_to(ROOT))
        for folder in folders()
        if len(modules_of(folder)) > MOST_FILES
    }

    assert set(LARGER) == large


def classes() -> dict[str, list[str]]:
    """The files in which a class of this name is defined."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for file in sources():
        for name in read(file).classes:
            found[name].append(str(file.relative_to(PACKAGE)))
    return found


def test_no_two_classes_have_one_name() -> None:
    assert {name: files for name, files in classes().items() if len(files) > 1} == {}


def test_every_folder_of_the_library_says_what_is_in_it() -> None:
    packages = {file.parent for file in PACKAGE.rglob("*.py")}
    silent = [
        str(folder.relative_to(PACKAGE))
        for folder in packages
        if not read(folder / "__init__.py").docstring
    ]

    assert silent == []


def test_files_that_are_spoken_of_are_there() -> None:
    """`graphs.py`, `loops/ir.py`: in comments and in what a module says of itself."""
    there = {f"/{file.relative_to(ROOT)}" for folder in folders() for file in folder.glob("*.py")}
    gone = [
        f"{file.relative_to(PACKAGE)}: {name}"
        for file in PACKAGE.rglob("*.py")
        for line in file.read_text().splitlines()
        if ".py" in line
        for name in re.findall(r"(?<![\w./-])(?:[a-z_]+/)*[a-z_]+\.py\b", line)
        if not any(one.endswith(f"/{name}") for one in there)
    ]

    assert gone == []


@pytest.mark.parametrize("folder", ["ops", "compiler", "function", "autograph/runtime", "core"])
def test_folders_of_folders_import_nothing(folder: str) -> None:
    """Whoever wants one module of a topic does not load the others."""
    packages = [file for file in (PACKAGE / folder).rglob("__init__.py")]
    importing = [str(file.relative_to(PACKAGE)) for file in packages for _ in read(file).imports]

    assert importing == []
