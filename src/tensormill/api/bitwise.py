"""`tf.bitwise`: the bits of integers."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.math.bitwise": "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
