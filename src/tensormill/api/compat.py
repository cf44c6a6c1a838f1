"""`tf.compat`: text and bytes, and the kinds of numbers."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "v1=compat_v1",
    "core.dimension": "dimension_at_index dimension_value",
    "core.process.forward_compatibility": "forward_compatibility_horizon forward_compatible",
    "core.text": (
        "as_bytes as_str as_str_any as_text bytes_or_text_types complex_types integral_types "
        "path_to_str real_types"
    ),
}

# All of `tf` once more: who walks over namespaces would never end.
UNLISTED = {"": "v2=top"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, unlisted=UNLISTED)
