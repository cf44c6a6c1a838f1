"""What the docstrings of public functions, classes and methods show is what happens."""

from __future__ import annotations

import doctest
import gc
import inspect
import json
import os
import tempfile
import threading
from collections.abc import Iterator
from copy import copy
from itertools import chain
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
from tests.numpy_api.switching import put_back

service = tf.data.experimental.service

# Functions that nothing can be told with which they raise: each was tried with wrong operands.
RAISE_NOTHING = Path(__file__).parent / "raises_nothing.txt"


def namespaces(namespace: Any = tf, name: str = "tf") -> Iterator[tuple[str, Any]]:
    """What the public namespaces have, under each of its names."""
    for public in dir(namespace):
        value = None if public.startswith("__") else getattr(namespace, public)
        if isinstance(value, ModuleType) and public != "raw_ops":
            yield from namespaces(value, f"{name}.{public}")
        else:
            yield f"{name}.{public}", value


def methods(cls: type, name: str) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class that the library wrote."""
    for public in dir(cls):
        value = inspect.getattr_static(cls, public)
        value = getattr(value, "fget", None) or getattr(value, "__func__", value)
        is_ours = str(getattr(value, "__module__", "")).startswith("tensormill.")
        if inspect.isfunction(value) and is_ours and not public.startswith("_"):
            yield f"{name}.{public}", value


def undocumented(cls: type, name: str) -> Iterator[str]:
    """The public methods, properties and slots that the library wrote and says nothing of."""
    if not cls.__doc__:
        yield name
    for public in dir(cls):
        value = inspect.getattr_static(cls, public)
        owner = next((base for base in cls.__mro__ if public in vars(base)), object)
        is_ours = str(owner.__module__).startswith("tensormill.") and hasattr(
            type(value), "__get__"
        )
        if is_ours and not public.startswith("_") and not inspect.getdoc(value):
            yield f"{name}.{public}"


def once(found: Iterator[tuple[str, Any]]) -> dict[str, Any]:
    """Each thing under the first of its names."""
    seen: set[int] = set()
    return {
        name: value
        for name, value in found
        if not (id(value) in seen or seen.add(id(value)))  # type: ignore[func-returns-value]
    }


# What has two names is known by that which TensorFlow 2 gives it.
PUBLIC = sorted(namespaces(), key=lambda found: found[0].startswith("tf.compat."))
FUNCTIONS = once(
    (name, value)
    for name, value in PUBLIC
    if inspect.isfunction(value) and value.__module__.startswith("tensormill.")
)
CLASSES = once(
    (name, value)
    for name, value in PUBLIC
    if inspect.isclass(value) and value.__module__ != "numpy"  # whose examples are its own
)
METHODS = once(one for name, cls in CLASSES.items() for one in methods(cls, name))

# What most programs make; others are made for them, or say with one word what they are.
MADE_BY_USERS = (
    "DType GradientTape IndexedSlices Module RaggedTensor SparseTensor Tensor TensorArray "
    "TensorShape TensorSpec Variable autodiff.ForwardAccumulator data.Dataset "
    "distribute.MirroredStrategy distribute.ReplicaContext experimental.RowPartition "
    "io.gfile.GFile lookup.KeyValueTensorInitializer "
    "lookup.StaticHashTable lookup.StaticVocabularyTable lookup.TextFileInitializer "
    "lookup.experimental.MutableHashTable random.Generator train.Checkpoint train.CheckpointManager"
).split()

# Members of these that do nothing, or refuse: what they would do is of graphs or of tracing.
WITHOUT_EXAMPLES = {
    "tf.DType.cast", "tf.TensorShape.cast", "tf.TensorSpec.cast", "tf.Variable.from_proto",
    "tf.Variable.graph", "tf.Variable.initial_value", "tf.Variable.initializer", "tf.Variable.op",
}  # fmt: skip


def read_tensorflow() -> dict[str, Any]:
    """TensorFlow's public names, with the members of classes."""
    recorded = Path(__file__).parent / "tensorflow.json"
    return json.loads(recorded.read_text())


def by_namespace() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name, value in (FUNCTIONS | CLASSES | METHODS).items():
        found.setdefault(name.rpartition(".")[0], {})[name] = value
    return found


NAMESPACES = by_namespace()


def examples_of(name: str, thing: Any) -> doctest.DocTest:
    text = inspect.cleandoc(vars(thing).get("__doc__") or thing.__doc__ or "")
    return doctest.DocTestParser().get_doctest(text, {"tf": tf, "np": np}, name, None, 0)


@pytest.fixture
def switches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave as they were the switches that examples turn, some of which nothing turns back."""
    for name, value in vars(choices).items():
        monkeypatch.setattr(choices, name, copy(value))
    monkeypatch.setattr(settings, "threads", settings.threads)
    monkeypatch.setattr(data_functions, "_debugging", False)
    level = logger.level
    with put_back():
        yield
    logger.setLevel(level)


@pytest.mark.sampled
@pytest.mark.usefixtures("switches")
@pytest.mark.parametrize("namespace", NAMESPACES)
def test_the_examples_of_docstrings_are_true(
    namespace: str,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # what an example writes
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)

    for name, function in NAMESPACES[namespace].items():
        runner.run(examples_of(name, function), out=told.append, clear_globs=False)
    end_servers()

    assert "".join(told) == ""
    # That of tf.compat.v1.test.get_temp_dir goes when the process ends.
    assert [one for one in os.listdir(tempfile.gettempdir()) if one[:6] != "tests-"] == []


def end_servers() -> None:
    """Stop those that examples have begun: other tests ask what a process of one thread does."""
    if threading.active_count() > 1:
        for one in gc.get_objects():
            if isinstance(one, (service.DispatchServer, service.WorkerServer)):
                one.stop()


def test_functions_show_an_example() -> None:
    without = {name for name, one in FUNCTIONS.items() if not examples_of(name, one).examples}

    assert without == set()


def test_functions_say_what_they_raise() -> None:
    silent = {
        name for name, one in FUNCTIONS.items() if "\nRaises:" not in str(inspect.getdoc(one))
    }

    assert silent == set(RAISE_NOTHING.read_text().splitlines())


def test_all_members_of_classes_say_what_they_are() -> None:
    assert [*chain.from_iterable(undocumented(cls, name) for name, cls in CLASSES.items())] == []


def test_classes_that_users_make_show_an_example() -> None:
    shown = {name for name, cls in CLASSES.items() if examples_of(name, cls).examples}

    assert {f"tf.{name}" for name in MADE_BY_USERS} <= shown


def test_so_do_their_members_that_tensorflow_has() -> None:
    theirs = read_tensorflow()
    members = {
        f"tf.{name}.{member}"
        for name in MADE_BY_USERS
        for member in theirs[f"tf.{name}"]["members"]
        if f"tf.{name}.{member}" in METHODS
    }

    assert WITHOUT_EXAMPLES == {
        name
        for name in members
        if not examples_of(name, METHODS[name]).examples
        if METHODS[name].__doc__  # else the class below says it
    }
