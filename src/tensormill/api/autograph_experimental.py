"""`tf.autograph.experimental`: what conversion may do."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "autograph.api": "do_not_convert",
    "autograph.experimental": "set_loop_options",
    "autograph.options": "Feature",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.autograph.experimental")
