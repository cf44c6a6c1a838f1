"""`tf.compat.v1.user_ops`: TensorFlow's example of one."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"version_one.functions.strings": "my_fact"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.user_ops")
