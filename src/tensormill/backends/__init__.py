"""Where graphs run: our compiler, XLA, and the reference that defines what they mean."""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import cache
from typing import Any

from ..config import settings
from ..core.extras import library
from ..core.process.with_blocks import setting
from ..eager.devices import has_accelerators

_chosen: ContextVar[str | None] = ContextVar("backend", default=None)


def default() -> Any:
    """The back end that functions are compiled with here: a module that is a `base.Backend`.

    Raises:
        ImportError: it is XLA, and JAX is not installed.
    """
    name = _chosen.get() or settings.backend
    if name is None:
        name = _by_devices()
    elif name == "xla":
        library("jax", "xla", "the back end 'xla'")
    return importlib.import_module(f"{__name__}.{name}")


def _by_devices() -> str:
    """The back end of the device that functions run on where nobody says which, as in TensorFlow:
    a GPU that is not hidden, or else the CPU.
    """
    if has_accelerators():
        return "xla"
    return "cpu" if _has_native() else "reference"


@cache
def _has_native() -> bool:
    """Whether machine code can be made and run here."""
    if importlib.util.find_spec(f"{__name__}.cpu") is None:
        return False
    reason = importlib.import_module("..compiler.machine.pages", __name__).refusal()
    if reason is not None:
        warnings.warn(
            f"functions run operation by operation, not as machine code: {reason}. The system "
            "forbids this process to make memory executable (SELinux, seccomp, systemd's "
            "MemoryDenyWriteExecute)",
            RuntimeWarning,
            stacklevel=3,
        )
    return reason is None


def using(name: str) -> AbstractContextManager[None]:
    """Within, functions that run for the first time are compiled with another back end."""
    return setting(_chosen, name)
