"""`tf.tpu`: what describes TPUs, which are not here, and embeddings that they trained."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=tpu_experimental",
    "distribution.tpu.system": "XLAOptions",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
