"""`tf.train.experimental`: Python objects in checkpoints, and checkpoints of several files."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "checkpoint.python_state": "PythonState",
    "checkpoint.sharding": (
        "MaxShardSizePolicy ShardByTaskPolicy ShardableTensor ShardingCallback"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.train.experimental")
