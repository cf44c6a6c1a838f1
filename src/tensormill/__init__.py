"""TensorFlow 2's programming model, where a `tf.function` becomes one piece of machine code.

    import tensormill as tf

Names are found when they are first asked for (PEP 562): importing this loads NumPy and little else.
"""

from __future__ import annotations

import sys
from typing import Any

from .api import packages as _packages
from .api import top as _top
from .eager import execute as _execute

__version__ = "0.1.0"
__all__ = _top.__all__  # pyright: ignore[reportUnsupportedDunderAll]

_execute.install()


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # what the import system asks every module for
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = getattr(_top, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *_top.__all__})


_packages.install(sys.modules[__name__])
