"""`tf.io.gfile`: files and folders."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "core.files.gfile": (
        "GFile copy exists get_registered_schemes glob isdir join listdir makedirs mkdir remove "
        "rename rmtree stat walk"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.io.gfile")
