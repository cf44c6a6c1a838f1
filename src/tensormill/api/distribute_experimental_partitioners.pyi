# Written by `make stubs` from the table beside it.

"""`tf.distribute.experimental.partitioners`: into how many parts variables are cut."""

from ..distribution.partitioners import FixedShardsPartitioner as FixedShardsPartitioner
from ..distribution.partitioners import MaxSizePartitioner as MaxSizePartitioner
from ..distribution.partitioners import MinSizePartitioner as MinSizePartitioner
from ..distribution.partitioners import Partitioner as Partitioner

__all__ = ['FixedShardsPartitioner', 'MaxSizePartitioner', 'MinSizePartitioner', 'Partitioner']
