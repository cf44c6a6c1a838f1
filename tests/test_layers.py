"""The order of folders and the libraries required, read from the imports; and the size of files."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "tensormill"

# Data flows down this list: a folder imports only from folders above it, and from itself.
# What stands on one line is a level: its members do not import each other.
LEVELS = (
    ("errors", "config"),
    ("core",),
    ("ops",),
    ("eager",),
    ("graph",),
    ("autodiff",),
    ("control",),
    ("autograph",),
    ("compiler",),
    ("backends",),
    ("function",),
    ("module",),
    ("saved_model", "data"),
    ("api",),
    ("__init__",),
    ("compat",),
    ("cli",),
)
LEVEL = {folder: level for level, folders in enumerate(LEVELS) for folder in folders}

# Third-party packages and the only places that may know them.
OWNERS = {
    "llvmlite": ("compiler",),
    "jax": ("backends/xla.py",),
    "google": ("graph", "saved_model"),
    "google_crc32c": ("saved_model", "data/files.py"),
    "scipy": ("ops",),
    "typer": ("cli",),
    "rich": ("cli",),
    "keras": ("compat",),
}

# The package's own face: `import tensormill` is lazy and may name any layer.
FACE = ("__init__.py", "__main__.py")

LONGEST_FILE = 600


def sources(folder: Path = PACKAGE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def imports(path: Path) -> list[tuple[int, str]]:
    """(Line, absolute dotted name) of every import in a file, wherever it stands."""
    return [*read_imports(path)]


def read_imports(path: Path) -> Iterator[tuple[int, str]]:
    package = path.relative_to(PACKAGE.parent).parent.parts
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, name) for name in imported_names(node, package))


def imported_names(node: ast.ImportFrom, package: tuple[str, ...]) -> list[str]:
    above = package[: len(package) - node.level + 1] if node.level else ()
    base = [*above, *(node.module.split(".") if node.module else ())]
    if len(base) > 1 or base[0] != PACKAGE.name:
        return [".".join(base)]
    return [".".join([*base, alias.name]) for alias in node.names]


def folder_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def folder_imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, folder) for every import of this package."""
    for line, name in imports(path):
        parts = name.split(".")
        if parts[0] == PACKAGE.name:
            yield line, parts[1] if len(parts) > 1 else "__init__"


def inner_sources() -> list[Path]:
    return [path for path in sources() if str(path.relative_to(PACKAGE)) not in FACE]


def test_every_folder_has_a_level() -> None:
    assert {folder_of(path) for path in inner_sources()} <= LEVEL.keys()


def test_a_folder_imports_only_from_folders_above_it() -> None:
    violations = [
        f"{path.relative_to(ROOT)}:{line}: {folder_of(path)} imports {target}"
        for path in inner_sources()
        for line, target in folder_imports(path)
        if target in LEVEL and target != folder_of(path) and not is_above(target, folder_of(path))
    ]

    assert violations == []


def is_above(target: str, folder: str) -> bool:
    return LEVEL[target] < LEVEL[folder]


@pytest.mark.parametrize("library", OWNERS)
def test_a_library_is_known_only_where_it_is_used(library: str) -> None:
    violations = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources()
        for line, name in imports(path)
        if name.split(".")[0] == library
        and not any(path.is_relative_to(PACKAGE / owner) for owner in OWNERS[library])
    ]

    assert violations == []


def test_tensorflow_is_never_imported() -> None:
    importers = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources()
        for line, name in imports(path)
        if name.split(".")[0] == "tensorflow"
    ]

    assert importers == []


def test_whatever_is_imported_is_required() -> None:
    """An environment of tests has more than an installation of the library alone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = {re.split("[<>=~! ]", one)[0] for one in project["dependencies"]}
    wanted = {
        distribution_of(name)
        for path in sources()
        for _, name in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names
    }

    assert wanted - {PACKAGE.name} <= required


def distribution_of(module: str) -> str:
    """What brings a module: a distribution of its name, but for those that share `google`."""
    first, _, rest = module.partition(".")
    return rest.split(".")[0] if first == "google" else first.replace("_", "-")


@pytest.mark.parametrize("folder", ["src", "tests", "bench", "examples"])
def test_no_file_is_too_long_to_read(folder: str) -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in sources(ROOT / folder)
    }

    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}
