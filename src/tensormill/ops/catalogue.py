"""Imports every file of operations, so that REGISTRY is complete."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

# A new file of operations is found by itself, in whatever folder it is.
for module in walk_packages([str(Path(__file__).parent)], f"{__package__}."):
    import_module(module.name)
