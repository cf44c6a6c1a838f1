"""`tf.compat.v1.gfile`: files."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "core.files.gfile": (
        "Copy=copy DeleteRecursively=rmtree Exists=exists FastGFile=GFile GFile Glob=glob "
        "IsDirectory=isdir ListDirectory=listdir MakeDirs=makedirs MkDir=mkdir Open=GFile "
        "Remove=remove Rename=rename Stat=stat Walk=walk"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.gfile")
