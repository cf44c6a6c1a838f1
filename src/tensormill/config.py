"""Every switch of the library, in one place: environment variables are read once, here.

| variable | default | meaning |
|---|---|---|
| `TENSORMILL_CACHE` | `1` | `0` keeps compiled code out of the disk cache |
| `TENSORMILL_CACHE_DIR` | `$XDG_CACHE_HOME/tensormill` | where compiled code is kept |
| `TENSORMILL_CACHE_BYTES` | `268435456` | the disk cache is trimmed to this size |
| `TENSORMILL_CHECK_MEMORY` | `0` | `1` checks every load and store of native code; slow |
| `TENSORMILL_EFFORT` | `2` | how far LLVM optimises: 0 (no passes) to 3 |
| `TENSORMILL_THREADS` | number of usable cores | threads of native loops and products |
| `TENSORMILL_TRACE_BYTES` | `1073741824` | all traces together may take about so much |
| `TENSORMILL_VERIFY` | `0` | `1` verifies the program after every compiler pass |
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

STARTED: Final = time.time()  # sources that change later are not what this process runs


def _cache_directory() -> Path:
    if chosen := os.environ.get("TENSORMILL_CACHE_DIR"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "tensormill"


def usable_cores() -> int:
    """How many threads there are unless something else is asked for."""
    if chosen := os.environ.get("TENSORMILL_THREADS"):
        return max(1, int(chosen))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class Config:
    """The switches of this process. Change them through `tensormill.config.settings`."""

    cache_enabled: bool = field(default_factory=lambda: os.environ.get("TENSORMILL_CACHE") != "0")
    cache_directory: Path = field(default_factory=_cache_directory)
    cache_limit_bytes: int = field(
        default_factory=lambda: int(os.environ.get("TENSORMILL_CACHE_BYTES", 1 << 28))
    )
    effort: int = field(default_factory=lambda: int(os.environ.get("TENSORMILL_EFFORT", 2)))
    threads: int = field(default_factory=usable_cores)
    trace_limit_bytes: int = field(
        default_factory=lambda: int(os.environ.get("TENSORMILL_TRACE_BYTES", 1 << 30))
    )
    check_memory: bool = field(
        default_factory=lambda: os.environ.get("TENSORMILL_CHECK_MEMORY", "0") == "1"
    )
    verify: bool = field(default_factory=lambda: os.environ.get("TENSORMILL_VERIFY", "0") == "1")
    run_functions_eagerly: bool = False


settings = Config()
