"""What tests ask of the sources of the library, each of which a process parses once.

Parsing them all takes a second; the trees would be a million objects, so they are not kept.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "tensormill"

# What imports a module that a text names.
IMPORTERS = ("import_module", "importlib.import_module", "__import__", "_lazy.load")
# The fields of statements, handlers and cases that are lists of such.
_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
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
    text = path.read_text()
    with uncollected():
        tree = ast.parse(text, str(path))
    imports, classes = list[ImportStatement](), list[str]()
    note_statements(tree, imports, classes)
    return Source(imports, classes, ast.get_docstring(tree), names_an_importer(text, tree))


@contextmanager
def uncollected() -> Iterator[None]:
    """Let no collection of cycles look at a tree that is being made: a third of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def note_statements(
    node: ast.AST,
    imports: list[ImportStatement],
    classes: list[str],
    is_late: bool = False,
    is_for_types: bool = False,
) -> None:
    """Note what is imported and what classes there are below a node, whatever is around them.

    Expressions, nine of ten nodes, hold neither: they are not looked at.
    """
    for child in statements_in(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            imports.append(ImportStatement(child, is_late, is_for_types))
            continue
        if isinstance(child, ast.ClassDef):
            classes.append(child.name)
        is_function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
        is_checked = isinstance(child, ast.If) and is_type_checking(child.test)
        late, for_types = is_late or is_function, is_for_types or is_checked
        note_statements(child, imports, classes, late, for_types)


def is_type_checking(condition: ast.expr) -> bool:
    return isinstance(condition, ast.Name) and condition.id == "TYPE_CHECKING"


def statements_in(node: ast.AST) -> Iterator[ast.AST]:
    for field in _BLOCKS:
        yield from getattr(node, field, ())


def names_an_importer(text: str, tree: ast.AST) -> bool:
    """A name or attribute, which a comment or a string that says the same is not."""
    return any(one in text for one in IMPORTERS) and any(map(is_importer, ast.walk(tree)))


def is_importer(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _LAST_NAMES and ast.unparse(node) in IMPORTERS
        case _:
            return False
