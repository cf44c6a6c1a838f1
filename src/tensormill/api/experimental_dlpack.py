"""`tf.experimental.dlpack`: tensors of other libraries."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "eager.dlpack": "from_dlpack to_dlpack",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.experimental.dlpack")
