"""Imports every file of operations, so that REGISTRY is complete."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

# A new file of operations is found by itself.
for module in iter_modules([str(Path(__file__).parent)]):
    import_module(f"{__package__}.{module.name}")
