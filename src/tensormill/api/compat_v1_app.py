"""`tf.compat.v1.app`: running a program whose flags are on the command line."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "flags=compat_v1_flags",
    "version_one.programs": "run",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.app")
