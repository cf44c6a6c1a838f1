"""`tf.queue`: elements that one part of a program puts in and another takes out."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "module.queues": "FIFOQueue PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
