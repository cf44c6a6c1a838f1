"""JAX's settings while this library uses it; what other users of JAX see of them stays as it is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from typing import Any

import jax

from ..config import settings
from ..core.process.accelerators import KINDS
from ..eager.devices import choices, visible
from ..errors import InternalError


@contextmanager
def making(device: Any = None) -> Iterator[None]:
    """While a program is made: 64 bits are 64 bits, and float32 is float32.

    device: where it computes, one of JAX's; None for the device that is usual. What is made here
    is not bound to it: programs of other devices take it from there.
    """
    _use_cache()
    use_devices()
    with (
        jax.enable_x64(True),
        jax.default_device(first_visible() if device is None else device),
        jax.default_matmul_precision("high" if choices.tensor_float_32 else "highest"),
        jax.numpy_dtype_promotion("standard"),
        jax.numpy_rank_promotion("allow"),
    ):
        yield


def first_visible() -> Any:
    """Where programs compute while nobody names a device; None for where JAX does."""
    found = [one for kind in KINDS for one in visible(kind)]
    if not found and any(one.device_type != "CPU" for one in choices.hidden):
        found = jax.devices("cpu")
    return found[0] if found else None


def wide() -> AbstractContextManager[Any]:
    """While arrays of NumPy's become JAX's: those of 64 bits, too."""
    return jax.enable_x64(True)


def compiler_options() -> dict[str, Any] | None:
    """How XLA compiles: without LLVM's passes where our own compiler does, too."""
    if settings.effort:
        return None
    return {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


@cache
def use_devices() -> None:
    """Let JAX divide the CPU as `tf.config` does, unless JAX has begun without being told.

    Raises:
        InternalError: JAX finds no device that it may use.
    """
    count = len(choices.logical_cpus or ())
    if count > 1:
        config: Any = jax.config
        with suppress(RuntimeError):
            config.update("jax_num_cpu_devices", count)
    try:
        jax.devices()
    except (RuntimeError, AssertionError) as error:  # the latter where no plugin is for GPUs
        why, *_ = str(error).splitlines() or ["it has none of the kind"]
        only = os.environ.get("JAX_PLATFORMS")
        asked = f"; JAX_PLATFORMS={only!r} is all that it may look for" if only else ""
        raise InternalError(f"JAX finds no device: {why}{asked}") from None


@cache
def _use_cache() -> None:
    """Let JAX keep what it compiles beside our own code, unless it was told where to."""
    if not settings.cache_enabled or settings.cache_directory is None:
        return
    config: Any = jax.config
    if config.jax_compilation_cache_dir is None:
        config.update("jax_compilation_cache_dir", str(settings.cache_directory / "xla"))
