"""TensorFlow 2's programming model, where a `tf.function` becomes one piece of machine code.

    import tensormill as tf

Names are found when they are first asked for (PEP 562): importing this loads NumPy and little else.
"""

from __future__ import annotations

import sys
from importlib import import_module as _import_module
from importlib.machinery import ModuleSpec as _ModuleSpec
from typing import Any

__version__ = "0.1.0"


class _Soon:
    """Finds `tensormill.nn` for a thread that wants it before this package is whole: its loader
    waits until it is, which a finder must not, and hands on to the finder that is there then.
    """

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        is_below = fullname.startswith(f"{__name__}.")
        loader: Any = cls
        return _ModuleSpec(fullname, loader, is_package=True) if is_below else None

    @staticmethod
    def create_module(spec: _ModuleSpec) -> Any:
        _import_module(__name__)
        return _packages.create_namespace(spec)

    @staticmethod
    def exec_module(module: Any) -> None:
        _packages.restore_spec(module)


sys.meta_path.append(_Soon)  # pyright: ignore[reportArgumentType]
try:  # nothing of the package is imported before that
    from .core.process import logging_before as _logging_before
    from .core.process import references as _references

    _references.require_lock()
    _logging_before.look()

    from .api import lazy as _lazy
    from .api import packages as _packages
    from .api import top as _top
    from .core import native_examples as _examples
    from .core import native_operations as _native
    from .core import native_products as _products
    from .eager import execute as _execute
    from .ops.dispatch import placements as _placements

    _execute.install()
    _products.provided_by(lambda: _lazy.load("compiler.eager_products", "multiplier")())
    _placements.provided_by(lambda: _lazy.load("backends.device_operations", "device_operations")())
    _native.provided_by(lambda: _lazy.load("compiler.eager_operations", "runner")())
    _examples.provided_by(lambda: _lazy.load("compiler.eager_examples", "reader")())
    _packages.install(sys.modules[__name__])
finally:
    sys.meta_path.remove(_Soon)  # pyright: ignore[reportArgumentType]

__all__ = _top.__all__  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # what the import system asks every module for
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = getattr(_top, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *_top.__all__})
