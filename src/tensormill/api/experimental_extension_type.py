"""`tf.experimental.extension_type`: extension types taken apart."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.extension_type": "as_dict",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
