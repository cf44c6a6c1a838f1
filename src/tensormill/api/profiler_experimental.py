"""`tf.profiler.experimental`: what ran, when, and on which line."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "summary.profiler": "Profile ProfilerOptions Trace=ProfileTrace start stop",
}

GONE = {
    "client": (
        ": no other process is profiled; call tf.profiler.experimental.start in the program itself"
    ),
    "server": (
        ": no other process profiles this one; call tf.profiler.experimental.start in the program"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.profiler.experimental", gone=GONE)
