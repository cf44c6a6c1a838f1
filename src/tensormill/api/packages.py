"""Namespaces as modules: `import tensormill.nn`, `from tensormill.keras import layers`.

The package has folders that are called as public namespaces are (`data`, `saved_model`). Those
stay what they are to the code inside, and have the public names as well.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

from . import top
from .lazy import PACKAGE

NAMESPACES: Final = frozenset(top.TABLE[""].split())

# Public names that are modules inside, too: whoever imports these from the folder wants the former.
COVERED: Final = {
    "autograph": ("experimental",),
    "data": ("experimental",),
    "saved_model": ("load", "save"),
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
    """Gives the import system a module that exists already, and leaves that module as it was."""

    # No importlib.abc.Loader: that module takes 10 ms to import.

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.own_spec = module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.own_spec  # the import system has just put the alias's there


def spec_of_present(name: str, module: ModuleType) -> ModuleSpec:
    """The spec by which `import <name>` gives this very module."""
    loader: Any = PresentLoader(module)
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
        if not fullname.startswith(self.below):
            return None
        module = public_namespace(fullname.split(".")[1:])
        if module is None:
            return None
        if fullname == KERAS:
            sys.meta_path.insert(0, NamespaceFinder(KERAS))
        return spec_of_present(fullname, module)


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
    sys.meta_path.append(NamespaceFinder(PACKAGE))
