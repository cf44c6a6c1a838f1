"""`tf.nest`: nested structures."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "core.tree": "assert_same_structure flatten is_nested map_structure pack_sequence_as",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
