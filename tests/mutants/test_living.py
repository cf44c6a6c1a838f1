"""Functions that exist get the code that a change of their source would give them."""

from __future__ import annotations

import gc
import importlib.util
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from .changes import Change, changes_of
from .living import change as change_living
from .living import functions_by_file

SOURCE = """
LIMIT = 10

def plain(x):
    return x + LIMIT

def with_closure(x):
    def inner(y):
        return y + 20
    return inner

made = with_closure(1)

class Box:
    size = 30

    def method(self, x):
        return [x + 40 for _ in "a"]

def long(x):
    total = (x
             + 50)
    return total, long.__code__.co_firstlineno
"""


@pytest.mark.sampled(among="mutants")
def test_functions_methods_and_what_they_make(tmp_path: Path) -> None:
    module, functions = _imported(tmp_path)

    for number in (20, 40):
        assert change_living(functions, tmp_path / "one.py", *_of(tmp_path, number))

    assert module.plain(1) == 11
    assert (module.made(1), module.with_closure(1)(1)) == (22, 22)
    assert module.Box().method(1) == [42]


@pytest.mark.sampled(among="mutants")
def test_functions_are_found_that_collections_of_cycles_pass_over() -> None:
    gc.freeze()  # as `conftest.py` does before the first test
    assert _imported in functions_by_file()[__file__]
    assert gc.get_freeze_count() > 0


@pytest.mark.sampled(among="mutants")
def test_lines_stay_where_they_are(tmp_path: Path) -> None:
    module, functions = _imported(tmp_path)
    change = next(one for one in changes_of(Path("one.py"), tmp_path) if "\n" in _text(one))
    source = (tmp_path / "one.py").read_bytes()
    line = module.long.__code__.co_firstlineno

    assert change_living(functions, tmp_path / "one.py", source, change)
    assert module.long(1) == (-49, line)


@pytest.mark.sampled(among="mutants")
def test_what_ran_at_import_is_not_changed(tmp_path: Path) -> None:
    _, functions = _imported(tmp_path)

    for number in (10, 30):
        assert not change_living(functions, tmp_path / "one.py", *_of(tmp_path, number))


def _imported(folder: Path) -> tuple[ModuleType, list[FunctionType]]:
    path = folder / "one.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("one", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, functions_by_file()[str(path)]


def _of(folder: Path, number: int) -> tuple[bytes, Change]:
    """The source, and the change of this number to the next one."""
    found = [one for one in changes_of(Path("one.py"), folder) if one.before == str(number)]
    return SOURCE.encode(), found[0]


def _text(change: Change) -> str:
    return SOURCE.encode()[change.begin : change.end].decode()
