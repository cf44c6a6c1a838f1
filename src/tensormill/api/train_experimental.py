"""`tf.train.experimental`: Python objects in checkpoints."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"checkpoint.python_state": "PythonState"}

GONE = {
    "MaxShardSizePolicy": ": a checkpoint is one file here, and is not cut; leave the option out",
    "ShardByTaskPolicy": ": a checkpoint is one file here, and is not cut; leave the option out",
    "ShardableTensor": ": a checkpoint is one file here, and is not cut; leave the option out",
    "ShardingCallback": ": a checkpoint is one file here, and is not cut; leave the option out",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.train.experimental", gone=GONE)
