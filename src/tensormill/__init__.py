"""TensorFlow 2's programming model, where a `tf.function` becomes one piece of machine code.

    import tensormill as tf

Names are found when they are first asked for (PEP 562): importing this loads NumPy and little else.
"""

from __future__ import annotations

from typing import Any

from .eager import execute as _execute

__version__ = "0.1.0"

_execute.install()


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # what the import system asks every module for
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from .api import top

    value = getattr(top, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from .api import top

    return sorted({*globals(), *dir(top)})
