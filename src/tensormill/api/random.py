"""`tf.random`: streams of random numbers."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "core.random_state": "set_seed",
    "ops.random": "normal shuffle truncated_normal uniform",
    "ops.stateless_random": "stateless_normal stateless_truncated_normal stateless_uniform",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
