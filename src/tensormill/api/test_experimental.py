"""`tf.test.experimental`: waiting for devices."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "testing.comparisons": "sync_devices",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.test.experimental")
