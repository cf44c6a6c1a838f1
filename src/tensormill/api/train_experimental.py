"""`tf.train.experimental`: Python objects in checkpoints."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"checkpoint.python_state": "PythonState"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.train.experimental")
