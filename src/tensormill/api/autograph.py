"""`tf.autograph`: Python control flow as graphs."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=autograph_experimental",
    "autograph.api": "to_code to_graph",
    "autograph.verbosity": "set_verbosity trace",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
