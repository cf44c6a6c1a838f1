"""Libraries that only some functions need: extras of the installation."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def library(module: str, extra: str, purpose: str) -> Any:
    """A module of an optional library, which is imported when it is first needed.

    Raises:
        ImportError: it is not installed; the message says which extra brings it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name not in (module, package):
            raise
        raise ImportError(
            f"{purpose} needs {package}, which is not installed: "
            f"`pip install 'tensormill[{extra}]'` does that",
            name=package,
        ) from None
