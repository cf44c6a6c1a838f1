"""`tf.compat.v1.errors`: what goes wrong, and its numbers."""

from __future__ import annotations

from . import errors
from .lazy import joined, namespace

TABLE = joined(
    errors,
    {"version_one.error_codes": "error_code_from_exception_type exception_type_from_error_code"},
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.errors")
