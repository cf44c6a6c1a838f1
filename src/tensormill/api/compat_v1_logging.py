"""`tf.compat.v1.logging`: levels, and how much is shown."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "compat.logging": (
        "DEBUG ERROR FATAL INFO TaskLevelStatusMessage WARN debug error fatal flush get_verbosity "
        "info log log_every_n log_first_n log_if set_verbosity vlog warn warning"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.logging")
