# Written by `make stubs` from the table beside it.

"""`tf.types.experimental.distributed`: values of replicas as types."""

from ..distribution.values import Mirrored as Mirrored
from ..distribution.values import PerReplica as PerReplica

__all__ = ['Mirrored', 'PerReplica']
