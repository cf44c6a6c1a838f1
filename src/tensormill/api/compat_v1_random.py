"""`tf.compat.v1.random`: streams of random numbers."""

from __future__ import annotations

from . import random
from .lazy import joined, namespace

TABLE = joined(
    random,
    {
        "version_one.functions.random": (
            "get_seed multinomial poisson=random_poisson stateless_multinomial"
        ),
        "version_one.initialization": "set_random_seed",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.random")
