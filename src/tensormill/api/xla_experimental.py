"""`tf.xla.experimental`: older ways to ask for compiled code, which all functions are here."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "function.compiled_calls": "compile jit_scope",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.xla.experimental")
