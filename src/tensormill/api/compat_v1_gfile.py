"""`tf.compat.v1.gfile`: files."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "core.files.gfile": "FastGFile=GFile GFile Open=GFile",
    "version_one.files": (
        "Copy DeleteRecursively Exists Glob IsDirectory ListDirectory MakeDirs MkDir Remove Rename "
        "Stat Walk"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.gfile")
