"""`tf.debugging`: checks."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "function.tracebacks": (
        "disable_traceback_filtering enable_traceback_filtering is_traceback_filtering_enabled"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
