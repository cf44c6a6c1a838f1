"""`tf.compat.v1.autograph`: Python control flow as graphs."""

from __future__ import annotations

from . import autograph
from .lazy import joined, namespace

TABLE = joined(
    autograph,
    {
        "version_one.functions.converted_code": "to_code to_graph",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.autograph")
