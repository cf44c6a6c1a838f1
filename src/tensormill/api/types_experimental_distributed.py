"""`tf.types.experimental.distributed`: values of replicas as types."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"distribution.values": "Mirrored PerReplica"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.types.experimental.distributed")
