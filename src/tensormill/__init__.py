"""TensorFlow 2's programming model, where a `tf.function` becomes one piece of machine code.

    import tensormill as tf

Names are found when they are first asked for (PEP 562): importing this loads NumPy and little else.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

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


class Package(ModuleType):
    """Keeps `tf.function` a function although there is a folder of that name, and so on.

    The import system makes every submodule an attribute of the package.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        is_submodule = isinstance(value, ModuleType) and value.__name__ == f"{self.__name__}.{name}"
        if not (is_submodule and name in _top.__all__):
            super().__setattr__(name, value)


for _name in set(_top.__all__) & globals().keys():
    del globals()[_name]  # submodules that were imported on the way here
sys.modules[__name__].__class__ = Package
