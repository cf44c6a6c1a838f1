# Written by `make stubs` from the table beside it.

"""`tf.queue`: elements that one part of a program puts in and another takes out."""

from ..module.queues import FIFOQueue as FIFOQueue
from ..module.queues import PaddingFIFOQueue as PaddingFIFOQueue
from ..module.queues import PriorityQueue as PriorityQueue
from ..module.queues import QueueBase as QueueBase
from ..module.queues import RandomShuffleQueue as RandomShuffleQueue

__all__ = ['FIFOQueue', 'PaddingFIFOQueue', 'PriorityQueue', 'QueueBase', 'RandomShuffleQueue']
