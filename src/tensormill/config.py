"""Every switch of the library, in one place: environment variables are read once, here.

| variable | default | meaning |
|---|---|---|
| `TENSORMILL_BACKEND` | `xla` with a GPU, else `cpu` | runs functions: `cpu`, `xla`, `reference` |
| `TENSORMILL_CACHE` | `1` | `0` keeps compiled code out of the disk cache |
| `TENSORMILL_CACHE_DIR` | `$XDG_CACHE_HOME/tensormill` | where compiled code is kept |
| `TENSORMILL_CACHE_BYTES` | `268435456` | the disk cache is trimmed to this size |
| `TENSORMILL_CHECK_MEMORY` | `0` | `1` checks every load and store of native code; slow |
| `TENSORMILL_EFFORT` | `2` | how far LLVM optimises: 0 (no passes) to 3 |
| `TENSORMILL_THREADS` | number of usable cores | threads of native loops, products and LLVM |
| `TENSORMILL_TRACE_BYTES` | `1073741824` | all traces together may take about so much |
| `TENSORMILL_VERIFY` | `0` | `1` verifies the program after every compiler pass |
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

STARTED: Final = time.time()  # sources that change later are not what this process runs


def _cache_directory() -> Path | None:
    """None for a user without a home, as in containers: code is not kept then."""
    if chosen := os.environ.get("TENSORMILL_CACHE_DIR"):
        return Path(chosen)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "tensormill"
    try:
        return Path.home() / ".cache" / "tensormill"
    except RuntimeError:
        return None


def whole_number(name: str, default: int, low: int, high: int = 2**63 - 1) -> int:
    """The whole number in an environment variable.

    Raises:
        ValueError: it is something else, or not from `low` to `high`.
    """
    text = os.environ.get(name) or str(default)
    number = int(text) if text.strip().removeprefix("-").isdecimal() else None
    if number is None or not low <= number <= high:
        wanted = f"from {low} to {high}" if high < 2**63 - 1 else f"of at least {low}"
        raise ValueError(f"{name}={text!r}: the environment variable is a whole number {wanted}")
    return number


def is_on(name: str, default: bool) -> bool:
    """Whether an environment variable is 1, rather than 0.

    Raises:
        ValueError: it is something else.
    """
    return bool(whole_number(name, int(default), 0, 1))


def one_of(name: str, words: tuple[str, ...]) -> str | None:
    """The word in an environment variable; None where there is none.

    Raises:
        ValueError: it is none of `words`.
    """
    word = os.environ.get(name, "").strip() or None
    if word is not None and word not in words:
        raise ValueError(f"{name}={word!r}: the environment variable is one of {', '.join(words)}")
    return word


def usable_cores() -> int:
    """How many threads there are unless something else is asked for."""
    is_linux = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if is_linux else os.cpu_count() or 1
    return whole_number("TENSORMILL_THREADS", cores, 1)


def _switch(name: str, default: bool) -> Any:
    return field(default_factory=lambda: is_on(name, default))


def _number(name: str, default: int, low: int, high: int = 2**63 - 1) -> Any:
    return field(default_factory=lambda: whole_number(name, default, low, high))


BACKENDS: Final = ("cpu", "xla", "reference")


@dataclass(slots=True)  # where native code reads them
class Config:
    """The switches of this process. Change them through `tensormill.config.settings`."""

    # None: `xla` where JAX has a GPU or a TPU, else `cpu`, or `reference` where no machine code can
    # be made.
    backend: str | None = field(default_factory=lambda: one_of("TENSORMILL_BACKEND", BACKENDS))
    cache_enabled: bool = _switch("TENSORMILL_CACHE", True)
    cache_directory: Path | None = field(default_factory=_cache_directory)
    cache_limit_bytes: int = _number("TENSORMILL_CACHE_BYTES", 1 << 28, 0)
    effort: int = _number("TENSORMILL_EFFORT", 2, 0, 3)
    threads: int = field(default_factory=usable_cores)
    trace_limit_bytes: int = _number("TENSORMILL_TRACE_BYTES", 1 << 30, 0)
    check_memory: bool = _switch("TENSORMILL_CHECK_MEMORY", False)
    verify: bool = _switch("TENSORMILL_VERIFY", False)
    run_functions_eagerly: bool = False


settings = Config()
