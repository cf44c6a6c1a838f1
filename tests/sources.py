"""What tests ask of the sources of the library, each of which a process parses once.

Parsing them all takes a second; the trees would be a million objects, so they are not kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "tensormill"

# What imports a module that a text names.
IMPORTERS = ("import_module", "importlib.import_module", "__import__", "_lazy.load")
_LAST_NAMES = frozenset(one.rpartition(".")[2] for one in IMPORTERS)


class ImportStatement(NamedTuple):
    """One import: whether a function runs it, and whether only a type checker reads it."""

    node: ast.Import | ast.ImportFrom
    is_late: bool
    is_for_types: bool


class Source(NamedTuple):
    """A file: its imports, wherever they stand, its classes, what it says of itself first."""

    imports: list[ImportStatement]
    classes: list[str]
    docstring: str | None
    names_an_importer: bool


def sources(folder: Path = PACKAGE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def read(path: Path) -> Source:
    """What a file says."""
    tree = ast.parse(path.read_text(), str(path))
    nodes = [*ast.walk(tree)]
    return Source(
        [*imports_in(tree)],
        [node.name for node in nodes if isinstance(node, ast.ClassDef)],
        ast.get_docstring(tree),
        any(map(is_importer, nodes)),
    )


def imports_in(
    node: ast.AST, is_late: bool = False, is_for_types: bool = False
) -> Iterator[ImportStatement]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield ImportStatement(child, is_late, is_for_types)
        elif isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            is_function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
            is_checked = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            yield from imports_in(child, is_late or is_function, is_for_types or is_checked)


def is_importer(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _LAST_NAMES and ast.unparse(node) in IMPORTERS
        case _:
            return False
