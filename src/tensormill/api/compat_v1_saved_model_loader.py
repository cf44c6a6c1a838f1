"""`tf.compat.v1.saved_model.loader`: reading models."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"version_one.saved_models": "load maybe_saved_model_directory"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.saved_model.loader")
