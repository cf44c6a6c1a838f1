"""`tf.compat.v1.dtypes`: element types and casts."""

from __future__ import annotations

from . import dtypes
from .lazy import joined, namespace

TABLE = joined(dtypes, {"ops.strings.byte_strings": "as_string"})

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.dtypes")
