"""Public namespaces as modules that can be imported, folders of the same names included."""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import tensormill as tf
from tensormill.api.packages import COVERED, NAMESPACES, Folder, is_namespace


@pytest.mark.parametrize(
    "name", ["nn", "math", "random.experimental", "io.gfile", "compat.v1", "data.experimental"]
)
def test_a_namespace_can_be_imported(name: str) -> None:
    module = import_module(f"tensormill.{name}")
    public = tf
    for part in name.split("."):
        public = getattr(public, part)

    if name != "data.experimental":  # a file of the library is called so
        assert module is public


FROM_NAMESPACES = """
import tensormill.saved_model as saved_model
from tensormill.compat import v1
from tensormill.data import Dataset, experimental
from tensormill.nn import relu
from tensormill.saved_model import load, save
"""


def test_names_are_imported_from_namespaces() -> None:
    found: dict[str, Any] = {}
    exec(FROM_NAMESPACES, found)

    assert found["relu"] is tf.nn.relu
    assert found["v1"] is tf.compat.v1
    assert found["Dataset"] is tf.data.Dataset
    assert found["experimental"] is tf.data.experimental
    assert found["saved_model"] is tf.saved_model
    assert (found["save"], found["load"]) == (tf.saved_model.save, tf.saved_model.load)


def test_folders_leave_the_public_names_what_they_are() -> None:
    import_module("tensormill.function")
    import_module("tensormill.saved_model.save")

    assert not isinstance(tf.function, ModuleType)
    assert not isinstance(tf.saved_model.save, ModuleType)
    assert not isinstance(sys.modules["tensormill.saved_model"].save, ModuleType)


@pytest.mark.parametrize("name", ["tensormill.absent", "tensormill.nn.absent", "tensormill.add"])
def test_what_is_no_namespace_cannot_be_imported(name: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=name.rpartition(".")[2]):
        import_module(name)


def test_an_absent_name_of_a_folder_is_an_error() -> None:
    with pytest.raises(ImportError, match="absent"):
        exec("from tensormill.data import absent")


def test_the_folders_names_that_are_public_as_well_are_listed() -> None:
    found: dict[str, tuple[str, ...]] = {}
    for name in NAMESPACES:
        try:
            folder = import_module(f"tensormill.{name}")
        except ModuleNotFoundError:
            continue
        if not isinstance(folder, Folder) or not hasattr(folder, "__path__"):
            continue
        public = getattr(tf, name)
        inside = (one.name for one in pkgutil.iter_modules(folder.__path__))
        if covered := tuple(sorted(one for one in inside if one in dir(public))):
            found[name] = covered

    assert found == COVERED


def test_finding_a_namespace_imports_nothing() -> None:
    """Finders run under a lock that every import needs: one that waited for another would hang."""

    def every(namespace: ModuleType, name: str) -> Iterator[tuple[str, bool]]:
        for word in dir(namespace):
            inside = getattr(namespace, word)
            is_one = isinstance(inside, ModuleType)
            yield f"{name}.{word}", is_one
            if is_one:
                yield from every(inside, f"{name}.{word}")

    public = [*every(tf, "tensormill")]
    assert [name for name, is_one in public if is_namespace(name) != is_one] == []
    assert len(public) > 1000
