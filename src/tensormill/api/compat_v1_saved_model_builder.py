"""`tf.compat.v1.saved_model.builder`: writing models."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"version_one.saved_models": "SavedModelBuilder"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.saved_model.builder")
