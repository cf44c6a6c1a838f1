"""`tf.compat.v1.logging`: levels, and how much is shown."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "compat.logging": (
        "DEBUG ERROR FATAL INFO WARN debug error fatal get_verbosity info log set_verbosity warn "
        "warning"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.logging")
