"""`tf.compat.v1.saved_model.main_op`: what runs when a model is loaded."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"version_one.initialization": "main_op main_op_with_restore"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.saved_model.main_op")
