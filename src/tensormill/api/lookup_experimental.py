"""`tf.lookup.experimental`: tables that change."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "module.lookup_tables": "DenseHashTable MutableHashTable",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.lookup.experimental")
