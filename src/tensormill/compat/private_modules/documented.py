"""`tensorflow.python.util.all_util`: modules that show what their documentation names, and no more.

A docstring names a symbol by a line `@@symbol`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Sequence
from types import ModuleType
from typing import Any, Final

_NAMED: Final = re.compile(r"^@@([a-zA-Z0-9_]+)$", re.MULTILINE)

_hidden: dict[str, tuple[ModuleType, Any]] = {}


def make_all(module_name: str, doc_string_modules: Sequence[ModuleType] | None = None) -> list[str]:
    """The names of a module that docstrings name: its own, or those of these modules.

    Raises:
        KeyError: no module of that name is imported.
    """
    module = sys.modules[module_name]
    docs = [one.__doc__ or "" for one in doc_string_modules or [module]]
    named = {name for doc in docs for name in _NAMED.findall(doc)}
    return sorted(name for name in dir(module) if name in named)


def remove_undocumented(
    module_name: str,
    allowed_exception_list: Collection[str] | None = None,
    doc_string_modules: Sequence[ModuleType] | None = None,
) -> None:
    """Take from a module what docstrings do not name, but for these names and private ones.

    Raises:
        KeyError: no module of that name is imported.
    """
    module = sys.modules[module_name]
    kept = {*make_all(module_name, doc_string_modules), *(allowed_exception_list or ())}
    for name in dir(module):
        if name not in kept and not name.startswith("_"):
            _hidden[f"{module_name}.{name}"] = module, getattr(module, name)
            delattr(module, name)


def reveal_undocumented(symbol_name: str, target_module: ModuleType | None = None) -> None:
    """Put back what was taken, under its full name (`package.module.symbol`), or elsewhere.

    Raises:
        LookupError: nothing of that name was taken.
    """
    if symbol_name not in _hidden:
        raise LookupError(f"'{symbol_name}' was not taken from a module by remove_undocumented")
    module, value = _hidden[symbol_name]
    setattr(target_module or module, symbol_name.rpartition(".")[2], value)
