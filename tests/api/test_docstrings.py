"""What the docstrings of public functions show is what happens."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.config import settings
from tensormill.core.process.logs import logger
from tensormill.data import functions as data_functions
from tensormill.eager.devices import choices


def functions(namespace: Any = tf, name: str = "tf") -> Iterator[tuple[str, Any]]:
    """The public functions, under the first of their names."""
    for public in dir(namespace):
        value = None if public.startswith("__") else getattr(namespace, public)
        if isinstance(value, ModuleType) and public != "raw_ops":
            yield from functions(value, f"{name}.{public}")
        elif inspect.isfunction(value):
            yield f"{name}.{public}", value


def by_namespace() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    seen: set[int] = set()
    for name, function in functions():
        if id(function) not in seen:
            seen.add(id(function))
            found.setdefault(name.rpartition(".")[0], {})[name] = function
    return found


NAMESPACES = by_namespace()


def examples_of(name: str, function: Any) -> doctest.DocTest:
    text = inspect.getdoc(function) or ""
    return doctest.DocTestParser().get_doctest(text, {"tf": tf, "np": np}, name, None, 0)


@pytest.fixture
def switches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave as they were the switches that examples turn, some of which nothing turns back."""
    for name, value in vars(choices).items():
        monkeypatch.setattr(choices, name, copy(value))
    monkeypatch.setattr(settings, "threads", settings.threads)
    monkeypatch.setattr(data_functions, "_debugging", False)
    level = logger.level
    yield
    logger.setLevel(level)


@pytest.mark.usefixtures("switches")
@pytest.mark.parametrize("namespace", NAMESPACES)
def test_the_examples_of_docstrings_are_true(
    namespace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # what an example writes
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)

    for name, function in NAMESPACES[namespace].items():
        runner.run(examples_of(name, function), out=told.append, clear_globs=False)

    assert "".join(told) == ""


def test_docstrings_show_an_example() -> None:
    without = {
        name
        for functions in NAMESPACES.values()
        for name, function in functions.items()
        if not examples_of(name, function).examples
    }

    assert without == set()
