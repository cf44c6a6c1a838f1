"""Devices besides the CPU: those that JAX has. JAX is asked here alone.

Whoever asks JAX has it count its devices, after which the CPU cannot be divided any more, and an
allocator take memory. So it is not asked where no plugin of its brings devices.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

from ...config import settings
from ..extras import library

# As JAX calls them, by TensorFlow's names.
KINDS: Final = {"GPU": "gpu", "TPU": "tpu"}
# What the system shows where it has a device of a kind: drivers of NVIDIA's and of AMD's, of
# Windows' for its Linux; of TPUs, in older and newer machines.
SHOWN: Final[dict[str, tuple[str, ...]]] = {
    "GPU": ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg"),
    "TPU": ("/dev/accel0", "/dev/vfio/0"),
}


def _of_jax(kind: str) -> Sequence[Any]:
    # Nobody who has no such device shall wait until JAX, or a list of plugins, has been read.
    if settings.backend is None and not any(map(os.path.exists, SHOWN[kind])):
        return ()
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
    if find_spec("jax") is None:
        return False
    has_package = any(find_spec(name) is not None for name in ("jax_plugins", "libtpu"))
    if has_package or os.environ.get("TPU_LIBRARY_PATH"):
        return True
    from importlib.metadata import entry_points  # takes 20 ms

    return bool(entry_points(group="jax_plugins"))


class Accelerators:
    """JAX's devices of each kind.

    source: who is asked for those of a kind.
    """

    def __init__(self, source: Callable[[str], Sequence[Any]] = _of_jax) -> None:
        self.source = source
        self._found: dict[str, tuple[Any, ...]] = {}

    def of(self, kind: str) -> tuple[Any, ...]:
        """All of a kind, "GPU" or "TPU"; none where functions must not be programs of XLA's."""
        if settings.backend not in (None, "xla"):
            return ()
        if kind not in self._found:
            self._found[kind] = tuple(self.source(kind)) if kind in KINDS else ()
        return self._found[kind]


accelerators: Final = Accelerators()
