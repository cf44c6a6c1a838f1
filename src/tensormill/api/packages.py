"""Namespaces as modules: `import tensormill.nn`, `from tensormill.keras import layers`.

The package has folders that are called as public namespaces are (`data`, `saved_model`). Those
stay what they are to the code inside, and have the public names as well.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, cast

from . import top
from .lazy import PACKAGE

NAMESPACES: Final = frozenset(top.TABLE[""].split())

# Public names that are modules inside, too: whoever imports these from the folder wants the former.
COVERED: Final = {
    "autograph": ("experimental",),
    "data": ("experimental",),
    "saved_model": ("load", "save"),
}

# Namespaces that TensorFlow 1 has as they are today.
ALIASES: Final = {
    "compat.v1.app.flags": "compat.v1.flags",
    "compat.v1.io.gfile": "io.gfile",
}

KERAS: Final = f"{PACKAGE}.keras"


class Package(ModuleType):
    """Keeps `tf.function` a function although there is a folder of that name, and so on.

    The import system makes every submodule an attribute of the package.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (is_submodule(self, name, value) and name in top.__all__):
            super().__setattr__(name, value)
        elif name in NAMESPACES:
            value.__class__ = Folder


class Folder(ModuleType):
    """A module of the library that has the public names of the namespace called like it."""

    def __getattr__(self, name: str) -> Any:
        own = self.__name__.rpartition(".")[2]
        public = None if name.startswith("__") else getattr(getattr(top, own), name, None)
        if public is None:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        return public

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__name__.rpartition(".")[2]
        if not (name in COVERED.get(own, ()) and is_submodule(self, name, value)):
            super().__setattr__(name, value)


def is_submodule(package: ModuleType, name: str, value: Any) -> bool:
    return isinstance(value, ModuleType) and value.__name__ == f"{package.__name__}.{name}"


class PresentLoader:
    """Gives the import system a module that exists already, and leaves that module as it was.

    `find` may import: other than finders, which run under a lock that all imports need, loaders
    may wait for other threads.
    """

    # No importlib.abc.Loader: that module takes 10 ms to import.

    def __init__(self, find: Callable[[], ModuleType | None]) -> None:
        self.find = find

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = self.find()
        if module is None:
            raise ModuleNotFoundError(f"No module named {spec.name!r}", name=spec.name)
        OWN_SPECS.setdefault(module.__name__, module.__spec__)
        return module

    def exec_module(self, module: ModuleType) -> None:
        restore_spec(module)


# Of modules that have aliases: kept here since two threads may import two aliases at once.
OWN_SPECS: Final[dict[str, ModuleSpec | None]] = {}


def restore_spec(module: ModuleType) -> None:
    """Undo what the import system does to a module that it is given under an alias."""
    module.__spec__ = OWN_SPECS[module.__name__]


def spec_of_present(name: str, find: Callable[[], ModuleType | None]) -> ModuleSpec:
    """The spec by which `import <name>` gives the very module that `find` finds."""
    loader: Any = PresentLoader(find)
    return ModuleSpec(name, loader, is_package=True)


class NamespaceFinder:
    """Finds `tensormill.a.b`, where no file is called so, as the namespace `tf.a.b`.

    Once Keras is here another one comes first, for what is below it: Keras has files of its own.
    """

    def __init__(self, below: str) -> None:
        self.below: Final = f"{below}."

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not (fullname.startswith(self.below) and is_namespace(fullname)):
            return None
        return spec_of_present(fullname, partial(_namespace, fullname))


def create_namespace(spec: ModuleSpec) -> ModuleType:
    """What the finder's loader gives for `spec`, whoever found that."""
    find = partial(_namespace, spec.name) if is_namespace(spec.name) else lambda: None
    return PresentLoader(find).create_module(spec)


def _namespace(fullname: str) -> ModuleType | None:
    found = public_namespace(fullname.split(".")[1:])
    if found is not None and fullname == KERAS:
        _find(KERAS, at=0)
    return found


def _find(below: str, at: int) -> None:
    known = (one.below for one in sys.meta_path if isinstance(one, NamespaceFinder))
    if f"{below}." not in known:
        sys.meta_path.insert(at, cast(Any, NamespaceFinder(below)))


def is_namespace(fullname: str) -> bool:
    """Whether `a.b.c` names a public namespace, `tf.b.c`. Imports nothing: finders ask.

    Its table is the file `b_c` of this folder; what `tf.compat.v1` has no own table of is that of
    TensorFlow 2. The modules of Keras are where it put them.
    """
    path = fullname.partition(".")[2].removeprefix("compat.v2.")
    if path == "compat.v2":
        return True
    first, *rest = ALIASES.get(path, path).split(".")
    if first in NAMESPACES:
        return _has_table([first, *rest]) or (first == "compat" and _has_table(rest[1:]))
    if first in top.KERAS["compat.keras"].split():
        above, _, last = fullname.rpartition(".")
        return not rest or isinstance(getattr(sys.modules.get(above), last, None), ModuleType)
    return False


def _has_table(names: Sequence[str]) -> bool:
    name = "_".join(names) + ".py"
    return bool(names) and os.path.isfile(os.path.join(os.path.dirname(__file__), name))


def public_namespace(names: Sequence[str]) -> ModuleType | None:
    """The module at these names below `tf`, or None."""
    module: Any = top
    for name in names:
        module = getattr(module, name, None)
        if not isinstance(module, ModuleType):
            return None
    return module


def install(package: ModuleType) -> None:
    """Make `package` a Package, and its namespaces modules; after all that its import loads."""
    for name in set(top.__all__) & vars(package).keys():
        delattr(package, name)  # submodules that were imported on the way here
    for name in NAMESPACES:
        if (folder := sys.modules.get(f"{PACKAGE}.{name}")) is not None:
            folder.__class__ = Folder
    package.__class__ = Package
    _find(PACKAGE, at=len(sys.meta_path))
