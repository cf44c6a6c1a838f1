"""`tf.compat.v1.sets`: sets in the last axis of tensors."""

from __future__ import annotations

from . import sets
from .lazy import joined, namespace

TABLE = joined(
    sets,
    {
        "ops.sparse.sets": (
            "set_difference=difference set_intersection=intersection set_size=size set_union=union"
        ),
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.sets")
