"""`tf.compat.v1.strings`: functions of strings with the arguments that they had."""

from __future__ import annotations

from . import strings
from .lazy import joined, namespace

TABLE = joined(
    strings,
    {
        "version_one.functions.strings": "length reduce_join split substr to_hash_bucket to_number",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.strings")
