"""`tf.distribute.experimental.partitioners`: into how many parts variables are cut."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "distribution.partitioners": (
        "FixedShardsPartitioner MaxSizePartitioner MinSizePartitioner Partitioner"
    ),
}

__getattr__, __dir__, __all__ = namespace(
    __name__, TABLE, public="tf.distribute.experimental.partitioners"
)
