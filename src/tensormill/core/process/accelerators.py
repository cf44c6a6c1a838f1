"""Devices besides the CPU: those that JAX has, where XLA is the back end. JAX is asked here alone.

Whoever asks JAX has it count its devices, after which the CPU cannot be divided any more, and an
allocator take memory. So it is not asked where no plugin of its brings devices.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any, Final

from ...config import settings
from ..extras import library

# As JAX calls them, by TensorFlow's names.
KINDS: Final = {"GPU": "gpu", "TPU": "tpu"}


def _of_jax(kind: str) -> Sequence[Any]:
    if not _plugins_are_there():
        return ()
    # Whatever JAX computes, memory is to be taken as it is needed.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = library("jax", "xla", "the back end 'xla'")
    try:
        return jax.devices(KINDS[kind])
    except RuntimeError:  # it has no such platform
        return ()


@cache
def _plugins_are_there() -> bool:
    has_package = any(find_spec(name) is not None for name in ("jax_plugins", "libtpu"))
    return bool(
        has_package or os.environ.get("TPU_LIBRARY_PATH") or entry_points(group="jax_plugins")
    )


class Accelerators:
    """JAX's devices of each kind.

    source: who is asked for those of a kind.
    """

    def __init__(self, source: Callable[[str], Sequence[Any]] = _of_jax) -> None:
        self.source = source
        self._found: dict[str, tuple[Any, ...]] = {}

    def of(self, kind: str) -> tuple[Any, ...]:
        """All of a kind, "GPU" or "TPU"; none where functions are not programs of XLA's."""
        if settings.backend != "xla":
            return ()
        if kind not in self._found:
            self._found[kind] = tuple(self.source(kind)) if kind in KINDS else ()
        return self._found[kind]


accelerators: Final = Accelerators()
