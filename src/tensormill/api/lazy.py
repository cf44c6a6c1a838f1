"""Namespaces as tables: which module of the library has which public names.

    __getattr__, __dir__, __all__ = namespace(__name__, {
        "ops.math.elementwise": "exp log sin",
        "core.dtypes": "bool=bool_",          # public name = name in that module
        "": "math nn",                        # namespaces beside this one
    })

A name's module is imported when the name is first asked for. Functions that have successors
(`core.process.successors.py`) say so when they are called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from ..core.process.deprecation import replaced
from ..core.process.successors import successor

PACKAGE: Final = __name__.split(".", maxsplit=1)[0]

Namespace = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def places(table: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Public name → (module, name in it)."""
    found: dict[str, tuple[str, str]] = {}
    for module, words in table.items():
        for word in words.split():
            public, _, inner = word.partition("=")
            found[public] = (module, inner or public)
    return found


def joined(base: Any, own: Mapping[str, str], without: str = "") -> dict[str, str]:
    """The table of the namespace `base`, with names of one's own, which stand for its.

    It has none of the names in `without`.
    """
    ours = {*places(own), *without.split()}
    found: dict[str, str] = {}
    for module, words in base.TABLE.items():
        found[module] = " ".join(one for one in words.split() if one.partition("=")[0] not in ours)
    for module, words in own.items():
        found[module] = f"{found.get(module, '')} {words}".strip()
    return found


def load(module: str, name: str) -> Any:
    """The object called `name` in a module of the library; the namespace `name` for module ""."""
    if not module:
        return import_module(f"{PACKAGE}.api.{name}")
    return getattr(import_module(f"{PACKAGE}.{module}"), name)


def namespace(
    name: str,
    table: Mapping[str, str],
    public: str | None = None,
    unlisted: Mapping[str, str] | None = None,
    gone: Mapping[str, str] | None = None,
) -> Namespace:
    """`__getattr__`, `__dir__` and `__all__` of the namespace module called `name`.

    `public` is what users call it, where that is not clear from the module's name. Names that are
    `unlisted` are there, but `import *` does not ask for them. What is `gone` says what to do
    instead; "*" speaks for all other names.
    """
    listed = places(table)
    index = listed | places(unlisted or {})
    public = public or name.replace(f"{PACKAGE}.api", "tf").removesuffix(".top")

    def get(attribute: str) -> Any:
        place = index.get(attribute)
        if place is None:
            advice = (gone or {}).get(attribute, (gone or {}).get("*", ""))
            raise AttributeError(f"module '{public}' has no attribute '{attribute}'{advice}")
        value = load(*place)
        instead = successor(f"{public}.{attribute}")
        if instead is not None:
            value = replaced(value, attribute, instead)
        setattr(sys.modules[name], attribute, value)
        return value

    return get, lambda: sorted(listed), sorted(listed)
