"""`tf.config.threading`: how many threads."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "eager.devices": (
        "get_inter_op_parallelism_threads get_intra_op_parallelism_threads "
        "set_inter_op_parallelism_threads set_intra_op_parallelism_threads"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.config.threading")
