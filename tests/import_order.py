"""Imports every module of the library and prints which wait for each other in a circle, if any.

While a module is imported its thread holds the module's lock (CPython's), and takes those of the
modules that it wants meanwhile, the packages above it included. Threads that take locks in an order
without circles never wait for each other for ever, whatever they import first, and never see a
module that is half made. Where there is a circle CPython lets them: `ImportError: cannot import
name`, `KeyError`, `_DeadlockError`.

The package itself is left out: a process imports it before anything below it.

    python -m tests.import_order
"""

from __future__ import annotations

import builtins
import importlib
import pkgutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

ROOT = "tensormill"
FOLDER = Path(__file__).parents[1] / "src"

wanted: defaultdict[str, set[str]] = defaultdict(set)
real_import = builtins.__import__
real_import_module = importlib.import_module


def importer() -> str | None:
    """The module of the library whose statements are running. Those that wait for it want all
    that it wants, and each is noted to want the next of them: its own import said so.
    """
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "<module>":
            name = frame.f_globals["__name__"]
            if name.startswith(f"{ROOT}."):
                return name
        frame = frame.f_back
    return None


def note(names: Iterable[str]) -> None:
    locks = set[str]().union(*map(locks_of, names))
    if locks and (name := importer()):
        wanted[name] |= locks - {name}


@cache
def locks_of(name: str) -> frozenset[str]:
    """The modules whose locks an import of one takes: those above it, and its own."""
    parts = name.split(".") if name.startswith(f"{ROOT}.") else []
    return frozenset(".".join(parts[:length]) for length in range(2, len(parts) + 1))


@cache
def is_module(name: str) -> bool:
    path = FOLDER.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def names_of(name: str, package: Any, fromlist: Sequence[str] | None, level: int) -> Iterator[str]:
    full = resolve_name("." * level + name, package) if level else name
    yield full
    yield from (below for word in fromlist or () if is_module(below := f"{full}.{word}"))


def noting_import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    package = globals["__package__"] if level else None
    if (package or name).startswith(ROOT):  # of tens of thousands, what libraries import is most
        note(names_of(name, package, fromlist, level))
    return real_import(name, globals, locals, fromlist, level)


def noting_import_module(name: str, package: str | None = None) -> Any:
    note([resolve_name(name, package) if name.startswith(".") else name])
    return real_import_module(name, package)


def import_everything() -> int:
    """Import all modules, noting who wants which; how many there are."""
    builtins.__import__, importlib.import_module = noting_import, noting_import_module
    package = real_import_module(ROOT)
    names = [one.name for one in pkgutil.walk_packages(package.__path__, f"{ROOT}.")]
    # What a process finds as `tensorflow` makes itself another module as it is imported.
    names = [name for name in names if not name.endswith(("__main__", "for_children.tensorflow"))]
    for name in names:
        note([name])
        real_import_module(name)
        above = name.rpartition(".")[0]
        wanted[name] |= {above} - {ROOT}  # taken first, with the module's own held
    return len(names)


def circle() -> list[str]:
    try:
        TopologicalSorter(wanted).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def main() -> None:
    assert import_everything() > 400
    assert sum(map(len, wanted.values())) > 2000
    print(" -> ".join(circle()) or "no circle")


if __name__ == "__main__":
    main()
