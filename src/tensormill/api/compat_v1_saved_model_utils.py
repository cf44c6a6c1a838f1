"""`tf.compat.v1.saved_model.utils`: tensors in signatures."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"version_one.saved_models": "build_tensor_info get_tensor_from_tensor_info"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.saved_model.utils")
