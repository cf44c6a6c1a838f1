"""Standing in for TensorFlow: programs that say `import tensorflow` get tensormill."""

from __future__ import annotations

from types import ModuleType

__all__ = ["install"]


def install() -> ModuleType:
    """Make `import tensorflow` mean tensormill in this process; return that module.

    Raises:
        RuntimeError: TensorFlow itself has been imported already.
    """
    from . import alias  # not above: `alias` imports this package

    return alias.install()
